/** Launches and plans through router V1, planned and signed by the product's own encoders. */
import {
  LAUNCH_MODES,
  PROFILE_WORDS,
  artifactHash,
  callHash,
  componentStepsOf,
  encodeRouterV1Calldata,
  expectedStampV1,
  graphHash,
  launchStepsHash,
  permitV1TypedData,
  planStepsHash,
  poolHash,
  registerCallHash,
  registerCallOf,
} from '@launch/evm';
import type { ComponentStep, ExpectedStampV1, LaunchPermitV1, RegisterCall } from '@launch/evm';
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

/** What a launch and a plan have in common: the graph, deployed and named. */
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
  /** What is signed in place of the permit's typed data. */
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

/** The permit of a graph in one mode, signed, and every transaction that it allows. */
export async function signV1(world: WorldV1, graph: Graph, options: SigningOptions = {}): Promise<Signed> {
  const mode = options.mode ?? LAUNCH_MODES.single;
  const call: LaunchCall = { ...graph.call, ...options.call };
  const registerCall = registerCallOf(call);
  const steps = componentStepsOf(call);
  const value = call.initialBuyWei;
  const ofCall = mode === LAUNCH_MODES.single ? callHash(call) : registerCallHash(registerCall);
  const permit: LaunchPermitV1 = {
    controller: graph.controller,
    requestHash: `0x${'a1'.repeat(32)}`,
    contextHash: `0x${'a2'.repeat(32)}`,
    economicsHash: `0x${'a3'.repeat(32)}`,
    instructionPolicyHash: `0x${'a4'.repeat(32)}`,
    graphHash: graphHash(call),
    poolHash: poolHash(call),
    callHash: ofCall,
    value,
    nonce: graph.nonce,
    validAfter: graph.now,
    deadline: graph.now + 3_000n,
    profile: PROFILE_WORDS['4.1'],
    mode,
    stepsHash:
      mode === LAUNCH_MODES.single
        ? launchStepsHash(ofCall, value)
        : planStepsHash(steps[0]?.componentHashes ?? [], ofCall, value),
    ...options.permit,
  };
  const identity = { chainId: 4663n, router: world.routerV1, poolManager: world.poolManager };
  const typedData = permitV1TypedData({ ...identity, chainId: options.signedChainId ?? 4663n }, permit);
  const signature = options.signature ?? (await (options.signer ?? authority).signTypedData(typedData));
  const sent = { permit: { ...permit, ...options.sentPermit }, signature };
  const sentCall = { ...call, ...options.sentCall };
  const tx = (data: Hex, wei: bigint): Transaction => ({
    from: graph.controller,
    to: world.routerV1,
    data,
    value: wei,
  });
  return {
    call,
    registerCall,
    steps,
    permit,
    signature,
    expected: expectedStampV1(identity, registerCall, permit),
    artifactHash: artifactHash(call),
    launch: tx(encodeRouterV1Calldata({ entryPoint: 'launch', call: sentCall, ...sent }), permit.value),
    deploys: componentStepsOf(sentCall).map((step) =>
      tx(encodeRouterV1Calldata({ entryPoint: 'deployComponent', step, ...sent }), 0n),
    ),
    register: tx(
      encodeRouterV1Calldata({ entryPoint: 'register', call: registerCallOf(sentCall), ...sent }),
      permit.value,
    ),
  };
}
