import { describe, expect, it } from '@jest/globals';
import type { FinalizedHead, RecoveryBlock, RecoveryTarget, StampScan } from '@launch/contracts/orchestration';
import { searchRound, type RecoverySteps } from './recover-launches.logic.js';

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
  readonly fail?: string;
}

async function run({ scans, targets = [{ router: ROUTER, fromBlock: '3' }], fail }: Script) {
  const calls: string[] = [];
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
  };
  let failed: string | null = null;
  const waitMs = await searchRound(steps).catch((error: Error) => void (failed = error.message));
  return { calls, failed, waitMs };
}

describe('A round of the recovery', () => {
  it('reads the head before the targets, and moves the checkpoint after the stamps are resolved', async () => {
    const { calls } = await run({ scans: [scan({ stamps: [STAMP] })] });
    expect(calls).toEqual(['head', 'targets', 'scan from 3 to 9', 'resolve 1', 'commit 5 9', 'report 9 agreed']);
  });

  it('moves no checkpoint when the stamps cannot be resolved', async () => {
    const { calls, failed } = await run({ scans: [scan({ stamps: [STAMP] })], fail: 'resolve' });
    expect(failed).toBe('resolve');
    expect(calls.some((call) => call.startsWith('commit'))).toBe(false);
  });

  it('reports without moving a checkpoint when nothing was searched', async () => {
    const { calls } = await run({
      scans: [scan({ through: block(5), observation: 'indeterminate', reason: 'stamps: a and b disagree' })],
    });
    expect(calls).toEqual(['head', 'targets', 'scan from 3 to 9', 'report 5 indeterminate']);
  });

  it('creates a checkpoint and replaces one of another chain', async () => {
    expect((await run({ scans: [scan({ before: null })] })).calls).toContain('commit - 9');
    expect(
      (await run({ scans: [scan({ before: { ...block(9), blockHash: `0x${'f'.repeat(64)}` } })] })).calls,
    ).toContain('commit 9 9');
  });

  it('repeats at the earliest time that a router asks for', async () => {
    const others = [
      { router: ROUTER, fromBlock: null },
      { router: `0x${'3'.repeat(40)}` as const, fromBlock: null },
    ];
    expect((await run({ targets: others, scans: [scan({ nextScanMs: 0 }), scan()] })).waitMs).toBe(0);
    expect((await run({ targets: others, scans: [scan(), scan({ nextScanMs: 900 })] })).waitMs).toBe(900);
  });

  it('repeats later when no router is named', async () => {
    const { calls, waitMs } = await run({ targets: [], scans: [] });
    expect(calls).toEqual(['head', 'targets']);
    expect(waitMs).toBe(15_000);
  });
});
