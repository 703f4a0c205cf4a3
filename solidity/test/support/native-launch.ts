/** Native launchers with their registry and modules on a fresh chain, recipes, and what an indexer makes of a receipt. */
import { keccak256, parseEther, toHex, zeroAddress } from 'viem';
import type { Address, Hex } from 'viem';
import type { IndexSource, SourceAnswer, SourceVersion } from '@launch/contracts/index';
import {
  adapterOf,
  encodeRecipe,
  launchKey,
  nativeHookSalt,
  textBytes,
  type NativeRecipe,
  type SourceReceipt,
  type Verdict,
} from '@launch/evm/sources';
import { artifact } from './artifacts.js';
import { RpcError, type Receipt } from './chain.js';
import { encodeCall, eventsOf, type World } from './world.js';

export type NativeVersion = 'module-native-v1' | 'module-native-v2';
export const LAUNCHERS = {
  'module-native-v1': 'ModuleNativeLauncherV1',
  'module-native-v2': 'ModuleNativeLauncherV2',
} as const satisfies Record<NativeVersion, string>;

export interface NativeWorld extends World {
  readonly registry: Address;
  readonly launchers: Readonly<Record<NativeVersion, Address>>;
  readonly note: Address;
  readonly opening: Address;
}

export async function withNativeLaunchers(world: World): Promise<NativeWorld> {
  const { chain, owner, platform, poolManager } = world;
  const registry = await chain.deploy(owner, artifact('ModuleRegistry'), [owner]);
  const launcherOf = (name: string) => chain.deploy(owner, artifact(name), [poolManager, registry, platform]);
  return {
    ...world,
    registry,
    launchers: {
      'module-native-v1': await launcherOf(LAUNCHERS['module-native-v1']),
      'module-native-v2': await launcherOf(LAUNCHERS['module-native-v2']),
    },
    note: await chain.deploy(owner, artifact('NoteModule')),
    opening: await chain.deploy(owner, artifact('OpeningModule')),
  };
}

/** Price at tick 0: the pool starts at its upper tick. */
const SQRT_PRICE_AT_0 = 2n ** 96n;
const HOOK_CODE_HASH = () => keccak256(artifact('ModuleHook').creationCode);
let nextSalt = 0n;

/** A recipe that its wallet can launch through one launcher: its salt gives the hook its permissions. */
export function recipeFor(
  world: NativeWorld,
  version: NativeVersion,
  launchWallet: Address,
  change: Partial<NativeRecipe> = {},
): NativeRecipe {
  const place = { launcher: world.launchers[version], launchWallet, hookInitCodeHash: HOOK_CODE_HASH() };
  const salt = nativeHookSalt(place, nextSalt);
  nextSalt = BigInt(salt) + 1n;
  return {
    salt,
    name: textBytes('Blue Token'),
    symbol: textBytes('BLUE'),
    totalSupply: parseEther('1000000000'),
    metadata: { description: textBytes('blue'), website: '0x', image: '0x', extraData: '0x' },
    modules: [],
    tickLower: -887_220,
    tickUpper: 0,
    sqrtPriceX96: SQRT_PRICE_AT_0,
    creatorBuyFeeBps: 300,
    creatorSellFeeBps: 500,
    creatorFeeRecipient: world.creator,
    ...change,
  };
}

export const launchTx = (world: NativeWorld, version: NativeVersion, from: Address, recipe: NativeRecipe) => ({
  from,
  to: world.launchers[version],
  data: encodeCall(LAUNCHERS[version], 'launch', [encodeRecipe(recipe)]),
});

/** The token of a receipt's only launch, and where it trades. */
export function launchedBy(world: NativeWorld, version: NativeVersion, receipt: Receipt) {
  const launched = eventsOf(receipt, LAUNCHERS[version], world.launchers[version])[0]!.args as {
    launchId: Hex;
    token: Address;
    launchWallet: Address;
    hook: Address;
    poolId: Hex;
  };
  const poolKey = {
    currency0: zeroAddress,
    currency1: launched.token,
    fee: 0,
    tickSpacing: 60,
    hooks: launched.hook,
  };
  return { ...launched, poolKey };
}

export const keyOf = (wallet: Address, recipe: NativeRecipe): Hex => launchKey(wallet, recipe.salt);

/** Returns the launches of a receipt, as an indexer that is bound to the launcher reads them. */
export const judgeReceipt = (world: NativeWorld, version: NativeVersion, receipt: Receipt): Promise<Verdict[]> =>
  judgeReceiptOf(world, version, world.launchers[version], receipt);

/** The same of a source at any address. */
export async function judgeReceiptOf(
  world: World,
  version: SourceVersion,
  address: Address,
  receipt: Receipt,
  bound: Partial<Pick<IndexSource, 'chainId' | 'factoryVersion' | 'contracts'>> = {},
): Promise<Verdict[]> {
  const adapter = adapterOf(version)!;
  const source: IndexSource = {
    schemaVersion: 'service.index-source.v1',
    sourceVersion: version,
    chainId: 4663,
    address,
    runtimeCodeHash: keccak256(await world.chain.code(address)),
    startBlock: '0',
    endBlock: null,
    abiSha256: `sha256:${'0'.repeat(64)}`,
    factoryVersion: null,
    contracts: {},
    profile: 'test',
    sourceCommit: 'c'.repeat(40),
    finalityPolicyId: 'chain-ethereum-finalized-v1',
    ...bound,
  };
  const asked: SourceReceipt = {
    block: { number: BigInt(receipt.blockNumber).toString(), hash: receipt.blockHash, timestamp: '0' },
    transactionHash: receipt.transactionHash,
    transactionIndex: Number(receipt.transactionIndex),
    status: receipt.status === '0x1' ? 'success' : 'reverted',
    logs: receipt.logs.map((log) => ({
      address: log.address,
      topics: log.topics,
      data: log.data,
      logIndex: Number(log.logIndex),
    })),
  };
  const verdicts: Verdict[] = [];
  for (const candidate of adapter.candidates(source, asked)) {
    const answers = new Map<string, SourceAnswer>();
    for (;;) {
      const reads = adapter.reads(source, candidate, answers);
      if (reads.length === 0) break;
      for (const read of reads) {
        if (read.kind === 'code') {
          const code = await world.chain.rpc<Hex>('eth_getCode', read.to, receipt.blockNumber);
          answers.set(read.name, { kind: 'code', hash: code === '0x' ? null : keccak256(code) });
          continue;
        }
        const gas = read.gas === undefined ? {} : { gas: toHex(read.gas) };
        try {
          const data = await world.chain.rpc<Hex>(
            'eth_call',
            { to: read.to, data: read.data, ...gas },
            receipt.blockNumber,
          );
          answers.set(read.name, { kind: 'returned', data });
        } catch (error) {
          if (!(error instanceof RpcError)) throw error;
          answers.set(read.name, { kind: 'reverted' });
        }
      }
    }
    verdicts.push(adapter.judge(source, asked, candidate, answers));
  }
  return verdicts;
}
