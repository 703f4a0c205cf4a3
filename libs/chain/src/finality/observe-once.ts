import type { L1Checkpoint, L1Posting, L2Inclusion } from '@launch/contracts/launch';
import type { ObservationMemory, ObservedStage } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import { discover, lookUp } from './candidates.js';
import { declaredContracts } from './judge-derived.js';
import { sameInclusion } from './judge-inclusion.js';
import { ABSENT, unknown, type Candidate, type Look, type StageVerdict } from './ports.types.js';

export interface Observation {
  readonly memory: ObservationMemory;
  readonly status: 'agreed' | 'indeterminate';
  readonly reason: string | null;
}

/** Reported while a reverted receipt can still be reorganised away, and while its permit could still be used again. */
export const REVERTED_UNFINALIZED = 'RECEIPT_REVERTED_UNFINALIZED';
export const REVERTED_PERMIT_LIVE = 'RECEIPT_REVERTED_PERMIT_LIVE';

/** Candidates looked up in one poll: the remembered hash, what discovery and recovery find, and hints. */
const MAX_CANDIDATES = 24;

/**
 * One look at both chains through both observers of each, by the rule of the launch's own context. Every poll derives the stage
 * anew, in the rule's order, from what is agreed now. Memory only keeps a stage while
 * there is no statement, so a stage rises and falls by agreement and by nothing else.
 */
export async function observeOnce(
  look: Look,
  memory: ObservationMemory | null,
  hints: readonly Hex[],
): Promise<Observation> {
  const before = memory ?? firstMemory(look);
  if (isTerminal(before.stage)) return { memory: before, status: 'agreed', reason: null };

  const found = await findInclusion(
    look,
    [before.transactionHash, ...hints].filter((hash) => hash !== null),
  );
  const transactionHash = found.seen ?? before.transactionHash;
  const waiting: ObservedStage = transactionHash === null ? 'pending' : 'submitted';
  if (found.verdict.kind === 'unknown') {
    const stage = before.stage === 'pending' ? waiting : before.stage;
    return conclude(look, before, { stage, transactionHash, ...evidenceOf(before) }, found.verdict.reason);
  }
  if (found.verdict.kind === 'absent') {
    const expiry = await look.rule.expiry(look);
    const none = { transactionHash, inclusion: null, posting: null, checkpoint: null };
    if (expiry.kind === 'holds') return conclude(look, before, { stage: 'expired', ...none }, null);
    return conclude(look, before, { stage: waiting, ...none }, expiry.kind === 'unknown' ? expiry.reason : null);
  }
  return climb(look, before, found.verdict.value);
}

/** From an agreed inclusion upwards. */
async function climb(look: Look, before: ObservationMemory, inclusion: L2Inclusion): Promise<Observation> {
  const succeeded = inclusion.receiptStatus === 'success';
  const same = sameInclusion(before.inclusion, inclusion);
  const at = (stage: ObservedStage, posting: L1Posting | null, checkpoint: L1Checkpoint | null) => ({
    // A reverted receipt asserts no launch: whatever its batch does, the stage stays below `included`.
    stage: succeeded || stage === 'reverted_finalized' ? stage : 'submitted',
    transactionHash: inclusion.transactionHash,
    // The same inclusion keeps its first notes: the evidence does not change with every look.
    inclusion: same ? before.inclusion : inclusion,
    posting,
    checkpoint,
  });
  const note = succeeded ? null : REVERTED_UNFINALIZED;
  const known = same ? before.posting : null;

  const posting = await look.rule.posting(look, inclusion, known);
  if (posting.kind === 'unknown')
    return conclude(look, before, at(known === null ? 'included' : 'posted', known, null), posting.reason);
  if (posting.kind === 'absent') return conclude(look, before, at('included', null, null), null, note);
  const posted = known !== null && samePosting(known, posting.value) ? known : posting.value;

  const checkpoint = await look.rule.finality(look, inclusion, posted);
  if (checkpoint.kind === 'unknown') return conclude(look, before, at('posted', posted, null), checkpoint.reason);
  if (checkpoint.kind === 'absent') return conclude(look, before, at('posted', posted, null), null, note);
  if (succeeded)
    return finish(look, before, inclusion, {
      posted: at('posted', posted, null),
      finalized: at('finalized', posted, checkpoint.value),
    });

  // A revert leaves the permit unspent: until it can no longer be used, another sending may still succeed.
  const over = await look.rule.expiry(look);
  if (over.kind === 'unknown') return conclude(look, before, at('posted', posted, null), over.reason);
  if (over.kind === 'absent') return conclude(look, before, at('posted', posted, null), null, REVERTED_PERMIT_LIVE);
  return conclude(look, before, at('reverted_finalized', posted, checkpoint.value), null);
}

/** The last condition of a V3 launch: each derived contract proven by itself. V2 has none. */
async function finish(
  look: Look,
  before: ObservationMemory,
  inclusion: L2Inclusion,
  reached: Readonly<Record<'posted' | 'finalized', Reached>>,
): Promise<Observation> {
  const { derived } = look.target;
  if (derived === null) return conclude(look, before, reached.finalized, null);
  const proven = await look.rule.derived(look, derived, inclusion);
  if (proven.kind !== 'holds')
    return conclude(look, before, reached.posted, proven.kind === 'unknown' ? proven.reason : null);
  const { memory, ...observation } = conclude(look, before, reached.finalized, null);
  return { ...observation, memory: { ...memory, derivedContracts: proven.value } };
}

interface Found {
  readonly verdict: StageVerdict<L2Inclusion>;
  /** A hash whose exact, signed transaction an observer showed. */
  readonly seen: Hex | null;
}

/**
 * A successful inclusion if there is one, else a reverted one; a foreign or absent candidate counts for nothing. Of
 * several sendings at most one succeeds: while there is no statement about one of them, a revert of another is none.
 */
async function findInclusion(look: Look, known: readonly Hex[]): Promise<Found> {
  const first = await judgeAll(look, [...new Set(known)].slice(0, MAX_CANDIDATES));
  const succeeded = first.some(({ verdict }) => verdict.kind === 'holds' && verdict.value.receiptStatus === 'success');
  const discovered = succeeded ? [] : (await discover(look)).filter((hash) => !known.includes(hash));
  const judged = [...first, ...(await judgeAll(look, discovered))];

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

/** Side by side: a silent observer must not cost its timeout once a candidate. */
const judgeAll = (
  look: Look,
  hashes: readonly Hex[],
): Promise<{ candidate: Candidate; verdict: StageVerdict<L2Inclusion> }[]> =>
  Promise.all(
    hashes.map(async (hash) => {
      const candidate = await lookUp(look, hash);
      return { candidate, verdict: await judgeCandidate(look, candidate) };
    }),
  );

/** If neither observer shows the exact transaction, there is no inclusion; silence is no answer. */
async function judgeCandidate(look: Look, candidate: Candidate): Promise<StageVerdict<L2Inclusion>> {
  if (candidate.sightings.includes('no-answer')) return unknown('transaction: no answer');
  return candidate.sightings.includes('exact') ? look.rule.inclusion(look, candidate) : ABSENT;
}

const samePosting = (a: L1Posting, b: L1Posting): boolean =>
  a.batchNumber === b.batchNumber &&
  a.l1BlockHash === b.l1BlockHash &&
  a.afterAcc === b.afterAcc &&
  a.logIndex === b.logIndex;

const evidenceOf = ({ inclusion, posting, checkpoint }: ObservationMemory) => ({ inclusion, posting, checkpoint });

type Reached = Omit<ObservationMemory, 'stageSince' | 'polls' | 'derivedContracts'>;

function conclude(
  look: Look,
  before: ObservationMemory,
  reached: Reached,
  undecided: string | null,
  note: string | null = null,
): Observation {
  const stageSince = reached.stage === before.stage ? before.stageSince : new Date(look.now()).toISOString();
  return {
    memory: { ...reached, stageSince, polls: before.polls + 1, ...declared(look) },
    status: undecided === null ? 'agreed' : 'indeterminate',
    reason: undecided ?? note,
  };
}

/** What a V3 launch declares, unproven; nothing at all for V2, whose memory stays as it was. */
const declared = ({ target }: Look): Pick<ObservationMemory, 'derivedContracts'> =>
  target.derived === null ? {} : { derivedContracts: declaredContracts(target.derived) };

const firstMemory = (look: Look): ObservationMemory => ({
  stage: 'pending',
  transactionHash: null,
  inclusion: null,
  posting: null,
  checkpoint: null,
  stageSince: new Date(look.now()).toISOString(),
  polls: 0,
  ...declared(look),
});

/** Stages after which a launch is not looked at any more. */
export const isTerminal = (stage: ObservedStage): boolean =>
  stage === 'finalized' || stage === 'reverted_finalized' || stage === 'expired';
