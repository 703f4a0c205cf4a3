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

/** A step that fails with these, in order, and then answers; and what it cost. */
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
  it('that a service cannot do is tried five times, each a while after the other, and given up', async () => {
    const { ended, counts, pauses, troubles } = await run(times(100, () => fault('COMPILER_DEFECT')));
    expect(ended).toBeInstanceOf(StepAbandoned);
    expect(ended).toMatchObject({ step: 'compile', reason: 'fault', code: 'COMPILER_DEFECT' });
    expect([counts.attempts, pauses]).toEqual([5, [500, 2_000, 8_000, 30_000]]);
    expect(troubles.at(-1)).toEqual({ step: 'compile', code: 'COMPILER_DEFECT', attempts: 5 });
  });

  it('that answers before that is answered, and says that it recovered', async () => {
    const { ended, counts } = await run(times(4, () => fault('ADMISSION_STEP_FAILED')));
    expect([ended, counts]).toEqual(['answer', { attempts: 5, recoveries: 1 }]);
    expect((await run([])).counts).toEqual({ attempts: 1, recoveries: 0 });
  });

  it('that is heard of no more is tried more often, over ten minutes at least, and given up', async () => {
    const { ended, counts, pauses } = await run(times(100, lost));
    expect(ended).toMatchObject({ reason: 'fault', code: 'TIMEOUT_HEARTBEAT' });
    expect(counts.attempts).toBe(12);
    // Fifteen seconds pass before each is missed.
    expect(pauses.reduce((sum, pause) => sum + pause, 12 * 15_000)).toBeGreaterThan(600_000);
  });

  it('counts what is lost apart from what cannot be done', async () => {
    const { ended, counts } = await run([...times(11, lost), ...times(4, () => fault('X'))]);
    expect([ended, counts.attempts]).toEqual(['answer', 16]);
  });

  it('that was tried until its time was over is given up as an outage, at once', async () => {
    for (const failure of [over('PROVIDERS_UNDECIDED'), unpolled()]) {
      const { ended, counts } = await run([failure]);
      expect([(ended as StepAbandoned).reason, counts.attempts]).toEqual(['outage', 1]);
    }
  });

  it('is not counted while a part is away', async () => {
    const { ended, counts } = await run(times(50, () => outage('CUSTODY_UNAVAILABLE')));
    expect([ended, counts.attempts]).toEqual(['answer', 51]);
  });

  it('is never given up by who has endless patience, and waits as long as the last pause between attempts', async () => {
    const { ended, pauses } = await run(
      times(20, () => fault('X')),
      { faults: Number.POSITIVE_INFINITY, losses: Number.POSITIVE_INFINITY, pauses: [1, 10] },
    );
    expect([ended, pauses.slice(0, 3), pauses.length]).toEqual(['answer', [1, 10, 10], 20]);
  });

  it.each([
    ['a cancellation', cancelled()],
    ['a defect of the workflow itself', new TypeError('x')],
  ])('ends with %s as it is', async (_what, error) => {
    const { ended, counts } = await run([error]);
    expect([ended, counts.attempts]).toEqual([error, 1]);
  });
});

it('all steps of a service are bounded, each by itself, with what time is left at each attempt', async () => {
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
