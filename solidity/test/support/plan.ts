/** Plans launches the way a packer and an authority do: mine, materialize, hash, sign. */
import {
  bytesToHex,
  decodeFunctionResult,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  hexToBytes,
  keccak256,
  pad,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem';
import type { Address, Hex, LocalAccount } from 'viem';
import { keccak256Bytes } from '@launch/contracts/primitives';
import { artifact } from './artifacts.js';
import type { Transaction } from './chain.js';
import { hashCall, hashLaunchId, hashPermit, permitTypedData, saltFor } from './launch-hashes.js';
import type { LaunchCall, LaunchPermit, PoolKey } from './launch-hashes.js';
import { authority, encodeCall, routerName } from './world.js';
import type { World } from './world.js';

export const chainId = 4663n;
export const supply = 10n ** 27n;
export const tickSpacing = 60;
export const tickLower = 60_000;
export const tickUpper = 184_200;
const kernelFlags = 0x2acc;
const beforeInitializeFlag = 0x2000;

/** The two recipes; three test contracts on the same kernel; and three with one odd part each that the router must catch. */
export type Project = 'combined' | 'inventory' | 'separate' | 'leaky token' | 'generous initializer' | 'plain hook';

/** Choices of an inventory launch about its pool; the other projects always have the defaults. */
export interface Inventory {
  inventoryRaw: bigint;
  tickLower: number;
  tickUpper: number;
  tickSpacing: number;
}
const defaultInventory: Inventory = { inventoryRaw: supply, tickLower, tickUpper, tickSpacing };

export interface PlanOptions {
  nonce?: bigint;
  /** Also sets apart the addresses of two launches that both happen. */
  name?: string;
  project?: Project;
  inventory?: Partial<Inventory>;
  router?: Address;
  controller?: Address;
  saltPrefix?: Address;
  buyFeeBps?: number;
  sellFeeBps?: number;
  initialBuyWei?: bigint;
  /** Replaces parts of the call before it is hashed and signed. */
  call?: Partial<LaunchCall>;
  /** Replaces parts of the permit before it is signed. */
  permit?: Partial<LaunchPermit>;
  /** Replaces parts of the permit after it was signed. */
  sentPermit?: Partial<LaunchPermit>;
  /** Replaces parts of the call after the permit was signed. */
  sentCall?: Partial<LaunchCall>;
  signer?: LocalAccount;
  /** Chain id in the signed domain. */
  signedChainId?: bigint;
}

export interface Part {
  roleMask: number;
  salt: Hex;
  initCode: Hex;
  account: Address;
}

export interface Plan {
  call: LaunchCall;
  permit: LaunchPermit;
  permitDigest: Hex;
  launchId: Hex;
  signature: Hex;
  tx: Transaction;
  parts: Part[];
  componentRuntimes: Hex[];
  /** `0x` for the project without a vault. */
  vaultRuntime: Hex;
  token: Address;
  hook: Address;
  vault: Address;
  poolKey: PoolKey;
  buyFeeBps: bigint;
  sellFeeBps: bigint;
}

const lower = (address: Address) => address.toLowerCase() as Address;
export const hashText = (text: string): Hex => keccak256(stringToHex(text));

const mined = new Map<string, Hex>();

/** The first salt under `prefix` whose CREATE2 address carries the hook flags. */
export function mineSalt(deployer: Address, initCodeHash: Hex, prefix: Address, flags = kernelFlags): Hex {
  const id = `${deployer}${initCodeHash}${prefix}${flags}`.toLowerCase();
  const known = mined.get(id);
  if (known) return known;
  const input = new Uint8Array(85);
  input[0] = 0xff;
  input.set(hexToBytes(deployer), 1);
  input.set(hexToBytes(prefix), 21);
  input.set(hexToBytes(initCodeHash), 53);
  const view = new DataView(input.buffer);
  for (let free = 0; ; free++) {
    view.setUint32(49, free);
    const hash = keccak256Bytes(input);
    if ((((hash[30]! << 8) | hash[31]!) & 0x3fff) !== flags) continue;
    const salt = bytesToHex(input.slice(21, 53));
    mined.set(id, salt);
    return salt;
  }
}

export const create2 = (from: Address, salt: Hex, initCode: Hex): Address =>
  lower(getCreate2Address({ from, salt, bytecodeHash: keccak256(initCode) }));

export const initCodeOf = (contract: string, args: unknown[]): Hex => {
  const { abi, creationCode } = artifact(contract);
  return encodeDeployData({ abi, bytecode: creationCode, args });
};

export const sqrtPriceAt = (world: World, tick: number): Promise<bigint> =>
  world.chain.read<bigint>(world.oracle, 'TickMathOracle', 'sqrtPriceAtTick', [tick]);

/** Executes creation codes as the router would, in one eth_call, and returns what they leave. */
export async function materialize(
  world: World,
  router: Address,
  parts: Pick<Part, 'salt' | 'initCode'>[],
  children: Address[],
) {
  const { abi, runtimeCode } = artifact('Materializer');
  const data = await world.chain.call(
    {
      from: router,
      to: router,
      data: encodeCall('Materializer', 'materialize', [
        parts.map((p) => p.salt),
        parts.map((p) => p.initCode),
        children,
      ]),
    },
    { state: { [router]: { code: runtimeCode } } },
  );
  const [accounts, componentRuntimes, childRuntimes] = decodeFunctionResult({
    abi,
    functionName: 'materialize',
    data,
  }) as [Address[], Hex[], Hex[]];
  return { accounts: accounts.map(lower), componentRuntimes, childRuntimes };
}

/** Constructor arguments every kernel project shares. */
export function feeConfig(world: World, options: PlanOptions) {
  return {
    poolManager: world.poolManager,
    router: options.router ?? world.router,
    creatorBuyFeeBps: options.buyFeeBps ?? 300,
    creatorSellFeeBps: options.sellFeeBps ?? 500,
    platformRecipient: world.platform,
    creatorRecipient: world.creator,
  };
}

function partsOf(world: World, options: PlanOptions): Part[] {
  const router = options.router ?? world.router;
  const prefix = options.saltPrefix ?? options.controller ?? world.controller;
  const name = options.name ?? 'Proof';
  const part = (roleMask: number, contract: string, args: unknown[], flags?: number): Part => {
    const initCode = initCodeOf(contract, args);
    const isHook = (roleMask & 2) !== 0;
    const salt = isHook
      ? mineSalt(router, keccak256(initCode), prefix, flags)
      : saltFor(prefix, toHex(options.nonce ?? 1n, { size: 12 }));
    return { roleMask, salt, initCode, account: create2(router, salt, initCode) };
  };
  const project = options.project ?? 'combined';
  if (project === 'combined') {
    return [part(3, 'Native20', [feeConfig(world, options), name, 'PRF', supply, tickLower, tickUpper])];
  }
  if (project === 'inventory') {
    const { inventoryRaw, ...range } = { ...defaultInventory, ...options.inventory };
    const initializer = part(4, 'InventoryInitializer', [world.poolManager, router, range.tickLower, range.tickUpper]);
    const token = part(1, 'InventoryToken', [name, 'PRF', inventoryRaw, initializer.account]);
    return [
      initializer,
      token,
      part(2, 'InventoryHook', [feeConfig(world, options), token.account, range.tickSpacing, initializer.account]),
    ];
  }
  const initializerName = project === 'generous initializer' ? 'GenerousInitializer' : 'SeparateInitializer';
  const initializer = part(4, initializerName, [world.poolManager, router, tickLower, tickUpper]);
  const tokenName = project === 'leaky token' ? 'LeakyToken' : 'SeparateToken';
  const token = part(1, tokenName, [name, 'PRF', supply, initializer.account]);
  const hook =
    project === 'plain hook'
      ? part(2, 'PlainHook', [], beforeInitializeFlag)
      : part(2, 'SeparateHook', [feeConfig(world, options), token.account, tickSpacing, initializer.account]);
  return [initializer, token, hook];
}

async function callOf(world: World, options: PlanOptions, parts: Part[]) {
  const hook = parts.at(-1)!.account;
  const token = parts.find((p) => (p.roleMask & 1) !== 0)!.account;
  const vault = lower(getContractAddress({ from: hook, nonce: 1n }));
  const pool = { ...defaultInventory, ...options.inventory };
  const poolKey: PoolKey = {
    currency0: zeroAddress,
    currency1: token,
    fee: 0,
    tickSpacing: pool.tickSpacing,
    hooks: hook,
  };
  const vaults = options.project === 'plain hook' ? [] : [vault];
  const { componentRuntimes, childRuntimes } = await materialize(world, options.router ?? world.router, parts, vaults);
  const sqrtUpper = await sqrtPriceAt(world, pool.tickUpper);
  const initialBuyWei = options.initialBuyWei ?? 0n;
  const call: LaunchCall = {
    components: parts.map(({ roleMask, salt, initCode }, i) => ({
      roleMask,
      salt,
      initCode,
      runtimeCodeHash: keccak256(componentRuntimes[i]!),
    })),
    children: vaults.map((account, i) => ({
      parentIndex: parts.length - 1,
      roleMask: 16,
      account,
      runtimeCodeHash: keccak256(childRuntimes[i]!),
    })),
    externals: [
      {
        roleMask: 0,
        account: world.poolManager,
        runtimeCodeHash: keccak256(await world.chain.code(world.poolManager)),
      },
    ],
    poolKey,
    sqrtPriceX96: sqrtUpper,
    liquidity: (pool.inventoryRaw * 2n ** 96n) / (sqrtUpper - (await sqrtPriceAt(world, pool.tickLower))),
    nativeLiquidityWei: 0n,
    initialBuyWei,
    minimumTokensOut: initialBuyWei === 0n ? 0n : 1n,
    ...options.call,
  };
  return { call, token, hook, vault, poolKey, componentRuntimes, vaultRuntime: childRuntimes[0] ?? '0x' };
}

/** The permit's signature and the transaction carrying both. */
export async function planLaunch(world: World, options: PlanOptions = {}): Promise<Plan> {
  const router = options.router ?? world.router;
  const controller = options.controller ?? world.controller;
  const nonce = options.nonce ?? 1n;
  const parts = partsOf(world, options);
  const planned = await callOf(world, options, parts);
  const { graphHash, poolHash, callHash } = hashCall(planned.call);
  const now = await world.chain.time();
  const permit: LaunchPermit = {
    controller,
    requestHash: hashText(`request ${nonce}`),
    contextHash: hashText('context'),
    economicsHash: hashText('economics'),
    instructionPolicyHash: hashText('instruction policy'),
    graphHash,
    poolHash,
    callHash,
    value: planned.call.initialBuyWei + planned.call.nativeLiquidityWei,
    nonce,
    validAfter: now,
    deadline: now + 3_000n,
    ...options.permit,
  };
  const typedData = permitTypedData(options.signedChainId ?? chainId, router, permit);
  const signature = await (options.signer ?? authority).signTypedData(typedData);
  const sentCall = { ...planned.call, ...options.sentCall };
  const sentPermit = { ...permit, ...options.sentPermit };
  return {
    ...planned,
    parts,
    permit,
    signature,
    permitDigest: hashPermit(chainId, router, permit),
    launchId: hashLaunchId(chainId, router, controller, nonce),
    tx: {
      from: controller,
      to: router,
      data: encodeCall(routerName, 'launch', [sentCall, sentPermit, signature]),
      value: permit.value,
    },
    buyFeeBps: BigInt(options.buyFeeBps ?? 300),
    sellFeeBps: BigInt(options.sellFeeBps ?? 500),
  };
}

/** A salt of the controller's for a component that needs no particular address. */
export const freeSalt = (controller: Address, number: bigint): Hex =>
  saltFor(controller, pad(toHex(number), { size: 12 }));
