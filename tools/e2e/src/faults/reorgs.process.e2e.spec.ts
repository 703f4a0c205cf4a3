import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObservePollResult } from '@launch/contracts/orchestration';
import type { PlanResourceV12 } from '@launch/contracts/plans';
import { ChainFaults, Witness } from '../fixtures/chain-faults.fixture.js';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { PlanDesk, stepOf } from '../fixtures/plan-desk.fixture.js';
import { openHistories, type Histories } from '../fixtures/stack-records.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { isTerminal } from '../launch-api.js';
import { launchesThatMoveBack } from './custom-launch-reorgs.chapter.js';

/** Finality does not lie while the chains really reorganise: stages go back down, and up again. */
/** Polls after a change of the chains by which the projection has followed. The poll in progress may have begun before. */
const FOLLOWED_WITHIN_POLLS = 3;
/** Seconds of a permit's window that custody requires when it signs, plus the rest of the admission. */
const SIGNING_SECONDS = 75;

let stack: E2eStack;
let launcher: Launcher;
let chains: ChainFaults;
let histories: Histories;
let doomed: HandedOff;
let dropped: HandedOff;
let unposted: HandedOff;

beforeAll(async () => {
  // Long enough between posting and finality that a posted batch can still be lost.
  stack = await startE2eStack({ finalitySeconds: 15 });
  launcher = await Launcher.open(stack);
  chains = new ChainFaults(stack);
  histories = await openHistories(stack);
  const began = Date.now();
  dropped = await launcher.authorize();
  unposted = await launcher.authorize();
  // A reverted launch ends with its permit: the window is short, but long enough for the load of this machine.
  const admissionSeconds = Math.ceil((Date.now() - began) / 2_000);
  doomed = await launcher.authorize({ windowSeconds: SIGNING_SECONDS + Math.max(30, 4 * admissionSeconds) });
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await histories?.close();
  await stack?.stop();
});

type Fits = (poll: ObservePollResult) => boolean;

/** Waits until the projection has followed, and checks the number of polls since a moment. */
async function followed(launchId: string, since: number, fits: Fits): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const polls = await histories.polls(launchId);
    const later = polls.filter(({ observation }) => Date.parse(observation.at) > since);
    const first = later.findIndex(fits);
    if (first >= 0) return expect(first).toBeLessThan(FOLLOWED_WITHIN_POLLS);
    const latest = polls.at(-1);
    // It may have followed before the caller read the clock.
    if (latest !== undefined && fits(latest)) return;
    if (Date.now() > deadline) throw new Error(`launch ${launchId} did not follow: ${JSON.stringify(latest)}`);
  }
}

/** Sends the launch and waits for its block, with posting held. */
async function included(launch: HandedOff): Promise<{ hash: `0x${string}`; witness: Witness; blockHash: string }> {
  await chains.holdPosting();
  const hash = await launcher.send(launch);
  const witness = new Witness(launcher.api, chains, launch.launchId, hash);
  const { finality } = await launcher.api.until(
    launch.launchId,
    ({ finality: { state } }) => state === 'included',
    PATIENCE_MS,
  );
  await witness.note();
  return { hash, witness, blockHash: finality.inclusion?.blockHash ?? '' };
}

/** Removes a transaction's block from the chain and waits until the projection has dropped it. */
async function uninclude(launchId: string, hash: `0x${string}`): Promise<void> {
  const outcome = await chains.reorg('4663', { dropTransaction: hash });
  const since = Date.now();
  expect(outcome.droppedTransactions).toContain(hash);
  await followed(launchId, since, ({ memory }) => memory.stage === 'submitted' && memory.inclusion === null);
  const { status, finality } = await launcher.api.until(
    launchId,
    ({ finality: { state } }) => state === 'pending',
    PATIENCE_MS,
  );
  expect({ status, inclusion: finality.inclusion, hash: finality.transactionHash }).toEqual({
    status: 'submitted',
    inclusion: null,
    hash,
  });
}

describe('On chains that reorganise,', () => {
  let doomedWitness: Witness;
  let doomedHash: `0x${string}`;

  it(
    'a receipt that changed to failed before it was posted never becomes a launch',
    async () => {
      const { launchId } = doomed;
      const { hash, witness } = await included(doomed);
      [doomedHash, doomedWitness] = [hash, witness];
      await uninclude(launchId, hash);
      // The same transaction returns to a chain whose router no longer accepts the permit.
      await chains.acceptPermitsFrom(2n ** 63n);
      await chains.restore();
      const truth = await chains.until(hash, ({ inclusion }) => inclusion !== null);
      expect(truth.inclusion?.status).toBe('reverted');
      await followed(launchId, Date.now(), ({ observation }) => observation.reason === 'RECEIPT_REVERTED_UNFINALIZED');
      await chains.acceptPermitsFrom(0n);
      const resource = await launcher.api.get(launchId);
      expect(resource).toMatchObject({
        status: 'submitted',
        finality: { state: 'pending', inclusion: null, posting: null },
      });
      await chains.resumePosting();
    },
    2 * PATIENCE_MS,
  );

  it(
    'a launch returns to pending after an L2 reorganisation, and is included again in another block',
    async () => {
      const { launchId } = unposted;
      const { hash, witness, blockHash } = await included(unposted);
      await uninclude(launchId, hash);
      await chains.restore();
      await chains.until(hash, ({ inclusion }) => inclusion !== null);
      await followed(launchId, Date.now(), ({ memory }) => memory.stage === 'included');
      await chains.resumePosting();
      await chains.until(hash, ({ state }) => state === 'finalized');
      await followed(launchId, Date.now(), ({ memory }) => memory.stage === 'finalized');
      const { finality } = await launcher.finalized(launchId);
      expect(finality.inclusion?.blockHash).not.toBe(blockHash);
      expect(await witness.verdict()).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  it(
    'a launch returns to included after an L1 reorganisation drops its batch, and is posted again with another batch',
    async () => {
      const { launchId } = dropped;
      const { hash, witness } = await included(dropped);
      await chains.resumePosting();
      const { batch } = await chains.until(hash, ({ state }) => state !== 'included');
      await chains.holdPosting();
      await launcher.api.until(launchId, ({ finality }) => finality.posting !== null, PATIENCE_MS);
      await witness.note();
      const { droppedBatches } = await chains.reorg('1', { dropTransaction: batch?.transactionHash ?? '' });
      const since = Date.now();
      expect(droppedBatches).toContain(batch?.batchNumber);
      await followed(launchId, since, ({ memory }) => memory.stage === 'included' && memory.posting === null);
      const down = await launcher.api.until(launchId, ({ finality }) => finality.posting === null, PATIENCE_MS);
      expect(down.finality.state).toBe('included');
      await chains.resumePosting();
      await chains.until(hash, ({ state }) => state === 'finalized');
      await followed(launchId, Date.now(), ({ memory }) => memory.stage === 'finalized');
      const { finality } = await launcher.finalized(launchId);
      expect(finality.posting?.batchTransactionHash).not.toBe(batch?.transactionHash);
      expect(await witness.verdict()).toEqual([]);
    },
    2 * PATIENCE_MS,
  );

  // While the window of the reverted launch passes.
  launchesThatMoveBack(() => ({ stack, chains }));

  it(
    'a reverted launch fails when the revert is final and its permit can never be used again',
    async () => {
      await chains.until(doomedHash, ({ state }) => state === 'finalized');
      const resource = await launcher.api.until(doomed.launchId, isTerminal, 2 * PATIENCE_MS);
      expect(resource).toMatchObject({
        status: 'failed',
        findings: [{ code: 'LAUNCH_REVERTED' }],
        finality: { state: 'pending', finalizedAt: null },
      });
      expect(await doomedWitness.verdict()).toEqual([]);
      expect((await launcher.published(resource.onchainLaunchId)).status).toBe(404);
      const polls = await histories.polls(doomed.launchId);
      expect(polls.map(({ memory }) => memory.stage)).not.toContain('finalized');
    },
    3 * PATIENCE_MS,
  );

  it(
    'a step that an L2 reorganisation removes is offered again with the same bytes, and one that an L1 reorganisation removes is posted once more',
    async () => {
      const desk = await PlanDesk.open(stack);
      const { planId, steps } = await desk.create('sequential');
      const [first, second, ...others] = steps.map(({ stepId }) => stepId) as [string, string, ...string[]];
      await chains.holdPosting();
      const hash = await desk.send(await desk.offered(planId, first));
      const before = await desk.offered(planId, second);
      expect((await chains.reorg('4663', { dropTransaction: hash })).droppedTransactions).toContain(hash);
      const taken = await desk.until(planId, (plan) => stepOf(plan, second).status === 'blocked');
      expect([stepOf(taken, second).authorization, stepOf(taken, first).finality.l2Inclusion]).toEqual([null, null]);
      await chains.restore();
      expect(await desk.offered(planId, second)).toEqual(before);

      const posting = (plan: PlanResourceV12) => stepOf(plan, first).finality.l1Posting;
      await chains.resumePosting();
      const { batch } = await chains.until(hash, ({ state }) => state !== 'included');
      await chains.holdPosting();
      const dropped = posting(await desk.until(planId, (plan) => posting(plan) !== null));
      expect(dropped).toMatchObject({ batchTransactionHash: batch?.transactionHash });
      const { droppedBatches } = await chains.reorg('1', { dropTransaction: batch?.transactionHash ?? '' });
      expect(droppedBatches).toContain(batch?.batchNumber);
      const down = await desk.until(planId, (plan) => posting(plan) === null);
      expect(stepOf(down, first).finality).toMatchObject({ l2Inclusion: { transactionHash: hash } });
      await chains.resumePosting();
      const posted = posting(await desk.until(planId, (plan) => posting(plan) !== null));
      expect(posted?.batchTransactionHash).not.toBe(batch?.transactionHash);

      for (const stepId of [second, ...others]) await desk.send(await desk.offered(planId, stepId));
      await desk.until(planId, ({ status }) => status === 'finalized');
    },
    4 * PATIENCE_MS,
  );
});
