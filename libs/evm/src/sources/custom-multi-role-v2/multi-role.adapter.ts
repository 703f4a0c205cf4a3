import type { IndexSource, SourceLog, SourceRead } from '@launch/contracts/index';
import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { eventCodec, type DecodedEvent } from '../../events/event-codec.js';
import { componentProof, onchainLaunchId } from '../../launch-call/launch-hashes.js';
import { LAUNCH_ROLES, LAUNCH_SCOPES } from '../../launch-call/launch.types.js';
import { ROUTER_V2_ABI } from '../../launch-call/router-v2.abi.js';
import { candidatesByFirstTopic, ownLogs } from '../correlate.js';
import { fault, firstFault } from '../judging.js';
import { judgeStamp, type RouterCase } from '../router-stamps.js';
import type { Candidate, Fault, SourceAdapter, SourceReceipt, Verdict } from '../source-adapter.js';
import { callRead, codeHashOf, codeRead, returnedBy, unanswered, type Asked } from '../source-reads.js';
import { displayReads, tokenMetadata } from '../token-display.js';

interface PermitConsumed extends DecodedEvent {
  readonly event: 'MultiRolePermitConsumedV2';
  readonly args: { readonly permitDigest: Hex; readonly controller: Hex; readonly nonce: bigint };
}
interface RouteStamped extends DecodedEvent {
  readonly event: 'MultiRoleRouteStampedV2';
  readonly args: { readonly launchId: Hex };
}
interface ComponentStamped extends DecodedEvent {
  readonly event: 'MultiRoleComponentStampedV2';
  readonly args: {
    readonly launchId: Hex;
    readonly component: Hex;
    readonly roleMask: number;
    readonly runtimeCodeHash: Hex;
    readonly scope: number;
    readonly resultIndex: number;
  };
}
interface LaunchStamped extends DecodedEvent {
  readonly event: 'MultiRoleLaunchStampedV2';
  readonly args: {
    readonly launchId: Hex;
    readonly token: Hex;
    readonly hook: Hex;
    readonly controller: Hex;
    readonly poolId: Hex;
    readonly graphHash: Hex;
  };
}
type StampEvent = PermitConsumed | RouteStamped | ComponentStamped | LaunchStamped;

const EVENTS = eventCodec<StampEvent>(ROUTER_V2_ABI, (name) => name.startsWith('MultiRole'));
const ANCHOR = EVENTS.topicOf('MultiRoleLaunchStampedV2');
const PERMIT = EVENTS.topicOf('MultiRolePermitConsumedV2');

interface Stamp {
  readonly permit: PermitConsumed['args'];
  readonly components: readonly ComponentStamped['args'][];
  readonly launch: LaunchStamped['args'];
}

/**
 * Verifies launches that router V2 stamped (docs/reference/permits-and-stamps.md#stamp-of-router-v2): permit, route,
 * components, launch, in that order; every getter at the receipt's block; each account by its proof, its event and its
 * code. The adapter recomputes the launch id from controller and nonce.
 */
export const CUSTOM_MULTI_ROLE_V2: SourceAdapter = {
  sourceVersion: 'custom-multi-role-v2',
  abi: ROUTER_V2_ABI as Abi,
  anchorTopics: [ANCHOR],
  candidates: candidatesOf,
  reads: (source, candidate, answers) => unanswered(readsOf(source, candidate), answers),
  judge: (source, receipt, candidate, answers) => judge({ source, receipt, candidate, answers }),
};

const routerOf = (source: IndexSource): Asked => ({ name: 'router', address: source.address, abi: ROUTER_V2_ABI });

/** The event of a consumed permit names no launch: it is the router's own log immediately before the launch's first. */
function candidatesOf(source: IndexSource, receipt: SourceReceipt): readonly Candidate[] {
  const isOurs = (log: SourceLog): boolean => log.topics[0] !== PERMIT && EVENTS.decode(log) !== null;
  const own = ownLogs(source, receipt);
  const placeOf = new Map(own.map((log, place) => [log, place] as const).reverse());
  return candidatesByFirstTopic({ source, receipt, anchor: ANCHOR, isOurs }).map((candidate) => {
    const before = own[placeOf.get(candidate.logs[0]!)! - 1];
    return before?.topics[0] === PERMIT ? { ...candidate, logs: [before, ...candidate.logs] } : candidate;
  });
}

function readsOf(source: IndexSource, candidate: Candidate): readonly SourceRead[] {
  const stamp = stampOf(candidate.logs);
  if ('reason' in stamp) return [];
  const router = routerOf(source);
  const { permit, launch, components } = stamp;
  return [
    codeRead('router', source.address),
    callRead(router, 'CHAIN_ID'),
    callRead(router, 'poolManager'),
    callRead(router, 'launchIdByToken', [launch.token]),
    callRead(router, 'launchIdByPool', [launch.poolId]),
    callRead(router, 'launchStamp', [launch.launchId]),
    callRead(router, 'stampProof', [launch.launchId]),
    callRead(router, 'permitUsed', [permit.permitDigest]),
    callRead(router, 'nonceUsed', [permit.controller, permit.nonce]),
    ...components.flatMap(({ component, scope }) => [
      callRead(router, 'componentProof', [launch.launchId, component], component),
      ...(scope === LAUNCH_SCOPES.external ? [] : [callRead(router, 'launchIdByComponent', [component], component)]),
      codeRead(component, component),
    ]),
    ...displayReads(launch.token, new Map()),
  ];
}

function stampOf(logs: readonly SourceLog[]): Stamp | Fault {
  const events = logs.map((log) => EVENTS.decode(log));
  if (events.includes(null)) return fault('EVENT_UNDECODABLE', 'an event of the launch');
  const named = <E extends StampEvent>(name: E['event']): E[] =>
    events.filter((event): event is E => event?.event === name);
  const permits = named<PermitConsumed>('MultiRolePermitConsumedV2');
  const routes = named<RouteStamped>('MultiRoleRouteStampedV2');
  const components = named<ComponentStamped>('MultiRoleComponentStampedV2').map(({ args }) => args);
  const launches = named<LaunchStamped>('MultiRoleLaunchStampedV2');
  for (const [name, found] of Object.entries({ permits, routes, launches })) {
    if (found.length === 0) return fault('EVENT_MISSING', name);
    if (found.length > 1) return fault('EVENT_DUPLICATED', name);
  }
  if (components.length === 0) return fault('EVENT_MISSING', 'components');
  if (new Set(components.map(({ component }) => component)).size !== components.length)
    return fault('EVENT_DUPLICATED', 'components');
  if (events[0] !== permits[0] || events[1] !== routes[0] || events.at(-1) !== launches[0])
    return fault('EVENT_OUT_OF_ORDER', 'permit, route, components, launch is the order');
  return { permit: permits[0]!.args, components, launch: launches[0]!.args };
}

const judge = (one: RouterCase): Verdict =>
  judgeStamp(one, {
    sourceVersion: 'custom-multi-role-v2',
    stampOf,
    checks: (stamp) => [
      () => eventFault(one, stamp),
      () => sourceFault(one),
      () => getterFault(one, stamp),
      () => componentFault(one, stamp),
    ],
    members: ({ launch: { launchId, token, hook, controller, poolId } }) => ({
      launchId,
      launchKind: null,
      token,
      hook,
      creator: controller,
      poolManager: returnedBy(routerOf(one.source), 'poolManager', one.answers)![0] as Hex,
      poolId,
      stampHash: returnedBy(routerOf(one.source), 'stampProof', one.answers)![0] as Hex,
    }),
    metadata: ({ launch }) => tokenMetadata(launch.token, one.answers),
  });

function eventFault({ source }: RouterCase, { permit, components, launch }: Stamp): Fault | null {
  if (permit.controller !== launch.controller) return fault('EVENT_MISMATCH', 'controller');
  const own = components.filter(({ scope }) => scope === LAUNCH_SCOPES.component);
  const roles = { token: LAUNCH_ROLES.token, hook: LAUNCH_ROLES.hook } as const;
  for (const role of ['token', 'hook'] as const)
    if (!own.some(({ component, roleMask }) => component === launch[role] && (roleMask & roles[role]) !== 0))
      return fault('EVENT_MISMATCH', `${role}: no component has that role`);
  const identity = { chainId: BigInt(source.chainId), router: source.address };
  return onchainLaunchId(identity, permit.controller, permit.nonce) === launch.launchId
    ? null
    : fault('LAUNCH_COMMITMENT_MISMATCH', 'launchId');
}

function sourceFault(one: RouterCase): Fault | null {
  const { source, answers } = one;
  if (codeHashOf('router', answers) !== source.runtimeCodeHash) return fault('SOURCE_RUNTIME_MISMATCH', source.address);
  const answered = returnedBy(routerOf(source), 'poolManager', answers);
  if (answered === null) return fault('GETTER_REVERTED', 'poolManager');
  return (
    getterEquals(one, 'CHAIN_ID', [BigInt(source.chainId)]) ??
    getterEquals(one, 'poolManager', [source.contracts['poolManager']?.address ?? answered[0]])
  );
}

function getterFault(one: RouterCase, { permit, launch }: Stamp): Fault | null {
  const { launchId, controller, token, hook, poolId } = launch;
  return firstFault([
    () => getterEquals(one, 'launchIdByToken', [launchId]),
    () => getterEquals(one, 'launchIdByPool', [launchId]),
    () => getterEquals(one, 'launchStamp', [controller, token, hook, poolId, permit.permitDigest]),
    () => getterEquals(one, 'permitUsed', [true]),
    () => getterEquals(one, 'nonceUsed', [true]),
    () => {
      const [proof] = returnedBy(routerOf(one.source), 'stampProof', one.answers) ?? [];
      return typeof proof === 'string' && BigInt(proof) !== 0n ? null : fault('STAMP_MISMATCH', 'stampProof');
    },
  ]);
}

function componentFault(one: RouterCase, { components, launch }: Stamp): Fault | null {
  for (const { component, roleMask, runtimeCodeHash, scope, resultIndex } of components) {
    const proof = componentProof(roleMask, runtimeCodeHash, scope, resultIndex);
    const found =
      getterEquals(one, 'componentProof', [proof], component) ??
      (scope === LAUNCH_SCOPES.external
        ? null
        : getterEquals(one, 'launchIdByComponent', [launch.launchId], component));
    if (found !== null) return { ...found, reason: 'COMPONENT_PROOF_MISMATCH' };
    if (codeHashOf(component, one.answers) !== runtimeCodeHash) return fault('COMPONENT_CODE_MISMATCH', component);
  }
  return null;
}

function getterEquals(
  { source, answers }: RouterCase,
  name: string,
  wanted: readonly unknown[],
  key = '',
): Fault | null {
  const values = returnedBy(routerOf(source), name, answers, key);
  if (values === null) return fault('GETTER_REVERTED', name);
  return values.every((value, index) => value === wanted[index]) ? null : fault('GETTER_MISMATCH', name);
}
