import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { FOUNDATION_FACTORY_VERSIONS, QUARANTINE_REASONS, type QuarantineReason } from '@launch/contracts/index';
import { MULTI_ROLE_CASE, MULTI_ROLE_STAMP } from './custom-multi-role-v2/multi-role.case.fixture.js';
import { CUSTOM_ROUTER_V1 } from './custom-router-v1/router-v1.adapter.js';
import { ROUTER_V1_STAMP, routerV1Case } from './custom-router-v1/router-v1.case.fixture.js';
import { ETHEREUM_CUSTOM_V1 } from './ethereum-custom-v1/ethereum-router.adapter.js';
import {
  inReverted,
  verdictWhere,
  withAnchorTooLong,
  withAnswers,
  withEvent,
  withEventTwice,
  withoutEvents,
  withPlacesSwapped,
  withValue,
} from './fixtures/changed-case.fixture.js';
import { account, judged, reasonOf, turned, word, type SourceCase } from './fixtures/source-case.fixture.js';
import { LAUNCH_EVENTS } from './module-foundation/foundation.abi.js';
import { CUSTODY, foundationCase, HOOK, type FoundationChange } from './module-foundation/foundation.case.fixture.js';
import { encodeRecipe } from './module-native/commitments.js';
import {
  ENGINE_V1_NAMES,
  NATIVE_V1_NAMES,
  NATIVE_V2_NAMES,
  type NativeNames,
} from './module-native/module-native.abi.js';
import { MODULE_ENGINE_V1, MODULE_NATIVE_V1, MODULE_NATIVE_V2 } from './module-native/native.adapter.js';
import { nativeCase, RECIPE } from './module-native/native.case.fixture.js';
import type { SourceAdapter, Verdict } from './source-adapter.js';

/** One change, and the one reason that it causes. */
type Row = readonly [what: string, verdict: () => Verdict, reason: QuarantineReason];

const verdictOf =
  (one: SourceCase): (() => Verdict) =>
  () =>
    judged(one).verdict;
const reverting =
  (one: SourceCase, read: string): (() => Verdict) =>
  () =>
    verdictWhere(one, read, () => ({ kind: 'reverted' }));
const turning =
  (one: SourceCase, read: string): (() => Verdict) =>
  () =>
    verdictWhere(one, read, turned);

/** The changes that every adapter refuses. @param events each of which must occur once. */
const common = (one: SourceCase, events: readonly string[], anchor: string): readonly Row[] => [
  ['the receipt reverted', verdictOf(inReverted(one)), 'RECEIPT_NOT_SUCCESSFUL'],
  ['its anchor has a byte more than the ABI means', verdictOf(withAnchorTooLong(one)), 'EVENT_UNDECODABLE'],
  ...events.flatMap((event): Row[] => [
    ...(event === anchor
      ? []
      : [[`no ${event} is there`, verdictOf(withoutEvents(one, event)), 'EVENT_MISSING'] as const]),
    [`${event} is there twice`, verdictOf(withEventTwice(one, event)), 'EVENT_DUPLICATED'],
  ]),
];

function routerV1Rows(adapter: SourceAdapter): readonly Row[] {
  const one = routerV1Case(adapter);
  const { address } = one.source;
  const [route, component, launch] = [
    'ServiceLaunchRouteStampedV1',
    'ServiceComponentStampedV1',
    'ServiceLaunchStampedV1',
  ];
  const getters = ['CHAIN_ID', 'launchIdByToken', 'launchIdByPool', 'launchStamp', 'stampProof'];
  const at = ROUTER_V1_STAMP.components[0]!.account;
  /** The router returns this hash from every function. */
  const falseHash = withValue(
    withAnswers(withEvent(one, launch, { stampHash: word('0a') }), address, { stampProof: () => word('0a') }),
    address,
    'launchStamp',
    8,
    word('0a'),
  );
  return [
    ...common(one, [route, component, launch], launch),
    ['a component comes before the route', verdictOf(withPlacesSwapped(one, route, component)), 'EVENT_OUT_OF_ORDER'],
    ['its kind is unknown', verdictOf(routerV1Case(adapter, { kind: 3 })), 'LAUNCH_KIND_UNKNOWN'],
    ['its token is not a component', verdictOf(routerV1Case(adapter, { token: account('71') })), 'EVENT_MISMATCH'],
    ['its hook is not a component', verdictOf(routerV1Case(adapter, { hook: account('41') })), 'EVENT_MISMATCH'],
    [
      'its PoolManager is a foreign one',
      verdictOf(routerV1Case(adapter, { poolManager: account('78') })),
      'EVENT_MISMATCH',
    ],
    ['the router has other code', turning(one, 'router.code'), 'SOURCE_RUNTIME_MISMATCH'],
    ...getters.flatMap((getter): Row[] => [
      [`${getter} reverts`, reverting(one, `router.${getter}`), 'GETTER_REVERTED'],
      [`${getter} answers another value`, turning(one, `router.${getter}`), 'GETTER_MISMATCH'],
    ]),
    [
      'the router names another launch of a component',
      turning(one, `router.launchIdByComponent:${at}`),
      'COMPONENT_PROOF_MISMATCH',
    ],
    [
      'the router names other code of a component',
      turning(one, `router.componentRuntimeCodeHash:${at}`),
      'COMPONENT_PROOF_MISMATCH',
    ],
    ['a component has other code', turning(one, `${at}.code`), 'COMPONENT_CODE_MISMATCH'],
    ['a component is stamped as another kind', verdictOf(withEvent(one, component, { kind: 5 })), 'STAMP_MISMATCH'],
    [
      'the router names another caller',
      verdictOf(withValue(one, address, 'launchStamp', 5, account('ad'))),
      'STAMP_MISMATCH',
    ],
    ['the router agrees with itself over a false stamp hash', verdictOf(falseHash), 'STAMP_MISMATCH'],
  ];
}

function routerV2Rows(): readonly Row[] {
  const one = MULTI_ROLE_CASE;
  const { address } = one.source;
  const [permit, route, component, launch] = [
    'MultiRolePermitConsumedV2',
    'MultiRoleRouteStampedV2',
    'MultiRoleComponentStampedV2',
    'MultiRoleLaunchStampedV2',
  ];
  const getters = [
    'CHAIN_ID',
    'poolManager',
    'launchIdByToken',
    'launchIdByPool',
    'launchStamp',
    'permitUsed',
    'nonceUsed',
  ];
  const at = MULTI_ROLE_STAMP.accounts[0]!.account;
  /** Event and getter agree on another account. */
  const lying = (name: string, place: number): SourceCase =>
    withValue(withEvent(one, launch, { [name]: account('e1') }), address, 'launchStamp', place, account('e1'));
  return [
    ...common(one, [route, component, launch], launch),
    ['no permit is consumed', verdictOf(withoutEvents(one, permit)), 'EVENT_MISSING'],
    ['a component comes before the route', verdictOf(withPlacesSwapped(one, route, component)), 'EVENT_OUT_OF_ORDER'],
    ['its controller is not the permit’s', verdictOf(lying('controller', 0)), 'EVENT_MISMATCH'],
    ['its token has no component', verdictOf(lying('token', 1)), 'EVENT_MISMATCH'],
    ['its hook has no component', verdictOf(lying('hook', 2)), 'EVENT_MISMATCH'],
    ['its permit has another nonce', verdictOf(withEvent(one, permit, { nonce: 6n })), 'LAUNCH_COMMITMENT_MISMATCH'],
    ['the router has other code', turning(one, 'router.code'), 'SOURCE_RUNTIME_MISMATCH'],
    ...getters.flatMap((getter): Row[] => [
      [`${getter} reverts`, reverting(one, `router.${getter}`), 'GETTER_REVERTED'],
      [`${getter} answers another value`, turning(one, `router.${getter}`), 'GETTER_MISMATCH'],
    ]),
    [
      'the router has no proof of its stamp',
      verdictOf(withAnswers(one, address, { stampProof: () => word('00') })),
      'STAMP_MISMATCH',
    ],
    [
      'the router has another proof of an account',
      turning(one, `router.componentProof:${at}`),
      'COMPONENT_PROOF_MISMATCH',
    ],
    [
      'the router names another launch of an account',
      turning(one, `router.launchIdByComponent:${at}`),
      'COMPONENT_PROOF_MISMATCH',
    ],
    [
      'an account is stamped with another role',
      verdictOf(withEvent(one, component, { roleMask: MULTI_ROLE_STAMP.accounts[0]!.roleMask | 64 })),
      'COMPONENT_PROOF_MISMATCH',
    ],
    ['an account has other code', turning(one, `${at}.code`), 'COMPONENT_CODE_MISMATCH'],
  ];
}

function nativeRows(adapter: SourceAdapter, names: NativeNames): readonly Row[] {
  const one = nativeCase(adapter);
  const { address } = one.source;
  const instance = account('11');
  const event = (part: keyof NativeNames, change: Parameters<typeof withEvent>[2]) =>
    withEvent(one, names[part], change);
  const saying = (part: keyof NativeNames, change: Parameters<typeof withEvent>[2]) => verdictOf(event(part, change));
  /** Event and getter agree on another value. */
  const lying = (part: keyof NativeNames, name: string, value: `0x${string}`, getter: string, place: number) =>
    verdictOf(withValue(event(part, { [name]: value }), address, getter, place, value));
  const getters = ['launchIdentityVersion', 'getLaunch', 'getLaunchIdentity'];
  return [
    ...common(one, Object.values(names), names.launched),
    ...(['programBound', 'configurationBound', 'tokenIdentityBound'] as const).map((part): Row => [
      `${names[part]} names another token`,
      saying(part, { token: account('71') }),
      'EVENT_MISMATCH',
    ]),
    [
      'its PoolManager is a foreign one',
      lying('launched', 'poolManager', account('78'), 'getLaunch', 3),
      'EVENT_MISMATCH',
    ],
    ['its token has other decimals', saying('tokenIdentityBound', { decimals: 6 }), 'EVENT_MISMATCH'],
    ['its recipe does not decode', saying('configurationBound', { recipe: '0x00' }), 'RECIPE_MISMATCH'],
    [
      'it names another recipe than its log carries',
      saying('configurationBound', { recipe: encodeRecipe({ ...RECIPE, salt: word('5b') }) }),
      'RECIPE_MISMATCH',
    ],
    ['the launcher has other code', turning(one, 'launcher.code'), 'SOURCE_RUNTIME_MISMATCH'],
    [
      'the launcher has another identity version',
      turning(one, 'launcher.launchIdentityVersion'),
      'IDENTITY_VERSION_UNSUPPORTED',
    ],
    ...getters.map((getter): Row => [`${getter} reverts`, reverting(one, `launcher.${getter}`), 'GETTER_REVERTED']),
    ['getLaunch answers another value', turning(one, 'launcher.getLaunch'), 'GETTER_MISMATCH'],
    ['getLaunchIdentity answers another value', turning(one, 'launcher.getLaunchIdentity'), 'GETTER_MISMATCH'],
    [
      'its wallet does not give its key',
      lying('launched', 'launchWallet', account('e1'), 'getLaunch', 1),
      'LAUNCH_COMMITMENT_MISMATCH',
    ],
    ['a module is left out of its program', saying('programBound', { packageIds: [word('a1')] }), 'PROGRAM_MISMATCH'],
    [
      'its program names other packages',
      saying('programBound', { packageIds: [word('a2'), word('a1')] }),
      'PROGRAM_MISMATCH',
    ],
    [
      'its program names other families',
      saying('programBound', { familyIds: [word('f2'), word('f1')] }),
      'PROGRAM_MISMATCH',
    ],
    [
      'its program names other instances',
      saying('programBound', { instances: [account('12'), instance] }),
      'PROGRAM_MISMATCH',
    ],
    [
      'its program hash is false',
      lying('programBound', 'programHash', word('04'), 'getLaunchIdentity', 2),
      'PROGRAM_MISMATCH',
    ],
    [
      'its configuration hash is false',
      lying('configurationBound', 'configurationHash', word('04'), 'getLaunchIdentity', 3),
      'PROGRAM_MISMATCH',
    ],
    ['an instance has other code', turning(one, `${instance}.code`), 'INSTANCE_COMMITMENT_MISMATCH'],
    [
      'an instance has no code',
      () => verdictWhere(one, `${instance}.code`, () => ({ kind: 'code', hash: null })),
      'INSTANCE_COMMITMENT_MISMATCH',
    ],
    ['its token has other code', turning(one, 'token.code'), 'TOKEN_CODE_MISMATCH'],
    [
      'its metadata hash is false',
      lying('configurationBound', 'metadataHash', word('04'), 'getLaunchIdentity', 4),
      'METADATA_COMMITMENT_MISMATCH',
    ],
  ];
}

function foundationRows(version: (typeof FOUNDATION_FACTORY_VERSIONS)[number]): readonly Row[] {
  const one = foundationCase(version);
  const changed = (change: FoundationChange) => verdictOf(foundationCase(version, change));
  const saying = (change: Readonly<Record<string, string>>) =>
    changed({ values: (honest) => ({ ...honest, ...change }) });
  const feeGetter = version === 'V3' ? 'creatorBuyFeeBps' : 'creatorFeeBps';
  const poolId = word('9a');
  /** Event, factory, hook and custody agree on an id that no key has. */
  const falsePool = withValue(
    foundationCase(version, {
      values: (honest) => ({ ...honest, poolId, result: { ...(honest['result'] as object), poolId } }),
      hook: { poolId: () => poolId },
    }),
    CUSTODY,
    'positionOf',
    0,
    poolId,
  );
  return [
    ...common(one, [LAUNCH_EVENTS[version]], LAUNCH_EVENTS[version]),
    [
      'its event names two tokens',
      changed({ values: (honest) => ({ ...honest, token: account('71') }) }),
      'EVENT_MISMATCH',
    ],
    ['the factory has other code', turning(one, 'factory.code'), 'SOURCE_RUNTIME_MISMATCH'],
    ['the custody has other code', turning(one, 'custody.code'), 'SOURCE_RUNTIME_MISMATCH'],
    ...['factory.launchOf', 'factory.poolManager', 'factory.custody', `hook.${feeGetter}`].map((read): Row => [
      `${read} reverts`,
      reverting(one, read),
      'GETTER_REVERTED',
    ]),
    ...['factory.launchOf', 'factory.poolManager', 'factory.custody'].map((read): Row => [
      `${read} answers another value`,
      turning(one, read),
      'GETTER_MISMATCH',
    ]),
    ...['token', 'quote', 'creator', 'ledger'].map((name): Row => [
      `the hook names another ${name}`,
      turning(one, `hook.${name}`),
      'HOOK_MISMATCH',
    ]),
    ['the hook’s pool has another key', turning(one, 'hook.poolKey'), 'POOL_KEY_MISMATCH'],
    ['the hook names another pool', turning(one, 'hook.poolId'), 'POOL_KEY_MISMATCH'],
    ['all agree on a pool id that is not the hash of the key', verdictOf(falsePool), 'POOL_KEY_MISMATCH'],
    ['the hook names no module', reverting(one, 'hook.moduleCount'), 'COMPOSITION_MISMATCH'],
    ['the hook has another composition', turning(one, 'hook.compositionHash'), 'COMPOSITION_MISMATCH'],
    ['the hook has other modules', turning(one, 'hook.moduleAt:0'), 'COMPOSITION_MISMATCH'],
    ['the platform takes another fee', turning(one, 'hook.platformFeeBps'), 'FEE_OUT_OF_BOUNDS'],
    ['the creator takes too much', changed({ hook: { [feeGetter]: () => 1_100 } }), 'FEE_OUT_OF_BOUNDS'],
    ['another account holds the position', turning(one, 'custody.ownerOf'), 'CUSTODY_MISMATCH'],
    ['the custody has another position', verdictOf(withValue(one, CUSTODY, 'positionOf', 4, HOOK)), 'CUSTODY_MISMATCH'],
    ['its metadata hash is false', saying({ metadataHash: word('01') }), 'METADATA_COMMITMENT_MISMATCH'],
  ];
}

/**
 * Returns every reason in the code of an adapter's folder, including the code that routers share if it is used there.
 */
function reasonsIn(folder: string): ReadonlySet<string> {
  const place = new URL(`./${folder}/`, import.meta.url);
  const sources = readdirSync(place).filter((name) => /(?<!\.spec|\.fixture)\.ts$/.test(name));
  const own = sources.map((name) => readFileSync(new URL(name, place), 'utf8')).join('\n');
  const isRouter = own.includes("from '../router-stamps.js'");
  const text = isRouter ? own + readFileSync(new URL('../router-stamps.ts', place), 'utf8') : own;
  return new Set(QUARANTINE_REASONS.filter((reason) => text.includes(`'${reason}'`)));
}

describe.each<readonly [string, string, readonly Row[]]>([
  ['router V1', 'custom-router-v1', routerV1Rows(CUSTOM_ROUTER_V1)],
  ['router V1 of Ethereum', 'custom-router-v1', routerV1Rows(ETHEREUM_CUSTOM_V1)],
  ['router V2', 'custom-multi-role-v2', routerV2Rows()],
  ['native launcher V1', 'module-native', nativeRows(MODULE_NATIVE_V1, NATIVE_V1_NAMES)],
  ['native launcher V2', 'module-native', nativeRows(MODULE_NATIVE_V2, NATIVE_V2_NAMES)],
  ['engine V1', 'module-native', nativeRows(MODULE_ENGINE_V1, ENGINE_V1_NAMES)],
  ...FOUNDATION_FACTORY_VERSIONS.map(
    (version) => [`Foundation ${version}`, 'module-foundation', foundationRows(version)] as const,
  ),
])('a launch of %s', (_name, folder, rows) => {
  it.each(rows)('fails by exactly one reason if %s', (_what, verdict, reason) => {
    const given = verdict();
    expect([reasonOf(given), given.kind === 'fail' ? given.detail : null]).toEqual([reason, expect.any(String)]);
  });

  it('covers every reason that its adapter can give', () => {
    expect(new Set(rows.map(([, , reason]) => reason))).toEqual(reasonsIn(folder));
  });
});
