/** Engines on a fresh chain. An engine's address contains its hook permissions, so its CREATE2 salt is mined. */
import { concatHex, encodeDeployData, keccak256, parseEther, toHex, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import { encodeRecipe, textBytes, type NativeRecipe } from '@launch/evm/sources';
import { artifact } from './artifacts.js';
import type { Receipt } from './chain.js';
import { encodeCall, eventsOf, type World } from './world.js';

export const ENGINE = 'ModuleEngineV1';

/** The deterministic deployer that anvil starts with. */
const DEPLOYER: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const FLAGS = (1n << 13n) | (1n << 11n) | (1n << 9n) | (1n << 7n) | (1n << 6n) | (1n << 3n) | (1n << 2n);
const FLAG_MASK = (1n << 14n) - 1n;

const engineCode = (world: World, registry: Address): Hex => {
  const { abi, creationCode } = artifact(ENGINE);
  return encodeDeployData({ abi, bytecode: creationCode, args: [world.poolManager, registry, world.platform] });
};

/** The next engine from a salt on; another salt gives another engine. */
export async function deployEngine(world: World, registry: Address, from = 0n): Promise<[Address, bigint]> {
  const code = engineCode(world, registry);
  const codeHash = keccak256(code);
  for (let salt = from; ; salt += 1n) {
    const word = toHex(salt, { size: 32 });
    const hash = keccak256(concatHex(['0xff', DEPLOYER, word, codeHash]));
    if ((BigInt(hash) & FLAG_MASK) !== FLAGS) continue;
    await world.chain.send({ from: world.owner, to: DEPLOYER, data: concatHex([word, code]) });
    return [`0x${hash.slice(26)}`, salt + 1n];
  }
}

let nextSalt = 0n;
export const engineRecipe = (world: World, change: Partial<NativeRecipe> = {}): NativeRecipe => ({
  salt: toHex(nextSalt++, { size: 32 }),
  name: textBytes('Engine Token'),
  symbol: textBytes('ENG'),
  totalSupply: parseEther('1000000000'),
  metadata: { description: textBytes('one of many'), website: '0x', image: '0x', extraData: '0x' },
  modules: [],
  tickLower: -887_220,
  tickUpper: 0,
  sqrtPriceX96: 2n ** 96n,
  creatorBuyFeeBps: 300,
  creatorSellFeeBps: 500,
  creatorFeeRecipient: world.creator,
  ...change,
});

export const engineLaunchTx = (engine: Address, from: Address, recipe: NativeRecipe) => ({
  from,
  to: engine,
  data: encodeCall(ENGINE, 'launch', [encodeRecipe(recipe)]),
});

/** The launch of a receipt, its pool's key and its vault. */
export async function engineLaunched(world: World, engine: Address, receipt: Receipt) {
  const launched = eventsOf(receipt, ENGINE, engine)[0]!.args as {
    launchId: Hex;
    token: Address;
    launchWallet: Address;
    hook: Address;
    poolId: Hex;
  };
  const poolKey = { currency0: zeroAddress, currency1: launched.token, fee: 0, tickSpacing: 60, hooks: engine };
  const [vault] = await world.chain.read<[Address, number, number]>(engine, ENGINE, 'poolOf', [launched.poolId]);
  return { ...launched, poolKey, vault };
}
