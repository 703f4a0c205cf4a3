import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowUpdateFailedError, type WorkflowHandle } from '@temporalio/client';
import { defineUpdate } from '@temporalio/workflow';
import { finding } from '@launch/contracts/errors';
import {
  MAX_HOLD_REASON,
  OPERATOR_QUERIES,
  OPERATOR_REJECTIONS,
  OPERATOR_UPDATES,
  SEARCH_ATTRIBUTES,
  TRANSACTION_HINT_SIGNAL,
  type FindingsView,
  type StepTimeline,
} from '@launch/contracts/orchestration';
import { seen, word } from '../fixtures/observed.fixture.js';
import { OperatedLaunches } from '../fixtures/operated-launches.fixture.js';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';

/** Sends an operator's updates to open workflows on a real Temporal server with scripted steps. */
jest.setTimeout(180_000);
const { hold, release, retryNow, recheck } = OPERATOR_UPDATES;
const launches = new OperatedLaunches();
beforeAll(() => launches.start());
afterAll(() => {
  // A failed test leaves its step open, and the worker waits for open steps.
  for (const open of gates) open();
  return launches.stop();
});

const WITHIN_MS = 60_000;
async function until<T>(what: string, look: () => Promise<T>, isIt: (seen: T) => boolean): Promise<T> {
  let last: T | undefined;
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await new Promise((next) => setTimeout(next, 50))) {
    last = await look();
    if (isIt(last)) return last;
  }
  throw new Error(`${what}: last seen ${JSON.stringify(last)}`);
}
const stageOf = async (handle: WorkflowHandle): Promise<unknown> =>
  (await handle.describe()).searchAttributes[SEARCH_ATTRIBUTES.stage]?.[0];
const reaches = (handle: WorkflowHandle, stage: string): Promise<unknown> =>
  until(
    `stage ${stage}`,
    () => stageOf(handle),
    (now) => now === stage,
  );
const send = (handle: WorkflowHandle, update: string, input: unknown = null): Promise<unknown> =>
  handle.executeUpdate(defineUpdate<unknown, [unknown]>(update), { args: [input] });
const rejectedAs = async (sent: Promise<unknown>): Promise<unknown> => {
  const error = await sent.then(
    () => 'accepted',
    (failure: unknown) => failure,
  );
  if (!(error instanceof WorkflowUpdateFailedError)) return error;
  return error.cause instanceof ApplicationFailure ? error.cause.type : error.cause;
};
const timelineOf = (handle: WorkflowHandle): Promise<StepTimeline> => handle.query(OPERATOR_QUERIES.timeline);
const findingsOf = (handle: WorkflowHandle): Promise<FindingsView> => handle.query(OPERATOR_QUERIES.findings);
interface Metadata {
  readonly currentDetails: string;
  readonly definition: Readonly<
    Record<'updateDefinitions' | 'queryDefinitions', { name: string; description: string }[]>
  >;
}
const metadataOf = (handle: WorkflowHandle): Promise<Metadata> => handle.query('__temporal_workflow_metadata');
const eventsOf = async (handle: WorkflowHandle) => (await handle.fetchHistory()).events ?? [];
const textOf = (data: Uint8Array | null | undefined): string =>
  data === null || data === undefined ? '' : (JSON.parse(Buffer.from(data).toString()) as string);

const gates: (() => void)[] = [];
/** A step that stays open until the test resolves it. */
function gate(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  gates.push(open);
  return { wait: () => opened, open };
}

describe('hold and release', () => {
  it('A held launch stays between two steps until its release, and then continues.', async () => {
    const judging = gate();
    const { handle, steps } = await launches.admit({ judge: () => judging.wait().then(() => []) });
    await reaches(handle, 'judge');
    expect(await rejectedAs(send(handle, release))).toBe(OPERATOR_REJECTIONS.notHeld);
    expect(await send(handle, hold, 'the compiler is looked at')).toMatchObject({ held: true });
    expect(await rejectedAs(send(handle, hold))).toBe(OPERATOR_REJECTIONS.alreadyHeld);
    judging.open();
    await reaches(handle, 'held');
    expect((await timelineOf(handle)).steps.at(-1)).toMatchObject({ step: 'hold', outcome: 'open', endedAt: null });
    expect((await metadataOf(handle)).currentDetails).toMatch(/\*\*Stage\*\* `held`.*send `release`/s);
    expect(steps).not.toContain('rehearse');
    expect(await send(handle, release)).toMatchObject({ held: false });
    expect(await handle.result()).toBe('authorized');
    expect(await stageOf(handle)).toBe('authorized');
    expect(steps.filter((step) => step === 'rehearse')).toHaveLength(1);
    await recordHistory('admit-launch', 'held-and-released', handle);
  });

  it('A hold ends with the permit window, which refuses the held launch and frees its nonce.', async () => {
    const judging = gate();
    const { handle, steps } = await launches.admit({ judge: () => judging.wait().then(() => []) }, 8);
    await reaches(handle, 'judge');
    await send(handle, hold);
    judging.open();
    expect(await handle.result()).toBe('refused');
    expect(steps.slice(-3)).toEqual(['issue refusal', 'refuse', 'recordRefused PERMIT_EXPIRED']);
    expect(steps).not.toContain('rehearse');
    expect(await stageOf(handle)).toBe('refused');
    await recordHistory('admit-launch', 'held-past-the-window', handle);
  });

  it('A hold is rejected after the call to custody for a permit, without a trace in the history.', async () => {
    const signing = gate();
    const { handle } = await launches.admit({ sign: signing.wait });
    await until(
      'custody is asked',
      () => timelineOf(handle),
      ({ steps }) => steps.at(-1)?.step === 'signPermit',
    );
    expect(await rejectedAs(send(handle, hold))).toBe(OPERATOR_REJECTIONS.custodyAsked);
    expect((await metadataOf(handle)).currentDetails).not.toContain('send `hold`');
    signing.open();
    expect(await handle.result()).toBe('authorized');
    expect((await eventsOf(handle)).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toEqual(
      [],
    );
  });

  it.each([
    ['one that is too long', 'x'.repeat(MAX_HOLD_REASON + 1)],
    ['a number', 42],
    ['an object', { reason: 'x' }],
  ])('accept a short text as a reason, but not %s', async (_what, reason) => {
    const judging = gate();
    const { handle } = await launches.admit({ judge: () => judging.wait().then(() => []) });
    await reaches(handle, 'judge');
    expect(await rejectedAs(send(handle, hold, reason))).toBe(OPERATOR_REJECTIONS.input);
    judging.open();
    expect(await handle.result()).toBe('authorized');
  });

  it('A hold does not stop the refusal of a launch.', async () => {
    const judging = gate();
    const { handle, steps } = await launches.admit({
      judge: () => judging.wait().then(() => [finding('CREATION_BYTECODE_MISMATCH', '/graphBundle')]),
    });
    await reaches(handle, 'judge');
    await send(handle, hold, 'to see what it finds');
    judging.open();
    expect(await handle.result()).toBe('refused');
    expect(steps.at(-1)).toBe('recordRefused CREATION_BYTECODE_MISMATCH');
    expect((await timelineOf(handle)).steps.map(({ step }) => step)).not.toContain('hold');
  });
});

describe('The update retryNow', () => {
  it('ends the pause before an admission simulates for the wallet again', async () => {
    const { handle, steps } = await launches.admit({
      simulate: (attempt) =>
        attempt === 1
          ? { kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' }
          : { kind: 'simulated', handoffSha256: `sha256:${'a'.repeat(64)}` },
    });
    await until(
      'the pause',
      () => metadataOf(handle),
      ({ currentDetails }) => currentDetails.includes('send `retryNow`'),
    );
    expect(await send(handle, retryNow)).toEqual({ steps: ['simulateHandoff'] });
    expect(await handle.result()).toBe('authorized');
    expect(steps.filter((step) => step === 'simulate')).toHaveLength(2);
    const events = await eventsOf(handle);
    expect(events.filter((event) => event.timerFiredEventAttributes)).toEqual([]);
    expect(events.filter((event) => event.timerCanceledEventAttributes)).toHaveLength(1);
    const timer = events.find((event) => event.timerStartedEventAttributes);
    expect(textOf(timer?.userMetadata?.summary?.data)).toBe(
      'Pause after attempt 1 at simulateHandoff: CONTROLLER_FUNDS_MISSING',
    );
    await recordHistory('admit-launch', 'retried-now', handle);
  });

  it('ends the pause of an observation that failed', async () => {
    const { handle, steps } = await launches.observe({
      observe: (_input, look) => {
        if (look <= 3) throw ApplicationFailure.nonRetryable('TypeError', 'FINALITY_STEP_FAILED');
        return seen('finalized', look);
      },
    });
    for (const failed of [1, 2, 3]) {
      await until(
        `attempt ${failed}`,
        () => timelineOf(handle),
        ({ steps: kept }) => kept.at(-1)?.attempts === failed && kept.at(-1)?.lastFailure === 'FINALITY_STEP_FAILED',
      );
      // The first pause is a second long and may be over by itself.
      if (failed === 1) continue;
      expect(await rejectedAs(send(handle, recheck))).toBe(OPERATOR_REJECTIONS.stepInTrouble);
      expect(await send(handle, retryNow)).toEqual({ steps: ['observe'] });
    }
    expect(await handle.result()).toBe('finalized');
    expect(steps.filter((step) => step === 'observe')).toHaveLength(4);
    expect((await timelineOf(handle)).steps.find(({ step }) => step === 'observe')).toMatchObject({
      outcome: 'answered',
      attempts: 4,
      lastFailure: 'FINALITY_STEP_FAILED',
    });
    await recordHistory('observe-launch', 'retried-now', handle);
  });

  it('is rejected while the workflow waits for no attempt', async () => {
    const judging = gate();
    const { handle } = await launches.admit({ judge: () => judging.wait().then(() => []) });
    await reaches(handle, 'judge');
    expect(await rejectedAs(send(handle, retryNow))).toBe(OPERATOR_REJECTIONS.notPausing);
    judging.open();
    expect(await handle.result()).toBe('authorized');
  });
});

describe('The update recheck', () => {
  it('observes immediately and records the result even if nothing changed', async () => {
    const HOUR_MS = 3_600_000;
    const { handle, steps } = await launches.observe({
      observe: ({ hints }, look) =>
        hints.includes(word('7')) ? seen('finalized', look) : seen('pending', look, HOUR_MS),
    });
    const records = (): number => steps.filter((step) => step === 'recordFinality').length;
    await until(
      'the first look',
      async () => records(),
      (count) => count === 1,
    );
    await until(
      'the pause',
      () => metadataOf(handle),
      ({ currentDetails }) => currentDetails.includes('the next observation'),
    );
    expect(await send(handle, recheck)).toEqual({ stage: 'pending' });
    await until(
      'the record of the second',
      async () => records(),
      (count) => count === 2,
    );
    await handle.signal(TRANSACTION_HINT_SIGNAL, word('7'));
    expect(await handle.result()).toBe('finalized');
    expect((await metadataOf(handle)).currentDetails).not.toContain('send `recheck`');
    expect(steps.filter((step) => step === 'observe')).toHaveLength(3);
    await recordHistory('observe-launch', 'rechecked', handle);
  });
});

describe('the view of an operator', () => {
  it('shows the findings of a refused launch: complete in the query, by code in the list and in the details', async () => {
    const { handle, launchId } = await launches.admit({
      judge: async () => [
        finding('CREATION_BYTECODE_MISMATCH', '/graphBundle/`x`\n# y', { actual: 'SOURCE TEXT' }),
        finding('COMPILER_ERROR', '/graphBundle'),
      ],
    });
    expect(await handle.result()).toBe('refused');
    const codes = ['CREATION_BYTECODE_MISMATCH', 'COMPILER_ERROR'];
    const view = await findingsOf(handle);
    expect(view).toMatchObject({ stage: 'refused', omitted: 0, findings: codes.map((code) => ({ code })) });
    expect(view.findings[0]!.actual).toBe('SOURCE TEXT');
    const { currentDetails } = await metadataOf(handle);
    expect(currentDetails).toContain(
      '- `CREATION_BYTECODE_MISMATCH` (error, correct_and_resubmit) at `/graphBundle/·x··# y`',
    );
    expect(currentDetails).not.toContain('SOURCE TEXT');
    const listed = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { workflowId } of launches.temporal.client.workflow.list({
        query: `${SEARCH_ATTRIBUTES.finding} = 'COMPILER_ERROR' AND ${SEARCH_ATTRIBUTES.launchId} = '${launchId}'`,
      }))
        found.push(workflowId);
      return found;
    };
    expect(await until('the list', listed, ({ length }) => length > 0)).toEqual([handle.workflowId]);
  });

  it('shows each step of an admitted launch with start, end, outcome and a summary', async () => {
    const { handle } = await launches.admit({});
    expect(await handle.result()).toBe('authorized');
    const { steps, dropped } = await timelineOf(handle);
    expect(dropped).toBe(0);
    for (const step of steps) expect(step).toMatchObject({ outcome: 'answered', attempts: 1, lastFailure: null });
    expect(steps.map(({ step }) => step)).toEqual(
      expect.arrayContaining(['judgeRequest', 'signPermit', 'recordHandoff']),
    );
    const scheduled = (await eventsOf(handle)).filter(
      (event) => event.activityTaskScheduledEventAttributes ?? event.nexusOperationScheduledEventAttributes,
    );
    expect(scheduled.length).toBe(steps.length);
    for (const event of scheduled) expect(textOf(event.userMetadata?.summary?.data)).toMatch(/^[A-Z].{10,60}$/);
    expect(await findingsOf(handle)).toEqual({ stage: 'authorized', findings: [], omitted: 0 });
  });

  it('Every update and query has a description for operators.', async () => {
    const { handle } = await launches.admit({});
    await handle.result();
    const { definition } = await metadataOf(handle);
    const described = [...definition.updateDefinitions, ...definition.queryDefinitions].filter(
      ({ name }) => !name.startsWith('__'),
    );
    expect(described.map(({ name }) => name).sort()).toEqual([hold, release, retryNow, 'findings', 'timeline'].sort());
    for (const { description } of described) expect(description.length).toBeGreaterThan(40);
  });
});
