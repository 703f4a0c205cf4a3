import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { callHash, componentHash, graphHash } from '../../launch-call/launch-hashes.js';
import { sampleCall, samplePermit, sampleRouter } from '../../launch-call/sample-launch.fixture.js';
import { ROUTER_V1_ABI } from '../../router-v1/router-v1.abi.js';
import { launchStepsHash, registerCallOf, stampHash } from '../../router-v1/router-v1.hashes.js';
import { encodeStampLogV1, expectedStampV1 } from '../../router-v1/router-v1.stamp.js';
import { LAUNCH_MODES, PROFILE_WORDS, type StampFields } from '../../router-v1/router-v1.types.js';
import {
  account,
  receiptOf,
  SOURCE,
  talkativeToken,
  type AskedContract,
  type SourceCase,
} from '../fixtures/source-case.fixture.js';
import { withAnswers, withEvent } from '../fixtures/changed-case.fixture.js';
import type { SourceAdapter } from '../source-adapter.js';
import { CUSTOM_ROUTER_V1 } from './router-v1.adapter.js';

const call = {
  ...sampleCall,
  components: [
    { ...sampleCall.components[0]!, roleMask: 4 },
    { ...sampleCall.components[1]!, roleMask: 1 },
    { ...sampleCall.components[1]!, roleMask: 2, initCode: '0x0102' as Hex },
  ],
};
const poolManager = account('77');
const stamp = expectedStampV1({ ...sampleRouter, poolManager }, registerCallOf(call), {
  ...samplePermit,
  graphHash: graphHash({ ...call, components: call.components }),
  callHash: callHash(call),
  profile: PROFILE_WORDS['4.1'],
  mode: LAUNCH_MODES.single,
  stepsHash: launchStepsHash(componentHash(call.components[0]!), samplePermit.value),
});
const { router } = sampleRouter;
const { token, hook } = stamp.stamp;
const ZERO: Hex = `0x${'00'.repeat(32)}`;
const componentAt = (address: Hex) => stamp.components.find((one) => one.account === address.toLowerCase());

const routerV1: AskedContract = {
  abi: ROUTER_V1_ABI as Abi,
  codeHash: SOURCE.runtimeCodeHash,
  answers: {
    CHAIN_ID: () => 4663n,
    launchIdByToken: (asked: Hex) => (asked.toLowerCase() === token ? stamp.launchId : ZERO),
    launchIdByPool: (pool: Hex) => (pool === stamp.stamp.poolId ? stamp.launchId : ZERO),
    launchStamp: () => {
      const { kind, poolManager: manager, poolId, routeLauncher, routePayloadHash, componentSetHash } = stamp.stamp;
      return [kind, token, hook, manager, poolId, routeLauncher, routePayloadHash, componentSetHash, stamp.stampHash];
    },
    stampProof: () => stamp.stampHash,
    launchIdByComponent: (component: Hex) => (componentAt(component) ? stamp.launchId : ZERO),
    componentRuntimeCodeHash: (component: Hex) => componentAt(component)?.runtimeCodeHash ?? ZERO,
  },
};

/** A launch of three components and a child as router V1 stamps it, with a foreign log between its own. */
export const ROUTER_V1_CASE: SourceCase = {
  adapter: CUSTOM_ROUTER_V1,
  source: {
    ...SOURCE,
    address: router,
    contracts: { poolManager: { address: poolManager, runtimeCodeHash: SOURCE.runtimeCodeHash } },
  },
  receipt: receiptOf(
    stamp.events.flatMap((event, index) => [
      ...(index === 1 ? [{ address: account('99'), ...encodeStampLogV1(event) }] : []),
      { address: router, ...encodeStampLogV1(event) },
    ]),
  ),
  contracts: {
    [router]: routerV1,
    ...Object.fromEntries(
      stamp.components.map(({ account: stamped, runtimeCodeHash }) => [stamped, talkativeToken(runtimeCodeHash)]),
    ),
  },
};
export const ROUTER_V1_STAMP = stamp;

/** Returns the launch as a router of an adapter's chain stamps it with other fields and a recomputed commitment. */
export function routerV1Case(adapter: SourceAdapter, change: Partial<StampFields> = {}): SourceCase {
  const chainId = adapter.sourceVersion === 'ethereum-custom-v1' ? 1 : 4663;
  const fields = { ...stamp.stamp, ...change };
  const { kind, poolId, routeLauncher, routePayloadHash, componentSetHash } = fields;
  const hash = stampHash(stamp.launchId, { chainId: BigInt(chainId), router }, fields);
  const { token: stampedToken, hook: stampedHook, poolManager: manager } = fields;
  const launched = { token: stampedToken, hook: stampedHook, poolManager: manager, poolId, stampHash: hash };
  const one = {
    ...ROUTER_V1_CASE,
    adapter,
    source: { ...ROUTER_V1_CASE.source, sourceVersion: adapter.sourceVersion, chainId } as const,
  };
  const changed = withEvent(
    withEvent(one, 'ServiceLaunchRouteStampedV1', { kind, routePayloadHash, componentSetHash }),
    'ServiceLaunchStampedV1',
    launched,
  );
  return withAnswers(changed, router, {
    CHAIN_ID: () => BigInt(chainId),
    stampProof: () => hash,
    launchStamp: () => [
      kind,
      stampedToken,
      stampedHook,
      manager,
      poolId,
      routeLauncher,
      routePayloadHash,
      componentSetHash,
      hash,
    ],
  });
}
