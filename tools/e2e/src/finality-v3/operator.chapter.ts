import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FinalityStatus } from '@launch/contracts/multi-role';
import {
  admitWorkflowId,
  observeWorkflowId,
  OPERATOR_QUERIES,
  OPERATOR_REJECTIONS,
  OPERATOR_UPDATES,
  SEARCH_ATTRIBUTES,
  type FindingsView,
  type StepTimeline,
} from '@launch/contracts/orchestration';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { buying, freshKey, LaunchDesk } from '../fixtures/launch-desk.fixture.js';
import { foreignSource, freshSource } from '../fixtures/launcher.fixture.js';
import { withOwnController, type E2eStack } from '../stacks/own-stack.js';
import { isTerminal } from '../launch-api.js';

const TAKES_MS = 180_000;
/** Intervals so long that only an operator acts between two polls of a launch. */
const FINALITY = { FINALITY_POLL_MIN_MS: '60000', FINALITY_POLL_MAX_MS: '600000' };
const { hold, release, retryNow, recheck } = OPERATOR_UPDATES;

type WorkflowHandle = ReturnType<TemporalClient['client']['workflow']['getHandle']>;

let stack: E2eStack;
let desk: LaunchDesk;
let temporal: TemporalClient;

const admissionOf = (launchId: string): WorkflowHandle => temporal.client.workflow.getHandle(admitWorkflowId(launchId));
const observationOf = (launchId: string): WorkflowHandle =>
  temporal.client.workflow.getHandle(observeWorkflowId(launchId));
const timelineOf = (handle: WorkflowHandle): Promise<StepTimeline> => handle.query(OPERATOR_QUERIES.timeline);
const metadataOf = (handle: WorkflowHandle): Promise<{ readonly currentDetails: string }> =>
  handle.query('__temporal_workflow_metadata');

async function until<T>(what: string, look: () => Promise<T>, isIt: (seen: T) => boolean): Promise<T> {
  let last: T | undefined;
  for (const end = Date.now() + TAKES_MS / 2; Date.now() < end; await sleep(100)) {
    last = await look();
    if (isIt(last)) return last;
  }
  throw new Error(`${what}: last seen ${JSON.stringify(last)}`);
}

/** Sends an update to a workflow that the relay may not have started yet. */
async function send(handle: WorkflowHandle, update: string): Promise<unknown> {
  for (const end = Date.now() + TAKES_MS / 2; ; await sleep(50)) {
    try {
      return await handle.executeUpdate(update);
    } catch (error) {
      if ((error as Error).name !== 'WorkflowNotFoundError' || Date.now() > end) throw error;
    }
  }
}
/** Returns the code with which an update is rejected, or the error's name if no workflow exists to reject it. */
const rejectedAs = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => 'accepted',
    (error: Error & { readonly cause?: { readonly type?: string } }) => error.cause?.type ?? error.name,
  );

/** An operator acts on the running product through its Temporal server, and the launch's owner sees the result. */
export function operator(stackOf: () => E2eStack): void {
  describe('an operator', () => {
    beforeAll(async () => {
      stack = await withOwnController(stackOf());
      await stack.restart('finality-worker', FINALITY);
      desk = await LaunchDesk.open(stack);
      temporal = await connectTemporal(stack.stack.temporal);
    }, 300_000);
    afterAll(async () => {
      await temporal?.close();
      await stack?.restart('finality-worker');
    });

    it(
      'holds a launch before the call to custody, and releases it to its hand-off',
      async () => {
        const { launchId } = await desk.reserve(await desk.request(freshSource), freshKey());
        const admission = admissionOf(launchId);
        expect(await send(admission, hold)).toMatchObject({ held: true });
        await until(
          'the held launch',
          () => timelineOf(admission),
          ({ steps }) => steps.some(({ step, outcome }) => step === 'hold' && outcome === 'open'),
        );
        expect(await desk.api.get(launchId)).toMatchObject({ status: 'admitting', wallet: null });
        expect((await timelineOf(admission)).steps.map(({ step }) => step)).not.toContain('signPermit');
        expect(await send(admission, release)).toMatchObject({ held: false });
        expect((await desk.authorized(launchId)).wallet).not.toBeNull();
        expect(await admission.result()).toBe('authorized');
      },
      TAKES_MS,
    );

    it(
      'makes an admission check the funded wallet immediately',
      async () => {
        const wallet = privateKeyToAccount(generatePrivateKey()).address.toLowerCase();
        const poor = await LaunchDesk.open({
          ...stack,
          controller: wallet,
          issueKey: (options) => stack.issueKey({ ...options, wallet }),
        });
        const { launchId } = await poor.reserve(await poor.request(buying(1n)), freshKey());
        await poor.api.until(launchId, ({ statusReason }) => statusReason === 'CONTROLLER_FUNDS_MISSING', TAKES_MS / 2);
        const admission = admissionOf(launchId);
        expect(await rejectedAs(send(admission, hold))).toBe(OPERATOR_REJECTIONS.custodyAsked);
        // More than half of the pause remains, so the next poll is not due to the pause's own end.
        await until(
          'a pause that has just begun',
          () => metadataOf(admission),
          ({ currentDetails }) => {
            const [, next] = /the next attempt at `simulateHandoff` at (\S+),/.exec(currentDetails) ?? [];
            return next !== undefined && Date.parse(next) - Date.now() > 5_000;
          },
        );
        await new ChainFaults(stack).fund(wallet, '1000000000000000000');
        expect(await send(admission, retryNow)).toEqual({ steps: ['simulateHandoff'] });
        expect((await poor.authorized(launchId)).statusReason).toBeNull();
        const { events } = await admission.fetchHistory();
        expect(events?.some((event) => event.timerCanceledEventAttributes)).toBe(true);
        expect(await rejectedAs(admission.executeUpdate(retryNow))).toBe('WorkflowNotFoundError');
      },
      TAKES_MS,
    );

    it(
      'makes an observation poll immediately, and the owner reads the result',
      async () => {
        const { launchId } = await desk.reserve(await desk.request(), freshKey());
        await desk.authorized(launchId);
        const observed = async (): Promise<string | null> => {
          const { body } = await desk.api.send('GET', `${launchId}/finality`);
          return (body as FinalityStatus).observation?.at ?? null;
        };
        const observation = observationOf(launchId);
        const first = await until('a first look', observed, (at) => at !== null);
        await until(
          'the pause',
          () => metadataOf(observation),
          ({ currentDetails }) => currentDetails.includes('the next observation'),
        );
        expect(await send(observation, recheck)).toEqual({ stage: 'pending' });
        await until('a second look', observed, (at) => at !== first);
        expect(await rejectedAs(send(observation, retryNow))).toBe(OPERATOR_REJECTIONS.notPausing);
      },
      TAKES_MS,
    );

    it(
      'finds a refused launch by its finding, and reads the reason',
      async () => {
        const { launchId } = await desk.reserve(await desk.request(foreignSource), freshKey());
        const { findings, statusUrl } = await desk.api.until(launchId, isTerminal);
        const [code] = findings.map((one) => one.code);
        const query = `${SEARCH_ATTRIBUTES.finding} = '${String(code)}' AND ${SEARCH_ATTRIBUTES.launchId} = '${launchId}'`;
        const listed = async (): Promise<number> => (await temporal.client.workflow.count(query)).count;
        expect(await until('the list', listed, (count) => count > 0)).toBe(1);
        const admission = admissionOf(launchId);
        const view = await admission.query<FindingsView>(OPERATOR_QUERIES.findings);
        expect(view.findings).toEqual(findings);
        const described = await admission.describe();
        expect(await described.staticSummary()).toBe(`Admit launch ${launchId}`);
        expect(await described.staticDetails()).toContain(`](${stack.gateway}${statusUrl})`);
        expect((await metadataOf(admission)).currentDetails).toContain(`\`${String(code)}\``);
      },
      TAKES_MS,
    );
  });
}
