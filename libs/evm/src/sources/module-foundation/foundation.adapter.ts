import {
  FOUNDATION_PLATFORM_FEE_BPS,
  MAX_LAUNCH_MODULES,
  type FoundationFactoryVersion,
  type IndexSource,
  type SourceLog,
  type SourceRead,
} from '@launch/contracts/index';
import type { Hex } from '../../encoding/hex.js';
import type { AbiValue } from '../../events/abi-values.js';
import { eventCodec, type DecodedEvent } from '../../events/event-codec.js';
import { poolId } from '../../launch-call/launch-hashes.js';
import { ownLogs } from '../correlate.js';
import { fail, fault, firstFault, recordPlace } from '../judging.js';
import type { Answers, Candidate, Fault, SourceAdapter, SourceReceipt, Verdict } from '../source-adapter.js';
import { callRead, codeHashOf, codeRead, returnedBy, unanswered, type Asked } from '../source-reads.js';
import { tokenIdentity } from '../token-display.js';
import { compositionHash, type ModuleRef } from './foundation-commitments.js';
import { displayedFoundation, metadataFault, tokenReads } from './foundation-token.js';
import { FOUNDATION_ABI, LAUNCH_EVENTS } from './foundation.abi.js';

interface LaunchResult {
  readonly token: Hex;
  readonly hook: Hex;
  readonly ledger: Hex;
  readonly poolId: Hex;
  readonly custodyId: bigint;
  readonly liquidity: bigint;
  readonly sqrtPriceX96: bigint;
  readonly initialBuyQuoteAmount: bigint;
  readonly initialBuyTokenAmount: bigint;
}
interface Launched {
  readonly token: Hex;
  readonly creator: Hex;
  readonly poolId: Hex;
  readonly hook: Hex;
  readonly ledger: Hex;
  readonly quote: Hex;
  readonly metadataHash: Hex;
  readonly compositionHash: Hex;
  readonly custodyId: bigint;
  readonly initialBuyQuoteAmount: bigint;
  readonly result: LaunchResult;
}

const BURN_ADDRESS: Hex = '0x000000000000000000000000000000000000dead';
const POOL_FEE = 0;
const TICK_SPACING = 60;
const MAX_CREATOR_FEE_BPS = 1_000;
const CREATOR_FEE_STEP_BPS = 100;
/** The names of the creator's fee getters in each release's hook. */
const FEE_GETTERS: Readonly<Record<FoundationFactoryVersion, readonly string[]>> = {
  V1: ['creatorFeeBps'],
  V2: ['creatorFeeBps'],
  V3: ['creatorBuyFeeBps', 'creatorSellFeeBps'],
};
const HOOK_READS = [
  'token',
  'quote',
  'creator',
  'ledger',
  'poolKey',
  'poolId',
  'compositionHash',
  'moduleCount',
  'platformFeeBps',
] as const;

const NAMES: readonly string[] = Object.values(LAUNCH_EVENTS);
const events = eventCodec<DecodedEvent>(FOUNDATION_ABI, (name) => NAMES.includes(name));
const ANCHORS: readonly Hex[] = NAMES.map((name) => events.topicOf(name));

/**
 * Verifies launches of a Foundation factory (docs/reference/index-sources.md#foundation-launches): `launchOf` and the
 * hook's reads agree with the event, composition, pool and metadata commitments are recomputed, the fees are those of
 * the release, and the burn address owns the position's NFT. A source is one release of the factory; another release's
 * event from its address is not a launch of it.
 */
export const MODULE_FOUNDATION_V1: SourceAdapter = {
  sourceVersion: 'module-foundation-v1',
  abi: FOUNDATION_ABI,
  anchorTopics: ANCHORS,
  candidates,
  reads: (source, candidate, answers) => unanswered(readsOf(source, candidate, answers), answers),
  judge: (source, receipt, candidate, answers) => judge({ source, receipt, candidate, answers }),
};

interface Case {
  readonly source: IndexSource;
  readonly receipt: SourceReceipt;
  readonly candidate: Candidate;
  readonly answers: Answers;
}

/**
 * One event is a launch. Two events of one token are two candidates over both, so that neither is lost and both fail.
 */
function candidates(source: IndexSource, receipt: SourceReceipt): readonly Candidate[] {
  const anchors = ownLogs(source, receipt).filter(
    ({ topics }) => topics[0] !== undefined && ANCHORS.includes(topics[0]),
  );
  const tokenOf = (log: SourceLog): Hex | null => (events.decode(log)?.args['token'] as Hex | undefined) ?? null;
  const tokens = new Map(anchors.map((anchor) => [anchor, tokenOf(anchor)]));
  const byToken = Map.groupBy(anchors, (anchor) => tokens.get(anchor)!);
  return anchors.map((anchor) => {
    const key = tokens.get(anchor)!;
    return key === null ? { anchor, key: '', logs: [anchor] } : { anchor, key, logs: byToken.get(key)! };
  });
}

/** Returns the launch of a candidate's only event, or its fault. */
function launchOf(source: IndexSource, { anchor, logs }: Candidate): Launched | Fault {
  const decoded = events.decode(anchor);
  if (decoded === null) return fault('EVENT_UNDECODABLE', 'the launch event');
  if (source.factoryVersion === null) return fault('EVENT_MISMATCH', 'the source names no factory version');
  if (decoded.event !== LAUNCH_EVENTS[source.factoryVersion])
    return fault('EVENT_MISMATCH', `${decoded.event}: of another factory version`);
  return logs.length === 1 ? (decoded.args as unknown as Launched) : fault('EVENT_DUPLICATED', decoded.event);
}

const factoryOf = (source: IndexSource): Asked => ({ name: 'factory', address: source.address, abi: FOUNDATION_ABI });
const hookAt = (address: Hex): Asked => ({ name: 'hook', address, abi: FOUNDATION_ABI });
const custodyAt = (address: Hex): Asked => ({ name: 'custody', address, abi: FOUNDATION_ABI });

function readsOf(source: IndexSource, candidate: Candidate, answers: Answers): readonly SourceRead[] {
  const launch = launchOf(source, candidate);
  const { custody } = source.contracts;
  if ('reason' in launch || custody === undefined) return [];
  const factory = factoryOf(source);
  const hook = hookAt(launch.hook);
  const count = moduleCount(launch, answers);
  return [
    codeRead('factory', source.address),
    codeRead('custody', custody.address),
    callRead(factory, 'launchOf', [launch.token]),
    callRead(factory, 'poolManager'),
    callRead(factory, 'custody'),
    ...[...HOOK_READS, ...FEE_GETTERS[source.factoryVersion!]].map((name) => callRead(hook, name)),
    callRead(custodyAt(custody.address), 'ownerOf', [launch.custodyId]),
    callRead(custodyAt(custody.address), 'positionOf', [launch.custodyId]),
    ...tokenReads(launch.token),
    // The count is known after the first answers. A count above the factory's limit fails without reading the modules.
    ...Array.from({ length: count === null || count > MAX_LAUNCH_MODULES ? 0 : Number(count) }, (_, index) =>
      callRead(hook, 'moduleAt', [BigInt(index)], String(index)),
    ),
  ];
}

const moduleCount = ({ hook }: Launched, answers: Answers): bigint | null =>
  (returnedBy(hookAt(hook), 'moduleCount', answers)?.[0] as bigint | undefined) ?? null;

function judge(one: Case): Verdict {
  const { source, receipt, candidate, answers } = one;
  if (receipt.status !== 'success') return fail(fault('RECEIPT_NOT_SUCCESSFUL', receipt.transactionHash));
  const launch = launchOf(source, candidate);
  if ('reason' in launch) return fail(launch);
  const modules = modulesOf(launch, answers);
  const found = firstFault([
    () => twinFault(launch),
    () => sourceFault(one),
    () => factoryFault(one, launch),
    () => hookFault(one, launch),
    () => poolFault(one, launch),
    () => compositionFault(launch, modules, answers),
    () => feeFault(one, launch),
    () => custodyFault(one, launch),
    () => metadataFault(launch.token, launch.metadataHash, answers),
  ]);
  if (found !== null) return fail(found);
  return {
    kind: 'pass',
    launch: {
      record: {
        ...recordPlace('module-foundation-v1', source, receipt, candidate),
        launchId: null,
        launchKind: null,
        tokenAddress: launch.token,
        creator: launch.creator,
        poolManager: returnedBy(factoryOf(source), 'poolManager', answers)![0] as Hex,
        poolId: launch.poolId,
        hookAddress: launch.hook,
        recipeHash: null,
        runtime: null,
        launchKey: null,
        modulePackageIds: modules!.map(({ packageId }) => packageId),
        moduleFamilyIds: modules!.map(({ familyId }) => familyId),
        ...tokenIdentity(launch.token, answers),
        routerAddress: null,
        stampHash: null,
      },
      metadata: displayedFoundation(launch.token, answers),
    },
  };
}

/** Checks the values that the event contains twice. */
function twinFault(launch: Launched): Fault | null {
  for (const name of ['token', 'hook', 'ledger', 'poolId', 'custodyId', 'initialBuyQuoteAmount'] as const)
    if (launch.result[name] !== launch[name]) return fault('EVENT_MISMATCH', `result.${name}: another than ${name}`);
  return null;
}

function sourceFault({ source, answers }: Case): Fault | null {
  const { poolManager, custody } = source.contracts;
  if (custody === undefined) return fault('CUSTODY_MISMATCH', 'the source names no custody');
  if (codeHashOf('factory', answers) !== source.runtimeCodeHash)
    return fault('SOURCE_RUNTIME_MISMATCH', source.address);
  if (codeHashOf('custody', answers) !== custody.runtimeCodeHash)
    return fault('SOURCE_RUNTIME_MISMATCH', custody.address);
  const factory = factoryOf(source);
  return (
    getterFault(factory, 'custody', custody.address, answers) ??
    getterFault(factory, 'poolManager', poolManager?.address ?? null, answers)
  );
}

function factoryFault({ source, answers }: Case, launch: Launched): Fault | null {
  const values = returnedBy(factoryOf(source), 'launchOf', answers);
  if (values === null) return fault('GETTER_REVERTED', 'launchOf');
  const kept = values[0] as unknown as Launched;
  for (const name of Object.keys(launch) as (keyof Launched)[])
    if (!isSame(kept[name] as AbiValue, launch[name] as AbiValue)) return fault('GETTER_MISMATCH', `launchOf: ${name}`);
  return null;
}

/** Compares values; tuples by their members. */
const isSame = (one: AbiValue | undefined, other: AbiValue): boolean =>
  typeof other === 'object' && typeof one === 'object'
    ? Object.entries(other).every(([name, value]) => isSame((one as Record<string, AbiValue>)[name], value as AbiValue))
    : one === other;

function hookFault({ answers }: Case, launch: Launched): Fault | null {
  for (const name of ['token', 'quote', 'creator', 'ledger'] as const) {
    const found = getterFault(hookAt(launch.hook), name, launch[name], answers);
    if (found !== null) return { ...found, reason: 'HOOK_MISMATCH' };
  }
  return null;
}

/**
 * Checks that the key is the only one that a Foundation pool can have: currencies in order, fee 0, spacing 60 and this
 * hook.
 */
function poolFault({ answers }: Case, { hook, token, quote, poolId: id }: Launched): Fault | null {
  const [currency0, currency1] = [quote, token].sort() as [Hex, Hex];
  const wanted = { currency0, currency1, fee: POOL_FEE, tickSpacing: TICK_SPACING, hooks: hook };
  const values = returnedBy(hookAt(hook), 'poolKey', answers);
  if (values === null || !isSame(values[0], wanted)) return fault('POOL_KEY_MISMATCH', 'poolKey');
  const said = getterFault(hookAt(hook), 'poolId', id, answers);
  if (said !== null) return { ...said, reason: 'POOL_KEY_MISMATCH' };
  return poolId(wanted) === id ? null : fault('POOL_KEY_MISMATCH', 'poolId: not the hash of the key');
}

/** Returns the modules in recorded order, or null if the hook does not name them all. */
function modulesOf(launch: Launched, answers: Answers): readonly ModuleRef[] | null {
  const count = moduleCount(launch, answers);
  if (count === null || count > MAX_LAUNCH_MODULES) return null;
  const modules: ModuleRef[] = [];
  for (let index = 0; index < Number(count); index += 1) {
    const values = returnedBy(hookAt(launch.hook), 'moduleAt', answers, String(index));
    if (values === null) return null;
    const [module, packageId, familyId, configurationHash] = values as readonly Hex[];
    modules.push({
      module: module!,
      packageId: packageId!,
      familyId: familyId!,
      configurationHash: configurationHash!,
    });
  }
  return modules;
}

function compositionFault(launch: Launched, modules: readonly ModuleRef[] | null, answers: Answers): Fault | null {
  if (modules === null) return fault('COMPOSITION_MISMATCH', 'the hook does not name its modules');
  const said = getterFault(hookAt(launch.hook), 'compositionHash', launch.compositionHash, answers);
  if (said !== null) return { ...said, reason: 'COMPOSITION_MISMATCH' };
  return compositionHash(modules) === launch.compositionHash
    ? null
    : fault('COMPOSITION_MISMATCH', 'compositionHash: not that of the modules');
}

function feeFault({ source, answers }: Case, { hook }: Launched): Fault | null {
  const version = source.factoryVersion!;
  const platform = getterFault(hookAt(hook), 'platformFeeBps', FOUNDATION_PLATFORM_FEE_BPS[version], answers);
  if (platform !== null) return { ...platform, reason: 'FEE_OUT_OF_BOUNDS' };
  for (const name of FEE_GETTERS[version]) {
    const [feeBps] = returnedBy(hookAt(hook), name, answers) ?? [];
    if (typeof feeBps !== 'number') return fault('GETTER_REVERTED', name);
    if (feeBps > MAX_CREATOR_FEE_BPS || feeBps % CREATOR_FEE_STEP_BPS !== 0)
      return fault('FEE_OUT_OF_BOUNDS', `${name}: ${feeBps}`);
  }
  return null;
}

/** Checks that the factory put the whole position where it can never be withdrawn. */
function custodyFault({ source, answers }: Case, launch: Launched): Fault | null {
  const custody = custodyAt(source.contracts['custody']!.address);
  const owner = getterFault(custody, 'ownerOf', BURN_ADDRESS, answers);
  if (owner !== null) return { ...owner, reason: 'CUSTODY_MISMATCH' };
  const position = returnedBy(custody, 'positionOf', answers);
  if (position === null) return fault('CUSTODY_MISMATCH', 'positionOf');
  const [pool, , , liquidity, depositor] = position;
  return pool === launch.poolId && liquidity === launch.result.liquidity && depositor === source.address
    ? null
    : fault('CUSTODY_MISMATCH', 'positionOf: another position');
}

/** @param wanted null if any answer is acceptable. */
function getterFault(asked: Asked, name: string, wanted: AbiValue | null, answers: Answers): Fault | null {
  const values = returnedBy(asked, name, answers);
  if (values === null) return fault('GETTER_REVERTED', `${asked.name}.${name}`);
  return wanted === null || values[0] === wanted ? null : fault('GETTER_MISMATCH', `${asked.name}.${name}`);
}
