import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObservePollResult } from '@launch/contracts/orchestration';
import { ChainFaults, Witness, type ObserverFault } from '../fixtures/chain-faults.fixture.js';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { openHistories, type Histories } from '../fixtures/stack-records.fixture.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { provokedFaults } from './provoked-faults.chapter.js';
import { releaseUpgrade } from './release-upgrade.chapter.js';
import { launchesUnderLies } from './custom-launch-observers.chapter.js';

/**
 * Finality does not lie while one observer of a chain does: a live launch under each fault. While the fault lasts and
 * the chains finalize the launch, the projection stays where both observers still agree. When it ends, the launch is
 * finalized within a few polls.
 */
/** Polls after the end of a fault by which finality has recovered. The poll in progress may have begun before. */
const RECOVERED_WITHIN_POLLS = 3;
/** Polls under each fault after the chains have finalized the launch. */
const DECEIVED_POLLS = 2;

let stack: E2eStack;
let launcher: Launcher;
let chains: ChainFaults;
let histories: Histories;
const waiting: HandedOff[] = [];

type Stage = ObservePollResult['memory']['stage'];
interface Case {
  readonly what: string;
  readonly faults: readonly ObserverFault[];
  /** The highest stage on which the observers can still agree. */
  readonly stage: Stage;
}
const l2 = (faults: ObserverFault['faults']): ObserverFault => ({ chain: '4663', observer: 1, faults });
const l1 = (faults: ObserverFault['faults']): ObserverFault => ({ chain: '1', observer: 0, faults });
const forged = (field: 'status' | 'logs' | 'blockHash') => ({
  forgeReceipt: { transactionHash: null, fields: [field] },
});

const CASES: readonly Case[] = [
  { what: 'an L2 observer that lags', faults: [l2({ lag: 500 })], stage: 'submitted' },
  { what: 'an L2 observer whose head stands still', faults: [l2({ staleHead: true })], stage: 'submitted' },
  { what: 'an L2 observer that forges the status of receipts', faults: [l2(forged('status'))], stage: 'submitted' },
  { what: 'an L2 observer that forges the logs of receipts', faults: [l2(forged('logs'))], stage: 'submitted' },
  { what: 'an L2 observer that forges the block of receipts', faults: [l2(forged('blockHash'))], stage: 'submitted' },
  { what: 'an L2 observer with another chain', faults: [l2({ disagree: true })], stage: 'submitted' },
  { what: 'an L2 observer that finds no logs', faults: [l2({ emptyLogs: true })], stage: 'posted' },
  { what: 'an L2 observer that fails', faults: [l2({ errors: true })], stage: 'submitted' },
  { what: 'an L1 observer that lags', faults: [l1({ lag: 500 })], stage: 'included' },
  { what: 'an L1 observer that finds no logs', faults: [l1({ emptyLogs: true })], stage: 'included' },
  { what: 'an L1 observer with another chain', faults: [l1({ disagree: true })], stage: 'included' },
  { what: 'an L1 observer that finalizes nothing', faults: [l1({ holdFinalized: true })], stage: 'posted' },
  { what: 'an L1 observer that breaks connections', faults: [l1({ dropResponses: 'reset' })], stage: 'included' },
  {
    what: 'one observer of each chain, each with a lie of its own',
    faults: [l2(forged('logs')), l1({ emptyLogs: true })],
    stage: 'submitted',
  },
];

beforeAll(async () => {
  // The test judges a number of polls, so they may be frequent.
  stack = await startE2eStack({
    finalitySeconds: 3,
    serviceEnv: { 'finality-worker': { FINALITY_POLL_MIN_MS: '750', FINALITY_POLL_MAX_MS: '1500' } },
  });
  launcher = await Launcher.open(stack);
  chains = new ChainFaults(stack);
  histories = await openHistories(stack);
  // All are admitted first: a fault must affect the sent transaction, not the simulation. The first compilation serves them
  // all.
  waiting.push(await launcher.authorize());
  const created: string[] = [];
  while (created.length < CASES.length - 1) created.push(await launcher.create(await launcher.prepare()));
  for (const launchId of created) waiting.push(await launcher.handedOff(launchId));
}, 2 * PATIENCE_MS);
afterEach(() => chains.endAll());
afterAll(async () => {
  await histories?.close();
  await stack?.stop();
});

/** Waits until the observation has polled this often since a moment. */
async function polledSince(launchId: string, since: number, times: number): Promise<readonly ObservePollResult[]> {
  for (
    const deadline = Date.now() + PATIENCE_MS;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 200))
  ) {
    const later = (await histories.polls(launchId)).filter(({ observation }) => Date.parse(observation.at) > since);
    if (later.length >= times) return later;
  }
  throw new Error(`launch ${launchId} was not looked at ${times} times`);
}

describe('The finality of a launch', () => {
  it.each(CASES.map((one) => [one.what, one] as const))(
    'stays at the last agreed stage under %s',
    async (_what, { faults, stage }) => {
      const launch = waiting.pop() as HandedOff;
      const { launchId } = launch;
      for (const fault of faults) await chains.begin(fault);
      const hash = await launcher.send(launch);
      const witness = new Witness(launcher.api, chains, launchId, hash);
      await chains.until(hash, ({ state }) => state === 'finalized');
      const deceived = await polledSince(launchId, Date.now(), DECEIVED_POLLS);
      expect(new Set(deceived.map(({ memory }) => memory.stage))).toEqual(new Set([stage]));

      await chains.endAll();
      const ended = Date.now();
      const { finality } = await launcher.finalized(launchId);
      expect(await witness.verdict()).toEqual([]);
      expect(finality).toMatchObject({
        state: 'ethereum_finalized',
        transactionHash: hash,
        observation: { status: 'agreed' },
      });
      const polls = await histories.polls(launchId);
      expect(polls.at(-1)?.memory.stage).toBe('finalized');
      const after = polls.filter(({ observation }) => Date.parse(observation.at) > ended);
      expect(after.length).toBeLessThanOrEqual(RECOVERED_WITHIN_POLLS);
    },
    2 * PATIENCE_MS,
  );
});

provokedFaults(() => stack);
launchesUnderLies(() => ({ stack, chains, histories }));
releaseUpgrade(() => stack);
