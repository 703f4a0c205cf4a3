import { describe, expect, it } from '@jest/globals';
import type { FinalizedHead, RecoveryBlock, RecoveryTarget, StampScan } from '@launch/contracts/orchestration';
import { recoverForEver, recoverLaunchesLogic, type RecoverySteps } from './recover-launches.logic.js';

const ROUTER = `0x${'2'.repeat(40)}` as const;
const block = (number: number): RecoveryBlock => ({
  blockNumber: String(number),
  blockHash: `0x${number.toString(16).padStart(64, '0')}` as const,
});
const STAMP = { onchainLaunchId: `0x${'1'.repeat(64)}` as const, transactionHash: `0x${'7'.repeat(64)}` as const };
const scan = (more: Partial<StampScan> = {}): StampScan => ({
  router: ROUTER,
  observation: 'agreed',
  reason: null,
  stamps: [],
  before: block(5),
  through: block(9),
  head: block(9),
  nextScanMs: 15_000,
  ...more,
});

interface Script {
  readonly scans: readonly StampScan[];
  readonly targets?: readonly RecoveryTarget[];
  readonly rounds?: number;
  readonly fail?: string;
  /** As runs did before a schedule started them. */
  readonly isForEver?: boolean;
}

async function run({
  scans,
  targets = [{ router: ROUTER, fromBlock: '3' }],
  rounds = 1,
  fail,
  isForEver = false,
}: Script) {
  const calls: string[] = [];
  const pauses: number[] = [];
  let scanned = 0;
  const say = (call: string): void => {
    calls.push(call);
    if (fail !== undefined && call.startsWith(fail)) throw new Error(fail);
  };
  const steps: RecoverySteps = {
    finality: {
      finalizedHead: async (): Promise<FinalizedHead> => (say('head'), { head: block(9), reason: null }),
      async scanStamps(input) {
        say(`scan from ${input.fromBlock} to ${input.head?.blockNumber}`);
        return scans[scanned++] ?? scan();
      },
      commitCheckpoint: async ({ before, through }) =>
        say(`commit ${before?.blockNumber ?? '-'} ${through?.blockNumber}`),
    },
    gateway: {
      recoveryTargets: async () => (say('targets'), targets),
      resolveStamps: async ({ stamps }) => (say(`resolve ${stamps.length}`), { woken: stamps.length }),
      recordRecovery: async ({ checkpoint, observation }) =>
        say(`report ${checkpoint?.blockNumber ?? '-'} ${observation}`),
    },
    isHistoryLong: (round) => round >= rounds,
  };
  const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
  let failed: string | null = null;
  const ended = await (isForEver ? recoverForEver({ ...steps, pause }) : recoverLaunchesLogic(steps)).catch(
    (error: Error) => void (failed = error.message),
  );
  return { calls, pauses, failed, ended };
}

describe('recoverLaunches', () => {
  it('reads the head before it asks what matters, and moves the checkpoint after the stamps are resolved', async () => {
    const { calls } = await run({ scans: [scan({ stamps: [STAMP] })] });
    expect(calls).toEqual(['head', 'targets', 'scan from 3 to 9', 'resolve 1', 'commit 5 9', 'report 9 agreed']);
  });

  it('moves no checkpoint when the stamps could not be resolved', async () => {
    const { calls, failed } = await run({ scans: [scan({ stamps: [STAMP] })], fail: 'resolve' });
    expect(failed).toBe('resolve');
    expect(calls.some((call) => call.startsWith('commit'))).toBe(false);
  });

  it('reports, and moves nothing, where nothing was searched', async () => {
    const { calls } = await run({
      scans: [scan({ through: block(5), observation: 'indeterminate', reason: 'stamps: a and b disagree' })],
    });
    expect(calls).toEqual(['head', 'targets', 'scan from 3 to 9', 'report 5 indeterminate']);
  });

  it('begins a checkpoint, and replaces one of another chain', async () => {
    expect((await run({ scans: [scan({ before: null })] })).calls).toContain('commit - 9');
    expect(
      (await run({ scans: [scan({ before: { ...block(9), blockHash: `0x${'f'.repeat(64)}` } })] })).calls,
    ).toContain('commit 9 9');
  });

  it('searches on while there is more for any router, and ends when there is not', async () => {
    const others = [
      { router: ROUTER, fromBlock: null },
      { router: `0x${'3'.repeat(40)}` as const, fromBlock: null },
    ];
    const { calls, ended } = await run({
      targets: others,
      scans: [scan({ nextScanMs: 0 }), scan(), scan({ nextScanMs: 900 }), scan()],
      rounds: 9,
    });
    expect(calls.filter((call) => call === 'head')).toHaveLength(2);
    expect(ended).toBe('caught-up');
  });

  it('goes on in a new run when its history is long and there is more', async () => {
    const { calls, ended } = await run({ scans: Array.from({ length: 9 }, () => scan({ nextScanMs: 0 })), rounds: 3 });
    expect(calls.filter((call) => call === 'head')).toHaveLength(3);
    expect(ended).toBe('more');
  });

  it('ends when no router is named', async () => {
    const { calls, ended } = await run({ targets: [], scans: [], rounds: 9 });
    expect(calls).toEqual(['head', 'targets']);
    expect(ended).toBe('caught-up');
  });
});

describe('recoverLaunches, as it ran before a schedule started it', () => {
  it('does not pause while there is more, and otherwise as long as the most impatient router', async () => {
    const others = [
      { router: ROUTER, fromBlock: null },
      { router: `0x${'3'.repeat(40)}` as const, fromBlock: null },
    ];
    const { pauses } = await run({
      targets: others,
      scans: [scan({ nextScanMs: 0 }), scan(), scan({ nextScanMs: 900 }), scan({ nextScanMs: 500 }), scan(), scan()],
      rounds: 3,
      isForEver: true,
    });
    expect(pauses).toEqual([500]);
  });

  it('waits when no router is named', async () => {
    const { calls, pauses } = await run({ targets: [], scans: [], rounds: 2, isForEver: true });
    expect(calls).toEqual(['head', 'targets', 'head', 'targets']);
    expect(pauses).toEqual([15_000]);
  });
});
