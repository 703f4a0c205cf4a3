import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { discover, lookUp } from './candidates.js';
import { declaredContracts } from './judge-derived.js';
import { sameInclusion } from './judge-inclusion.js';
import { ABSENT, unknown, type Candidate, type Poll, type StageVerdict } from './ports.types.js';

export interface Observation {
  readonly memory: ObservationMemory;
  readonly status: 'agreed' | 'indeterminate';
  readonly reason: string | null;
}

/** Reported while a reverted receipt can still be reorganised away, and while its permit can still be used again. */
export const REVERTED_UNFINALIZED = 'RECEIPT_REVERTED_UNFINALIZED';
export const REVERTED_PERMIT_LIVE = 'RECEIPT_REVERTED_PERMIT_LIVE';

/** The candidates of one poll: the remembered hash, the results of discovery and recovery, and hints. */
const MAX_CANDIDATES = 24;

/**
 * Polls both chains once, through both observers of each, by the rule of the launch's own context. Every poll derives
 * the stage anew, in the rule's order, from the current agreement. Memory only keeps a stage while there is no
 * statement, so a stage rises and falls only by agreement.
 */
export async function observeOnce(
  poll: Poll,
  memory: ObservationMemory | null,
  hints: readonly Hex[],
): Promise<Observation> {
  const before = memory ?? firstMemory(poll);
  if (isTerminal(before.stage)) return { memory: before, status: 'agreed', reason: null };

  const found = await findInclusion(
    poll,
    [before.transactionHash, ...hints].filter((hash) => hash !== null),
  );
  const transactionHash = found.seen ?? before.transactionHash;
  const waiting: ObservedStage = transactionHash === null ? 'pending' : 'submitted';
  if (found.verdict.kind === 'unknown') {
    const stage = before.stage === 'pending' ? waiting : before.stage;
    return conclude(poll, before, { stage, transactionHash, ...evidenceOf(before) }, found.verdict.reason);
  }
  if (found.verdict.kind === 'absent') {
    const expiry = await poll.rule.expiry(poll);
    const none = { transactionHash, inclusion: null, posting: null, checkpoint: null };
    if (expiry.kind === 'holds') return conclude(poll, before, { stage: 'expired', ...none }, null);
    return conclude(poll, before, { stage: waiting, ...none }, expiry.kind === 'unknown' ? expiry.reason : null);
  }
  return climb(poll, before, found.verdict.value);
}

/** Judges the stages above an agreed inclusion. */
async function climb(poll: Poll, before: ObservationMemory, inclusion: L2Inclusion): Promise<Observation> {
  const succeeded = inclusion.receiptStatus === 'success';
  const same = sameInclusion(before.inclusion, inclusion);
  const at = (stage: ObservedStage, posting: L1Posting | null, checkpoint: L1Checkpoint | null) => ({
    // A reverted receipt asserts no launch, so the stage stays below `included` regardless of its batch.
    stage: succeeded || stage === 'reverted_finalized' ? stage : 'submitted',
    transactionHash: inclusion.transactionHash,
    // The same inclusion keeps its first notes, so the evidence does not change with every poll.
    inclusion: same ? before.inclusion : inclusion,
    posting,
    checkpoint,
  });
  const note = succeeded ? null : REVERTED_UNFINALIZED;
  const known = same ? before.posting : null;

  const posting = await poll.rule.posting(poll, inclusion, known);
  if (posting.kind === 'unknown')
    return conclude(poll, before, at(known === null ? 'included' : 'posted', known, null), posting.reason);
  if (posting.kind === 'absent') return conclude(poll, before, at('included', null, null), null, note);
  const posted = known !== null && samePosting(known, posting.value) ? known : posting.value;

  const checkpoint = await poll.rule.finality(poll, inclusion, posted);
  if (checkpoint.kind === 'unknown') return conclude(poll, before, at('posted', posted, null), checkpoint.reason);
  if (checkpoint.kind === 'absent') return conclude(poll, before, at('posted', posted, null), null, note);
  if (succeeded)
    return finish(poll, before, inclusion, {
      posted: at('posted', posted, null),
      finalized: at('finalized', posted, checkpoint.value),
    });

  // A revert leaves the permit unspent: until it can no longer be used, another transaction may still succeed.
  const over = await poll.rule.expiry(poll);
  if (over.kind === 'unknown') return conclude(poll, before, at('posted', posted, null), over.reason);
  if (over.kind === 'absent') return conclude(poll, before, at('posted', posted, null), null, REVERTED_PERMIT_LIVE);
  return conclude(poll, before, at('reverted_finalized', posted, checkpoint.value), null);
}

/** Judges the last condition of a V3 launch: a separate proof of each derived contract. V2 has none. */
async function finish(
  poll: Poll,
  before: ObservationMemory,
  inclusion: L2Inclusion,
  reached: Readonly<Record<'posted' | 'finalized', Reached>>,
): Promise<Observation> {
  const { derived } = poll.target;
  if (derived === null) return conclude(poll, before, reached.finalized, null);
  const proven = await poll.rule.derived(poll, derived, inclusion);
  if (proven.kind !== 'holds')
    return conclude(poll, before, reached.posted, proven.kind === 'unknown' ? proven.reason : null);
  const { memory, ...observation } = conclude(poll, before, reached.finalized, null);
  return { ...observation, memory: { ...memory, derivedContracts: proven.value } };
}

interface Found {
  readonly verdict: StageVerdict<L2Inclusion>;
  /** A hash whose exact, signed transaction an observer returned. */
  readonly seen: Hex | null;
}

/**
 * Finds a successful inclusion, else a reverted one; a foreign or absent candidate does not count. At most one of
 * several transactions succeeds: while there is no statement about one of them, a revert of another decides nothing.
 */
async function findInclusion(poll: Poll, known: readonly Hex[]): Promise<Found> {
  const first = await judgeAll(poll, [...new Set(known)].slice(0, MAX_CANDIDATES));
  const succeeded = first.some(({ verdict }) => verdict.kind === 'holds' && verdict.value.receiptStatus === 'success');
  const discovered = succeeded ? [] : (await discover(poll)).filter((hash) => !known.includes(hash));
  const judged = [...first, ...(await judgeAll(poll, discovered))];

  const holding = judged.flatMap(({ verdict }) => (verdict.kind === 'holds' ? [verdict] : []));
  const success = holding.find(({ value }) => value.receiptStatus === 'success');
  const undecided = judged.flatMap(({ verdict }) => (verdict.kind === 'unknown' ? [verdict] : []))[0];
  const verdict = success ?? undecided ?? holding[0] ?? ABSENT;
  const shown =
    verdict.kind === 'holds'
      ? verdict.value.transactionHash
      : judged.find(({ candidate }) => candidate.authentic)?.candidate.hash;
  return { verdict, seen: shown ?? null };
}

/** Judges candidates in parallel, so that a silent observer does not cost its timeout once per candidate. */
const judgeAll = (
  poll: Poll,
  hashes: readonly Hex[],
): Promise<{ candidate: Candidate; verdict: StageVerdict<L2Inclusion> }[]> =>
  Promise.all(
    hashes.map(async (hash) => {
      const candidate = await lookUp(poll, hash);
      return { candidate, verdict: await judgeCandidate(poll, candidate) };
    }),
  );

/**
 * Judges a candidate. There is no inclusion if neither observer has the exact transaction; a missing answer is no
 * statement.
 */
async function judgeCandidate(poll: Poll, candidate: Candidate): Promise<StageVerdict<L2Inclusion>> {
  if (candidate.sightings.includes('no-answer')) return unknown('transaction: no answer');
  return candidate.sightings.includes('exact') ? poll.rule.inclusion(poll, candidate) : ABSENT;
}

const samePosting = (a: L1Posting, b: L1Posting): boolean =>
  a.batchNumber === b.batchNumber &&
  a.l1BlockHash === b.l1BlockHash &&
  a.afterAcc === b.afterAcc &&
  a.logIndex === b.logIndex;

const evidenceOf = ({ inclusion, posting, checkpoint }: ObservationMemory) => ({ inclusion, posting, checkpoint });

type Reached = Omit<ObservationMemory, 'stageSince' | 'polls' | 'derivedContracts'>;

function conclude(
  poll: Poll,
  before: ObservationMemory,
  reached: Reached,
  undecided: string | null,
  note: string | null = null,
): Observation {
  const stageSince = reached.stage === before.stage ? before.stageSince : new Date(poll.now()).toISOString();
  return {
    memory: { ...reached, stageSince, polls: before.polls + 1, ...declared(poll) },
    status: undecided === null ? 'agreed' : 'indeterminate',
    reason: undecided ?? note,
  };
}

/** Returns the unproven contracts that a V3 launch declares, and no field for V2, whose memory stays unchanged. */
const declared = ({ target }: Poll): Pick<ObservationMemory, 'derivedContracts'> =>
  target.derived === null ? {} : { derivedContracts: declaredContracts(target.derived) };

const firstMemory = (poll: Poll): ObservationMemory => ({
  stage: 'pending',
  transactionHash: null,
  inclusion: null,
  posting: null,
  checkpoint: null,
  stageSince: new Date(poll.now()).toISOString(),
  polls: 0,
  ...declared(poll),
});

/** Checks whether a launch is no longer polled at a stage. */
export const isTerminal = (stage: ObservedStage): boolean =>
  stage === 'finalized' || stage === 'reverted_finalized' || stage === 'expired';
