import { describe, expect, it } from '@jest/globals';
import { cancelled, fault, lost, outage, over, unpolled } from '../fixtures/step-failures.fixture.js';
import {
  answered,
  boundedSteps,
  MAX_FAULTS,
  MAX_LOSSES,
  STEP_PAUSES,
  type Patience,
  type StepTrouble,
} from './bounded-steps.js';
import { StepAbandoned } from './step-end.js';

/** Returns a step that fails with these failures in order and then succeeds, and records its cost. */
function counting(failures: readonly Error[], more: Partial<Patience> = {}) {
  const pauses: number[] = [];
  const troubles: StepTrouble[] = [];
  const counts = { attempts: 0, recoveries: 0 };
  const patience: Patience = {
    faults: MAX_FAULTS,
    losses: MAX_LOSSES,
    pauses: STEP_PAUSES,
    pause: async (milliseconds) => void pauses.push(milliseconds),
    onTrouble: (trouble) => void troubles.push(trouble),
    onRecovery: () => void (counts.recoveries += 1),
    ...more,
  };
  const attempt = async (): Promise<string> => {
    const failure = failures[counts.attempts++];
    if (failure !== undefined) throw failure;
    return 'answer';
  };
  return { attempt, patience, pauses, troubles, counts };
}
const run = async (failures: readonly Error[], more?: Partial<Patience>) => {
  const world = counting(failures, more);
  const ended = await answered('compile', world.attempt, world.patience).catch((error: unknown) => error);
  return { ended, ...world };
};
const times = (count: number, make: () => Error): Error[] => Array.from({ length: count }, make);

describe('a step', () => {
  it('is given up after five spaced attempts when its service fails it', async () => {
    const { ended, counts, pauses, troubles } = await run(times(100, () => fault('COMPILER_DEFECT')));
    expect(ended).toBeInstanceOf(StepAbandoned);
    expect(ended).toMatchObject({ step: 'compile', reason: 'fault', code: 'COMPILER_DEFECT' });
    expect([counts.attempts, pauses]).toEqual([5, [500, 2_000, 8_000, 30_000]]);
    expect(troubles.at(-1)).toEqual({ step: 'compile', code: 'COMPILER_DEFECT', attempts: 5 });
  });

  it('returns and reports its recovery when an earlier attempt succeeds', async () => {
    const { ended, counts } = await run(times(4, () => fault('ADMISSION_STEP_FAILED')));
    expect([ended, counts]).toEqual(['answer', { attempts: 5, recoveries: 1 }]);
    expect((await run([])).counts).toEqual({ attempts: 1, recoveries: 0 });
  });

  it('is given up after more attempts over at least ten minutes when it is lost', async () => {
    const { ended, counts, pauses } = await run(times(100, lost));
    expect(ended).toMatchObject({ reason: 'fault', code: 'TIMEOUT_HEARTBEAT' });
    expect(counts.attempts).toBe(12);
    // Each is missed after fifteen seconds.
    expect(pauses.reduce((sum, pause) => sum + pause, 12 * 15_000)).toBeGreaterThan(600_000);
  });

  it('counts lost attempts and faults separately', async () => {
    const { ended, counts } = await run([...times(11, lost), ...times(4, () => fault('X'))]);
    expect([ended, counts.attempts]).toEqual(['answer', 16]);
  });

  it('is given up immediately as an outage when its time is over', async () => {
    for (const failure of [over('PROVIDERS_UNDECIDED'), unpolled()]) {
      const { ended, counts } = await run([failure]);
      expect([(ended as StepAbandoned).reason, counts.attempts]).toEqual(['outage', 1]);
    }
  });

  it('is not counted while a part is away', async () => {
    const { ended, counts } = await run(times(50, () => outage('CUSTODY_UNAVAILABLE')));
    expect([ended, counts.attempts]).toEqual(['answer', 51]);
  });

  it('is never given up with unlimited attempts, and repeats the last pause between them', async () => {
    const { ended, pauses } = await run(
      times(20, () => fault('X')),
      { faults: Number.POSITIVE_INFINITY, losses: Number.POSITIVE_INFINITY, pauses: [1, 10] },
    );
    expect([ended, pauses.slice(0, 3), pauses.length]).toEqual(['answer', [1, 10, 10], 20]);
  });

  it.each([
    ['a cancellation', cancelled()],
    ['a defect of the workflow itself', new TypeError('x')],
  ])('fails unchanged with %s', async (_what, error) => {
    const { ended, counts } = await run([error]);
    expect([ended, counts.attempts]).toEqual([error, 1]);
  });
});

it('Each step of a service is bounded by itself, with the remaining time at each attempt.', async () => {
  let bound = 0;
  const fails = (failures: Error[], answer: string) => async (): Promise<string> => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return answer;
  };
  const service = {
    scan: fails(
      times(4, () => fault('A')),
      'scanned',
    ),
    compile: fails(
      times(4, () => fault('B')),
      'compiled',
    ),
  };
  const { patience } = counting([]);
  const steps = boundedSteps(() => ((bound += 1), service), patience);
  expect([await steps.scan(), await steps.compile(), bound]).toEqual(['scanned', 'compiled', 10]);
});
