import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import {
  OPERATOR_QUERIES,
  OPERATOR_REJECTIONS,
  OPERATOR_UPDATES,
  SEARCH_ATTRIBUTES,
  STEP_ABANDONED,
  type HoldAnswer,
  type RetryNowAnswer,
  type StepTimeline,
} from '@launch/contracts/orchestration';
import { recordHistory } from '../fixtures/recorded-histories.fixture.js';
import {
  BROKEN_PLAN,
  BUILT,
  digest,
  FAILED,
  FOREIGN_PLAN,
  FORGED,
  LARGE_PLAN,
  LONG_EVENTS,
  OUTDATED,
  OUTDATED_PLAN,
  PLAN,
  ScriptedReviews,
  TOO_LARGE,
  UNSIGNED,
} from '../fixtures/scripted-reviews.fixture.js';

jest.setTimeout(180_000);
const reviews = new ScriptedReviews();
beforeAll(() => reviews.start());
afterAll(() => {
  // A failed test leaves its build open, and the worker waits for open activities.
  for (const open of gates) open();
  return reviews.stop();
});

const { hold, release, retryNow } = OPERATOR_UPDATES;
const DECISION = digest('e');
const refusal = (type: string) => ({ cause: { type } });
const record = (name: string, handle: Parameters<typeof recordHistory>[2]) =>
  recordHistory('review-submission', name, handle);

/** Returns the names of the updates in a review's history. */
const acceptedUpdates = async (handle: WorkflowHandle): Promise<unknown[]> =>
  (await handle.fetchHistory()).events!.flatMap(({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) =>
    accepted == null ? [] : [accepted.acceptedRequest?.input?.name],
  );

const gates: (() => void)[] = [];
/** A build that stays open until the test resolves it. */
function openBuild() {
  let begun!: () => void;
  let open!: () => void;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  gates.push(open);
  return { build: async () => (begun(), await opened, BUILT), hasBegun, open };
}

describe('The review of a submission', () => {
  it('goes from a plan over a build to an accepting decision, and shows each step once', async () => {
    const { handle, one, until, update, submissionId } = await reviews.begin({ builds: [BUILT] });
    await record('open-awaiting-plan', handle);
    expect(await update('attachPlan', { revision: 0, planSha256: PLAN })).toEqual({
      kind: 'moved',
      state: 'queued',
      revision: 1,
    });
    const revision = await until('built');
    expect(await reviews.found(`ReviewState = 'built' AND ReviewAttempt = 1`)).toContain(`review/${submissionId}`);
    await record('open-built', handle);
    expect(await update('decide', { revision, outcome: 'accept', decisionSha256: DECISION })).toEqual({
      kind: 'moved',
      state: 'accepted',
      revision: 4,
    });
    expect(await handle.result()).toBe('accepted');
    expect(one.reported).toEqual(['0 awaiting_plan 0', '1 queued 0', '2 running 1', '3 built 1', '4 accepted 1']);
    expect(
      one.moves.map(({ trigger, build, decisionSha256 }) => [trigger, build?.signature ?? null, decisionSha256]),
    ).toEqual([
      ['plan_attached', null, null],
      ['build_started', null, null],
      ['build_succeeded', BUILT.signature, null],
      ['accept', null, DECISION],
    ]);
    const { searchAttributes, memo } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      [SEARCH_ATTRIBUTES.submission]: [submissionId],
      [SEARCH_ATTRIBUTES.author]: [`0x${'8'.repeat(40)}`],
      [SEARCH_ATTRIBUTES.reviewState]: ['accepted'],
      [SEARCH_ATTRIBUTES.reviewAttempt]: [1],
    });
    expect(memo).toMatchObject({ state: 'accepted', revision: 4, attempt: 1 });
    await record('accepted', handle);
  });

  it('builds once more after a failed build, and ends with requested changes', async () => {
    const { handle, one, until, update } = await reviews.begin({ builds: [FAILED, BUILT] });
    await update('attachPlan', { revision: 0, planSha256: PLAN });
    await until('build_failed');
    await record('open-build-failed', handle);
    expect(one.moves.at(-1)!.failure).toEqual({ code: FAILED.code, place: FAILED.place });
    await update('requeue', { revision: 3 });
    await until('built');
    await update('decide', { revision: 6, outcome: 'request_changes', decisionSha256: DECISION });
    expect(await handle.result()).toBe('changes_requested');
    expect(one.reported.slice(3)).toEqual([
      '3 build_failed 1',
      '4 queued 1',
      '5 running 2',
      '6 built 2',
      '7 changes_requested 2',
    ]);
    await record('changes-requested-after-requeue', handle);
  });

  it('abandons a plan after three builders that were lost or did not sign, and allows three more for a new plan', async () => {
    const gone = new Error('gone');
    const { one, until, update, handle } = await reviews.begin({ builds: [gone, UNSIGNED, gone, gone, BUILT] });
    await update('attachPlan', { revision: 0, planSha256: PLAN });
    const revision = await until('build_failed');
    expect([revision, one.moves.at(-1)!.failure]).toEqual([7, { code: 'JOB_ABANDONED', place: '' }]);
    expect(one.reported.filter((line) => line.includes('running'))).toEqual([
      '2 running 1',
      '4 running 2',
      '6 running 3',
    ]);
    await update('attachPlan', { revision, planSha256: PLAN });
    await until('built');
    await update('decide', { revision: 12, outcome: 'reject', decisionSha256: DECISION });
    expect(await handle.result()).toBe('rejected');
    await record('rejected-after-abandoned-builds', handle);
  });

  it('waits for another plan when the policy is replaced during a build, without counting a lost builder', async () => {
    const { one, until, update, handle } = await reviews.begin({ builds: [UNSIGNED, BUILT] });
    await update('attachPlan', { revision: 0, planSha256: OUTDATED_PLAN });
    const revision = await until('build_failed');
    expect([revision, one.moves.at(-1)!.failure, one.record.losses]).toEqual([3, OUTDATED, 0]);
    await record('open-policy-replaced', handle);
    await update('attachPlan', { revision, planSha256: PLAN });
    await until('built');
    await update('decide', { revision: 6, outcome: 'accept', decisionSha256: DECISION });
    expect(await handle.result()).toBe('accepted');
    expect(one.moves.map(({ trigger }) => trigger)).not.toContain('builder_lost');
    await record('accepted-after-policy-replaced', handle);
  });

  it('rejects an input of another revision, state or form before anything is written', async () => {
    const { update, until, one, handle } = await reviews.begin({ builds: [BUILT] });
    const decision = { outcome: 'accept', decisionSha256: DECISION };
    for (const [type, name, args] of [
      ['REVISION_STALE', 'decide', { revision: 1, ...decision }],
      ['REVIEW_STATE_INVALID', 'decide', { revision: 0, ...decision }],
      ['REVIEW_STATE_INVALID', 'requeue', { revision: 0 }],
      ['REVIEW_UPDATE_INVALID', 'attachPlan', { revision: 0, planSha256: 'a' }],
      ['REVIEW_UPDATE_INVALID', 'decide', { revision: 0, ...decision, outcome: 'acceptable' }],
    ] as const)
      await expect(update(name, args)).rejects.toMatchObject(refusal(type));
    // The history contains an update that a handler refuses, but not one that a validator rejects.
    expect(await acceptedUpdates(handle)).toEqual([]);
    expect(await update('attachPlan', { revision: 0, planSha256: FOREIGN_PLAN })).toEqual({
      kind: 'refused',
      code: 'PLAN_MISMATCH',
      place: '/submissionDigest',
    });
    expect(await acceptedUpdates(handle)).toEqual(['attachPlan']);
    expect([one.moves, one.reported]).toEqual([[], ['0 awaiting_plan 0']]);
    const plans = await Promise.allSettled([0, 1].map(() => update('attachPlan', { revision: 0, planSha256: PLAN })));
    expect(plans.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(plans.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refusal('REVISION_STALE') });
    const revision = await until('built');
    expect(await update('decide', { revision, ...decision, decisionSha256: FORGED })).toMatchObject({
      code: 'REVIEW_SIGNATURE_INVALID',
    });
    const both = await Promise.allSettled([
      update('decide', { revision, ...decision }),
      update('decide', { revision, ...decision, outcome: 'reject' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(one.moves.filter(({ revision: from }) => from === revision)).toHaveLength(1);
    await handle.result();
  });

  it('reports a package larger than the profile to the reviewer, and to the author as a failed build', async () => {
    const { update, until, one, handle } = await reviews.begin();
    expect(await update('attachPlan', { revision: 0, planSha256: LARGE_PLAN })).toEqual({
      kind: 'refused',
      ...TOO_LARGE,
    });
    const revision = await until('build_failed');
    expect(one.moves.at(-1)!.failure).toEqual(TOO_LARGE);
    await update('decide', { revision, outcome: 'request_changes', decisionSha256: DECISION });
    expect(await handle.result()).toBe('changes_requested');
    await record('larger-than-the-profile', handle);
  });
});

describe('an operator', () => {
  const detailsOf = async ({ handle }: Awaited<ReturnType<ScriptedReviews['begin']>>): Promise<string> =>
    (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

  it('holds the next build and releases it, while plans continue', async () => {
    const { build, hasBegun, open } = openBuild();
    const review = await reviews.begin({ builds: [build] });
    const { update, until, handle } = review;
    await expect(update(release)).rejects.toMatchObject(refusal(OPERATOR_REJECTIONS.notHeld));
    await expect(update(hold, 7)).rejects.toMatchObject(refusal(OPERATOR_REJECTIONS.input));
    expect(await update<HoldAnswer>(hold, 'solc is looked at')).toEqual({ held: true, until: null });
    await expect(update(hold)).rejects.toMatchObject(refusal(OPERATOR_REJECTIONS.alreadyHeld));
    await update('attachPlan', { revision: 0, planSha256: PLAN });
    await until('queued');
    expect(await detailsOf(review)).toMatch(/`queued`.*an operator to release the review.*send `release`/s);
    await record('open-queued-held', handle);
    expect(await update<HoldAnswer>(release)).toEqual({ held: false, until: null });
    await hasBegun;
    expect(await detailsOf(review)).toMatch(/`running`.*Build the plan twice in isolation and sign.*send `hold`/s);
    await record('open-running', handle);
    open();
    const revision = await until('built');
    await update('decide', { revision, outcome: 'accept', decisionSha256: DECISION });
    expect(await handle.result()).toBe('accepted');
    await record('held-and-released', handle);
  });

  it('ends the pause before the next request to a builder of another policy', async () => {
    // The last of these pauses is longer than this test may take.
    const review = await reviews.begin({ builds: [BUILT], strangers: 4 });
    const { update, until, handle, one } = review;
    await expect(update(retryNow)).rejects.toMatchObject(refusal(OPERATOR_REJECTIONS.notPausing));
    await update('attachPlan', { revision: 0, planSha256: PLAN });
    const shown: string[] = [];
    for (; one.record.state === 'queued'; await new Promise((go) => setTimeout(go, 20))) {
      const details = await detailsOf(review);
      if (!details.includes('send `retryNow`')) continue;
      // A pause may end by itself meanwhile.
      const answer = await update<RetryNowAnswer>(retryNow).catch(() => null);
      if (answer !== null) shown.push(`${answer.steps.join()} ${details}`);
    }
    expect(shown.at(-1)).toMatch(/^attestBuilder .*attestBuilder: BUILD_POLICY_MISMATCH, 4 times/s);
    const revision = await until('built');
    const { steps } = await handle.query<StepTimeline>(OPERATOR_QUERIES.timeline);
    expect(steps.filter(({ step }) => step === 'attestBuilder').map(({ lastFailure }) => lastFailure)).toEqual([
      ...Array.from({ length: 4 }, () => 'BUILD_POLICY_MISMATCH'),
      null,
    ]);
    expect(await handle.query(OPERATOR_QUERIES.findings)).toEqual({ stage: 'built', findings: [], omitted: 0 });
    await update('decide', { revision, outcome: 'reject', decisionSha256: DECISION });
    await handle.result();
    await record('builder-of-another-policy', handle);
  });

  it('The review shows a failing step in its memo, repeats it and continues.', async () => {
    const { update, until, handle } = await reviews.begin({ builds: [BUILT], faults: 1 });
    await update('attachPlan', { revision: 0, planSha256: PLAN });
    const revision = await until('built');
    expect((await handle.describe()).memo).toMatchObject({ trouble: '' });
    const { steps } = await handle.query<StepTimeline>(OPERATOR_QUERIES.timeline);
    expect(steps.find(({ step }) => step === 'moveReview')).toMatchObject({
      attempts: 2,
      outcome: 'answered',
      lastFailure: 'MODULE_REVIEW_STEP_FAILED',
    });
    await update('decide', { revision, outcome: 'reject', decisionSha256: DECISION });
    await handle.result();
    await record('step-in-trouble', handle);
  });
});

it('A plan that cannot be judged fails its update with a named failure, and the review accepts another plan.', async () => {
  const { update, until, one, handle } = await reviews.begin({ builds: [BUILT] });
  const broken = expect(update('attachPlan', { revision: 0, planSha256: BROKEN_PLAN })).rejects.toMatchObject({
    cause: { type: STEP_ABANDONED, message: 'judgePlan: BLOB_MISSING' },
  });
  const inTrouble = async (): Promise<boolean> =>
    (await handle.query<StepTimeline>(OPERATOR_QUERIES.timeline)).steps.at(-1)?.lastFailure === 'BLOB_MISSING';
  while (!(await inTrouble())) await new Promise((go) => setTimeout(go, 20));
  // It waits for the end of the other plan, whose pauses an operator ends.
  const sound = update('attachPlan', { revision: 0, planSha256: PLAN });
  let isBroken = false;
  void broken.finally(() => (isBroken = true)).catch(() => undefined);
  for (; !isBroken; await new Promise((go) => setTimeout(go, 50))) await update(retryNow).catch(() => undefined);
  await broken;
  expect(await sound).toMatchObject({ kind: 'moved', state: 'queued' });
  await until('built');
  expect(one.moves.map(({ planSha256 }) => planSha256)).not.toContain(BROKEN_PLAN);
  await handle.terminate();
});

it('A long history continues in a new run, which keeps the review and its hold.', async () => {
  const { update, until, handle } = await reviews.begin({ builds: [BUILT] });
  const { runId } = await handle.describe();
  await update(hold);
  // Each refused plan adds about ten events.
  for (let refused = 0; (await handle.describe()).runId === runId; refused += 1) {
    if (refused > LONG_EVENTS) throw new Error('the run goes on');
    await update('attachPlan', { revision: 0, planSha256: FOREIGN_PLAN });
  }
  await expect(update(hold)).rejects.toMatchObject(refusal(OPERATOR_REJECTIONS.alreadyHeld));
  await update('attachPlan', { revision: 0, planSha256: PLAN });
  await until('queued');
  await update(release);
  await until('built');
  await handle.terminate();
});

it('A report of readiness verifies the builder and informs the gateway.', async () => {
  const handle = await reviews.reportReadiness();
  expect(reviews.readiness).toEqual([
    {
      databaseReady: true,
      workerAuthorityReady: true,
      reviewerPolicyDigest: digest('9'),
      workerSourceCommit: 'c'.repeat(40),
    },
  ]);
  await recordHistory('review-readiness', 'open-waiting', handle);
  await handle.terminate();
});
