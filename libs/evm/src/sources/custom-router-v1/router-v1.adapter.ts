import type { IndexSource, SourceLog, SourceRead, SourceVersion } from '@launch/contracts/index';
import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { eventCodec, type DecodedEvent } from '../../events/event-codec.js';
import { ROUTER_V1_ABI } from '../../router-v1/router-v1.abi.js';
import { componentSetHash, stampHash } from '../../router-v1/router-v1.hashes.js';
import { LAUNCH_KINDS, type StampedComponent } from '../../router-v1/router-v1.types.js';
import { candidatesByFirstTopic } from '../correlate.js';
import { fault, firstFault } from '../judging.js';
import { displayedFoundation, metadataFault, tokenReads } from '../module-foundation/foundation-token.js';
import { judgeStamp, type RouterCase } from '../router-stamps.js';
import type { Answers, Candidate, Fault, SourceAdapter, Verdict } from '../source-adapter.js';
import { callRead, codeHashOf, codeRead, returnedBy, unanswered, type Asked } from '../source-reads.js';
import { displayReads, tokenMetadata } from '../token-display.js';

interface RouteStamped extends DecodedEvent {
  readonly event: 'ServiceLaunchRouteStampedV1';
  readonly args: {
    readonly launchId: Hex;
    readonly kind: number;
    readonly routePayloadHash: Hex;
    readonly componentSetHash: Hex;
    readonly permitDigest: Hex;
  };
}
interface ComponentStamped extends DecodedEvent {
  readonly event: 'ServiceComponentStampedV1';
  readonly args: {
    readonly launchId: Hex;
    readonly component: Hex;
    readonly kind: number;
    readonly runtimeCodeHash: Hex;
  };
}
interface LaunchStamped extends DecodedEvent {
  readonly event: 'ServiceLaunchStampedV1';
  readonly args: {
    readonly launchId: Hex;
    readonly token: Hex;
    readonly hook: Hex;
    readonly poolManager: Hex;
    readonly poolId: Hex;
    readonly stampHash: Hex;
  };
}
type StampEvent = RouteStamped | ComponentStamped | LaunchStamped;

const EVENTS = eventCodec<StampEvent>(ROUTER_V1_ABI, (name) => /^Service\w+StampedV1$/.test(name));
const ANCHOR = EVENTS.topicOf('ServiceLaunchStampedV1');

/** The three events of one launch, decoded, in the order in which the router emits them. */
interface Stamp {
  readonly route: RouteStamped['args'];
  readonly components: readonly ComponentStamped['args'][];
  readonly launch: LaunchStamped['args'];
}

/**
 * Verifies launches that router V1 stamped (docs/reference/index-sources.md#router-launches): the route before the
 * components, these before the launch; seven getters at the receipt's block; each component by its proof, its event and
 * its code; both commitments recomputed. The adapter never reads factory logs.
 * @param kinds launch kinds that this source may stamp.
 */
export function routerV1Adapter(
  sourceVersion: Extract<SourceVersion, 'custom-router-v1' | 'ethereum-custom-v1'>,
  kinds: readonly number[],
): SourceAdapter {
  return {
    sourceVersion,
    abi: ROUTER_V1_ABI as Abi,
    anchorTopics: [ANCHOR],
    candidates: (source, receipt) =>
      candidatesByFirstTopic({ source, receipt, anchor: ANCHOR, isOurs: (log) => EVENTS.decode(log) !== null }),
    reads: (source, candidate, answers) => unanswered(readsOf(source, candidate), answers),
    judge: (source, receipt, candidate, answers) =>
      judge({ sourceVersion, kinds, source, receipt, candidate, answers }),
  };
}

export const CUSTOM_ROUTER_V1 = routerV1Adapter('custom-router-v1', [LAUNCH_KINDS.customGraph]);

const routerOf = (source: IndexSource): Asked => ({ name: 'router', address: source.address, abi: ROUTER_V1_ABI });

function readsOf(source: IndexSource, candidate: Candidate): readonly SourceRead[] {
  const stamp = stampOf(candidate.logs);
  if ('reason' in stamp) return [];
  const router = routerOf(source);
  const { launchId, token, poolId } = stamp.launch;
  return [
    codeRead('router', source.address),
    callRead(router, 'CHAIN_ID'),
    callRead(router, 'launchIdByToken', [token]),
    callRead(router, 'launchIdByPool', [poolId]),
    callRead(router, 'launchStamp', [launchId]),
    callRead(router, 'stampProof', [launchId]),
    ...stamp.components.flatMap(({ component }) => [
      callRead(router, 'launchIdByComponent', [component], component),
      callRead(router, 'componentRuntimeCodeHash', [component], component),
      codeRead(component, component),
    ]),
    ...(isFoundation(stamp.route) ? tokenReads(token) : displayReads(token, new Map())),
  ];
}

/** Returns whether a Foundation factory made the graph: its token has a getter for each value instead of `metadata()`. */
const isFoundation = ({ kind }: RouteStamped['args']): boolean => kind === LAUNCH_KINDS.foundationGraph;

/** Returns the launch's events in order, or their fault. */
function stampOf(logs: readonly SourceLog[]): Stamp | Fault {
  const events = logs.map((log) => EVENTS.decode(log));
  const routes = events.filter((event): event is RouteStamped => event?.event === 'ServiceLaunchRouteStampedV1');
  const launches = events.filter((event): event is LaunchStamped => event?.event === 'ServiceLaunchStampedV1');
  const components = events.filter((event): event is ComponentStamped => event?.event === 'ServiceComponentStampedV1');
  const [route] = routes;
  const [launch] = launches;
  if (events.includes(null) || launch === undefined) return fault('EVENT_UNDECODABLE', 'an event of the launch');
  if (route === undefined) return fault('EVENT_MISSING', 'ServiceLaunchRouteStampedV1');
  if (components.length === 0) return fault('EVENT_MISSING', 'ServiceComponentStampedV1');
  if (routes.length > 1 || launches.length > 1) return fault('EVENT_DUPLICATED', 'route or launch');
  if (new Set(components.map(({ args }) => args.component)).size !== components.length)
    return fault('EVENT_DUPLICATED', 'ServiceComponentStampedV1');
  if (events[0] !== route || events.at(-1) !== launch)
    return fault('EVENT_OUT_OF_ORDER', 'route, components, launch is the order');
  return { route: route.args, components: components.map(({ args }) => args), launch: launch.args };
}

/** A launch of this source, and the launch kinds that it may stamp. */
interface Case extends RouterCase {
  readonly sourceVersion: SourceVersion;
  readonly kinds: readonly number[];
}

const judge = (one: Case): Verdict =>
  judgeStamp(one, {
    sourceVersion: one.sourceVersion,
    stampOf,
    checks: (stamp) => [
      () => eventFault(one, stamp),
      () => sourceFault(one),
      () => getterFault(one, stamp),
      () => componentFault(one, stamp),
      () => commitmentFault(one, stamp),
      () => (isFoundation(stamp.route) ? metadataFault(stamp.launch.token, null, one.answers) : null),
    ],
    members: ({ route, launch }) => ({
      launchId: launch.launchId,
      launchKind: route.kind,
      token: launch.token,
      hook: launch.hook,
      creator: routeLauncherOf(one)!,
      poolManager: launch.poolManager,
      poolId: launch.poolId,
      stampHash: launch.stampHash,
    }),
    metadata: ({ route, launch }) =>
      isFoundation(route) ? displayedFoundation(launch.token, one.answers) : tokenMetadata(launch.token, one.answers),
  });

function eventFault({ kinds, source }: Case, { route, components, launch }: Stamp): Fault | null {
  if (!kinds.includes(route.kind)) return fault('LAUNCH_KIND_UNKNOWN', String(route.kind));
  const stamped = components.map(({ component }) => component);
  for (const role of ['token', 'hook'] as const)
    if (!stamped.includes(launch[role])) return fault('EVENT_MISMATCH', `${role}: not among the components`);
  const { poolManager } = source.contracts;
  return poolManager !== undefined && poolManager.address !== launch.poolManager
    ? fault('EVENT_MISMATCH', 'poolManager: not the bound one')
    : null;
}

function sourceFault({ source, answers }: Case): Fault | null {
  if (codeHashOf('router', answers) !== source.runtimeCodeHash) return fault('SOURCE_RUNTIME_MISMATCH', source.address);
  return getterEquals('CHAIN_ID', [BigInt(source.chainId)], { source, answers });
}

function getterFault({ source, answers }: Case, { route, launch }: Stamp): Fault | null {
  const stored = returnedBy(routerOf(source), 'launchStamp', answers);
  if (stored === null) return fault('GETTER_REVERTED', 'launchStamp');
  const wanted = [route.kind, launch.token, launch.hook, launch.poolManager, launch.poolId];
  return firstFault([
    () => getterEquals('launchIdByToken', [launch.launchId], { source, answers }),
    () => getterEquals('launchIdByPool', [launch.launchId], { source, answers }),
    () => getterEquals('stampProof', [launch.stampHash], { source, answers }),
    () =>
      getterEquals(
        'launchStamp',
        [...wanted, stored[5], route.routePayloadHash, route.componentSetHash, launch.stampHash],
        { source, answers },
      ),
  ]);
}

function componentFault({ source, answers }: Case, { components, launch }: Stamp): Fault | null {
  for (const { component, runtimeCodeHash } of components) {
    const at = { source, answers, key: component };
    const found =
      getterEquals('launchIdByComponent', [launch.launchId], at) ??
      getterEquals('componentRuntimeCodeHash', [runtimeCodeHash], at);
    if (found !== null) return { ...found, reason: 'COMPONENT_PROOF_MISMATCH' };
    if (codeHashOf(component, answers) !== runtimeCodeHash) return fault('COMPONENT_CODE_MISMATCH', component);
  }
  return null;
}

/** Recomputes both commitments from events and getters alone, as an independent verifier does. */
function commitmentFault(one: Case, { route, components, launch }: Stamp): Fault | null {
  const { source } = one;
  const stamped = components.map(({ component, kind, runtimeCodeHash }): StampedComponent => ({
    account: component,
    kind,
    runtimeCodeHash,
  }));
  if (componentSetHash(stamped) !== route.componentSetHash) return fault('STAMP_MISMATCH', 'componentSetHash');
  const { token, hook, poolManager, poolId } = launch;
  const { kind, routePayloadHash } = route;
  const recomputed = stampHash(
    launch.launchId,
    { chainId: BigInt(source.chainId), router: source.address },
    {
      kind,
      token,
      hook,
      poolManager,
      poolId,
      routeLauncher: routeLauncherOf(one)!,
      routePayloadHash,
      componentSetHash: route.componentSetHash,
    },
  );
  return recomputed === launch.stampHash ? null : fault('STAMP_MISMATCH', 'stampHash');
}

/** Returns the wallet or account whose call was routed. Only the getter has it, and the stamp's hash covers it. */
const routeLauncherOf = ({ source, answers }: Case): Hex | undefined =>
  returnedBy(routerOf(source), 'launchStamp', answers)?.[5] as Hex | undefined;

function getterEquals(
  name: string,
  wanted: readonly unknown[],
  { source, answers, key = '' }: { readonly source: IndexSource; readonly answers: Answers; readonly key?: string },
): Fault | null {
  const values = returnedBy(routerOf(source), name, answers, key);
  if (values === null) return fault('GETTER_REVERTED', name);
  return values.every((value, index) => value === wanted[index]) ? null : fault('GETTER_MISMATCH', name);
}
