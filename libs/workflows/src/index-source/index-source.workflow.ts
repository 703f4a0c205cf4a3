import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  log,
  proxyActivities,
  setHandler,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  INDEX_REJECTION,
  INDEX_SIGNALS,
  INDEX_UPDATES,
  MAX_INDEX_HOLD_REASON,
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  type EventKey,
  type HeldPlace,
  type HoldOrder,
  type SourceBinding,
  type IndexerActivities,
  type IndexProgress,
  type Rejudged,
} from '@launch/contracts/orchestration';
import { OperatorConsole } from '../operator/operator-console.js';
import { StepPauses } from '../operator/step-pauses.js';
import { stepSummary } from '../operator/step-summaries.js';
import { troubleHooks } from '../operator/trouble-hooks.js';
import { IDEMPOTENT_WRITE, READ_ONLY } from '../retry-profiles.js';
import { boundedSteps } from '../steps/bounded-steps.js';
import { endlessPatience } from '../steps/patient-steps.js';
import { indexSourceLogic, ROUNDS_A_RUN } from './index-source.logic.js';

export const rescan = defineSignal<[from: string]>(INDEX_SIGNALS.rescan);
export const rejudge = defineUpdate<Rejudged, [EventKey]>(INDEX_UPDATES.rejudge);
export const dismiss = defineUpdate<boolean, [{ readonly event: EventKey; readonly reason: string }]>(
  INDEX_UPDATES.dismiss,
);

export const hold = defineUpdate<boolean, [HoldOrder]>(INDEX_UPDATES.hold);
export const release = defineUpdate<boolean, [HeldPlace]>(INDEX_UPDATES.release);

/** One call reads many ranges, because a Temporal activity per range would cost more than the range. */
const following = (step: string) =>
  proxyActivities<IndexerActivities>({
    ...READ_ONLY,
    taskQueue: TASK_QUEUES.indexer,
    summary: stepSummary(step),
  });
const writing = (step: string) =>
  proxyActivities<IndexerActivities>({
    ...IDEMPOTENT_WRITE,
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '15 seconds',
    taskQueue: TASK_QUEUES.indexer,
    summary: stepSummary(step),
  });

/** The party that a source in this state waits for, as an operator reads it. */
const waitsFor = ({ state, reason }: IndexProgress): string | null => {
  if (state === 'stopped') return `an operator: ${reason ?? 'stopped'}`;
  if (state === 'unsupported') return `a release that has an adapter: ${reason ?? 'unsupported'}`;
  return state === 'waiting' ? `the chain's observers: ${reason ?? 'indeterminate'}` : null;
};

/**
 * The index of one source; its id is `index/<chainId>/<address>/<releaseDigest>`. It only paces the reads; the database
 * has the rows.
 */
export async function indexSource(source: SourceBinding): Promise<'ended'> {
  const { releaseDigest } = source;
  const shown = new OperatorConsole('starting');
  const pauses = new StepPauses(shown);
  const patience = endlessPatience({
    pause: pauses.pause,
    watch: shown,
    ...troubleHooks(shown, (trouble) => upsertMemo({ trouble })),
  });
  const reads = boundedSteps(following, patience);
  const writes = boundedSteps(writing, patience);
  let asked = 0;

  setHandler(
    rescan,
    async (from) => {
      if (!isBlockNumber(from)) return log.warn('a rescan names no block', { from: String(from).slice(0, 64) });
      await writes.requestRescan({ releaseDigest, from });
      asked += 1;
    },
    {
      description:
        'Reads the blocks from this one up to the checkpoint again. Input: a block number, a decimal string.',
    },
  );
  setHandler(
    rejudge,
    async (event) => {
      asked += 1;
      return writes.rejudgeEvent({ releaseDigest, event });
    },
    {
      description: 'Judges a quarantined log again: {"blockHash", "transactionHash", "logIndex"}. Appends a judgement.',
      validator: checkEvent,
    },
  );
  setHandler(dismiss, (input) => writes.dismissEvent({ releaseDigest, ...input }), {
    description: 'Takes a quarantined log out of the counts: {"event", "reason"}. The reason is public.',
    validator({ event, reason }) {
      checkEvent(event);
      if (typeof reason !== 'string' || reason.length === 0 || reason.length > 1_024)
        throw refused('reason is a text of 1 to 1,024 characters');
    },
  });
  setHandler(
    hold,
    async ({ place, reason }) => {
      await writes.holdPlace({ releaseDigest, place, reason });
      return true;
    },
    {
      description:
        'Keeps a block or a transaction out of the index: {"place": {"blockNumber", "transactionHash" or null}, "reason"}. Records that it covers are INDETERMINATE, and the public status shows the reason.',
      validator: checkHold,
    },
  );
  setHandler(
    release,
    async (place) => {
      asked += 1;
      return writes.releasePlace({ releaseDigest, place });
    },
    {
      description:
        'Reads a held place again once it is final: {"blockNumber", "transactionHash" or null}. Returns false without a hold.',
      validator: checkPlace,
    },
  );

  upsertSearchAttributes({
    [SEARCH_ATTRIBUTES.indexChain]: [source.chainId],
    [SEARCH_ATTRIBUTES.indexSourceVersion]: [source.sourceVersion],
    [SEARCH_ATTRIBUTES.indexState]: [shown.stage],
  });
  const end = await indexSourceLogic(source, {
    followSource: (input) => reads.followSource(input),
    show(progress) {
      if (progress.state !== shown.stage) {
        shown.reached(progress.state);
        upsertSearchAttributes({ [SEARCH_ATTRIBUTES.indexState]: [progress.state] });
      }
      shown.waiting(waitsFor(progress));
      upsertMemo({ progress });
    },
    async pause(milliseconds) {
      const before = asked;
      await condition(() => asked !== before, milliseconds);
    },
    isHistoryLong: (rounds) => rounds >= ROUNDS_A_RUN || workflowInfo().continueAsNewSuggested,
  });
  await condition(allHandlersFinished);
  if (end === 'continue') return continueAsNew<typeof indexSource>(source);
  shown.close();
  return end;
}

/** The largest number that a column of 8 bytes holds. */
const MAX_BLOCK = 9_223_372_036_854_775_807n;
const isBlockNumber = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 20 && /^(0|[1-9][0-9]*)$/.test(text) && BigInt(text) <= MAX_BLOCK;

const WORD = /^0x[0-9a-f]{64}$/;
const refused = (message: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${INDEX_REJECTION}: ${message}`, INDEX_REJECTION);

/** Parses a place. @throws ApplicationFailure for anything but a block or one of its transactions. */
function checkPlace(place: HeldPlace): void {
  const { blockNumber, transactionHash } = (place ?? {}) as Partial<HeldPlace>;
  if (!isBlockNumber(blockNumber) || (transactionHash !== null && !WORD.test(String(transactionHash))))
    throw refused('a place is {"blockNumber": decimal text, "transactionHash": 32 bytes in lowercase, or null}');
}

/** Parses a place with a reason. @throws ApplicationFailure for any other input. */
function checkHold(order: HoldOrder): void {
  const { place, reason } = (order ?? {}) as Partial<HoldOrder>;
  checkPlace(place as HeldPlace);
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > MAX_INDEX_HOLD_REASON)
    throw refused(`reason is a text of 1 to ${MAX_INDEX_HOLD_REASON} characters`);
}

/** Parses the place of a log. @throws ApplicationFailure for any other input. */
function checkEvent(event: EventKey): void {
  const { blockHash, transactionHash, logIndex } = (event ?? {}) as Partial<EventKey>;
  if (!WORD.test(String(blockHash)) || !WORD.test(String(transactionHash)) || !Number.isSafeInteger(logIndex))
    throw refused('an event is {"blockHash", "transactionHash", "logIndex"}, both hashes 32 bytes in lowercase');
}
