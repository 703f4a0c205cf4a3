import { describe, expect, it } from '@jest/globals';
import { withRetries, type Patience, type Retryable } from './retry.js';

class Refused extends Error implements Retryable {
  constructor(
    readonly retryAfterSeconds: number | null,
    readonly code = 'BUSY',
  ) {
    super(code);
  }
}

/** Runs a call that answers with these, and returns its result, the number of calls, and the waits in seconds. */
async function run(answers: readonly (Refused | string)[], isPatient = true) {
  const waits: number[] = [];
  let calls = 0;
  const patience: Patience = {
    retryableOf: (error) => (error instanceof Refused && error.code === 'BUSY' ? error : null),
    tell: (_refusal, seconds) => void waits.push(seconds),
    sleep: async () => undefined,
  };
  const call = async () => {
    const answer = answers[Math.min(calls, answers.length - 1)]!;
    calls += 1;
    if (typeof answer !== 'string') throw answer;
    return answer;
  };
  const result = await withRetries(call, isPatient ? patience : null).catch((error: Error) => error.message);
  return { result, calls, waits };
}

describe('a call with --retry', () => {
  it('is repeated after the time that the service asks for, of at most a minute', async () => {
    const answers = [new Refused(7), new Refused(0), new Refused(600), 'done'];
    expect(await run(answers)).toEqual({ result: 'done', calls: 4, waits: [7, 0, 60] });
  });

  it('is repeated at most five times, after doubled pauses if the service names none', async () => {
    expect(await run([new Refused(null)])).toEqual({ result: 'BUSY', calls: 6, waits: [1, 2, 4, 8, 16] });
  });

  it('ends with a refusal that is not retryable', async () => {
    const answers = [new Refused(null), new Refused(null, 'WRONG')];
    expect(await run(answers)).toEqual({ result: 'WRONG', calls: 2, waits: [1] });
  });
});

it('A call without --retry is sent once.', async () => {
  expect(await run([new Refused(1)], false)).toEqual({ result: 'BUSY', calls: 1, waits: [] });
});
