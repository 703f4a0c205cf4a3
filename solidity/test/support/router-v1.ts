/** Launches and plans through router V1, planned and signed by the product's own encoders. */
import {
  LAUNCH_MODES,
  artifactHash,
  componentStepsOf,
  launchPermitV1Of,
  launchStampV1Of,
  launchV1Calls,
  permitV1TypedData,
  registerCallOf,
  routerV1Of,
} from '@launch/evm';
import type {
  ComponentStep,
  ContextPartsV1,
  ExpectedStampV1,
  LaunchPartsV1,
  LaunchPermitV1,
  PlanMode,
  RegisterCall,
} from '@launch/evm';
import { parseEther } from 'viem';
import type { Address, Hex, LocalAccount } from 'viem';
import { artifact } from './artifacts.js';
import type { Transaction } from './chain.js';
import type { LaunchCall } from './launch-hashes.js';
import { planLaunch } from './plan.js';
import type { Plan, PlanOptions } from './plan.js';
import { authority, encodeCall, maxUint64, startWorld } from './world.js';
import type { World } from './world.js';

export const routerV1Name = 'ServiceLaunchStampRouterV1';

export interface WorldV1 extends World {
  routerV1: Address;
  otherRouterV1: Address;
}

/** A chain that knows EIP-7702, with two routers V1 beside the rest. */
export async function startWorldV1(): Promise<WorldV1> {
  const world = await startWorld('prague');
  const { chain, owner, poolManager } = world;
  try {
    const routers: Address[] = [];
    for (let i = 0; i < 2; i++) {
      const router = await chain.deploy(owner, artifact(routerV1Name), [poolManager, owner]);
      const data = encodeCall(routerV1Name, 'setAuthority', [authority.address, 0n, maxUint64]);
      await chain.send({ from: owner, to: router, data });
      routers.push(router);
    }
    return { ...world, routerV1: routers[0]!, otherRouterV1: routers[1]! };
  } catch (error) {
    await chain.close();
    throw error;
  }
}

/** Parts that a launch and a plan share: the graph, deployed and named. */
export type Graph = Pick<
  Plan,
  'call' | 'parts' | 'token' | 'hook' | 'vault' | 'poolKey' | 'buyFeeBps' | 'sellFeeBps'
> & { controller: Address; nonce: bigint; now: bigint };

/** Mines and materializes a graph for router V1: an initializer, a token and a hook, with a first buy. */
export async function graphV1(world: WorldV1, options: PlanOptions = {}): Promise<Graph> {
  const controller = options.controller ?? world.controller;
  const planned = await planLaunch(world, {
    project: 'inventory',
    initialBuyWei: parseEther('0.5'),
    router: world.routerV1,
    ...options,
  });
  return { ...planned, controller, nonce: options.nonce ?? 1n, now: planned.permit.validAfter };
}

export interface SigningOptions {
  mode?: number;
  /** Replaces parts of the call before it is hashed and signed. */
  call?: Partial<LaunchCall>;
  permit?: Partial<LaunchPermitV1>;
  /** The same after the permit was signed. */
  sentPermit?: Partial<LaunchPermitV1>;
  sentCall?: Partial<LaunchCall>;
  signer?: LocalAccount;
  /** The message that is signed instead of the permit's typed data. */
  signature?: Hex;
  signedChainId?: bigint;
}

export interface Signed {
  call: LaunchCall;
  registerCall: RegisterCall;
  steps: ComponentStep[];
  permit: LaunchPermitV1;
  signature: Hex;
  expected: ExpectedStampV1;
  artifactHash: Hex;
  /** `launch` in mode single. */
  launch: Transaction;
  /** `deployComponent` of each component, and `register`. */
  deploys: Transaction[];
  register: Transaction;
}

/** The published context, as far as it decides a launch. */
export const contextV1 = (world: WorldV1): ContextPartsV1 => ({
  profile: {
    schemaVersion: 'service.custom-launch-profile.v4.1',
    instructionPolicy: { policyHash: `0x${'a4'.repeat(32)}` },
  },
  chainDeployment: { router: { address: world.routerV1 }, poolManager: { address: world.poolManager } },
});

export const hashesV1 = {
  requestHash: `0x${'a1'.repeat(32)}`,
  economicsHash: `0x${'a3'.repeat(32)}`,
} as const;

const names = ['initializer', 'token', 'hook'];

/** A request for this call, as a launcher writes it. */
export const requestV1 = (graph: Graph, call: LaunchCall, mode?: PlanMode): LaunchPartsV1 => ({
  launchWallet: graph.controller,
  nonce: graph.nonce.toString(),
  permitWindow: { validAfter: graph.now.toString(), deadline: (graph.now + 3_000n).toString() },
  contextHash: `0x${'a2'.repeat(32)}`,
  mode,
  graphBundle: {
    components: call.components.map(({ roleMask, salt, initCode, runtimeCodeHash }, i) => ({
      componentId: names[i] ?? `component-${i}`,
      roleMask,
      salt,
      creationBytecode: initCode,
      constructorArgs: '0x',
      expectedRuntimeCodeHash: runtimeCodeHash,
    })),
    children: call.children,
    officialPool: { poolKey: call.poolKey, sqrtPriceX96: call.sqrtPriceX96.toString() },
  } as unknown as LaunchPartsV1['graphBundle'],
  externalContracts: call.externals as LaunchPartsV1['externalContracts'],
  liquidityModel: { liquidity: call.liquidity.toString() } as LaunchPartsV1['liquidityModel'],
  funding: {
    initialBuyWei: call.initialBuyWei.toString(),
    minimumTokensOut: call.minimumTokensOut.toString(),
    liquidityNativeWei: call.nativeLiquidityWei.toString(),
  },
});

const planModes = new Map<number, PlanMode>([
  [LAUNCH_MODES.sequential, 'sequential'],
  [LAUNCH_MODES.atomic, 'atomic'],
]);

/** The permit of a graph in one mode, signed, and every transaction that it allows. */
export async function signV1(world: WorldV1, graph: Graph, options: SigningOptions = {}): Promise<Signed> {
  const mode = options.mode ?? LAUNCH_MODES.single;
  const context = contextV1(world);
  const call: LaunchCall = { ...graph.call, ...options.call };
  const request = requestV1(
    graph,
    call,
    mode === LAUNCH_MODES.single ? undefined : (planModes.get(mode) ?? 'sequential'),
  );
  const permit: LaunchPermitV1 = { ...launchPermitV1Of(request, context, hashesV1), mode, ...options.permit };
  const typedData = permitV1TypedData({ ...routerV1Of(context), chainId: options.signedChainId ?? 4663n }, permit);
  const signature = options.signature ?? (await (options.signer ?? authority).signTypedData(typedData));
  const sent = { permit: { ...permit, ...options.sentPermit }, signature };
  const sentCall = { ...call, ...options.sentCall };
  const callsOf = (sentMode?: PlanMode): Transaction[] =>
    launchV1Calls(requestV1(graph, sentCall, sentMode), context, sent).map((tx) => ({ from: graph.controller, ...tx }));
  const planCalls = callsOf('sequential');
  return {
    call,
    registerCall: registerCallOf(call),
    steps: componentStepsOf(call),
    permit,
    signature,
    expected: launchStampV1Of(request, context, permit),
    artifactHash: artifactHash(call),
    launch: callsOf()[0]!,
    deploys: planCalls.slice(0, -1),
    register: planCalls.at(-1)!,
  };
}
