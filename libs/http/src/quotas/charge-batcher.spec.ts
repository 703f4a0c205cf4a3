import { describe, expect, it } from '@jest/globals';
import { BATCHER_BOUNDS, ChargeBatcher, type BatcherBounds } from './charge-batcher.js';
import type { Verdict } from '@launch/platform/quotas';
import type { BucketCharge } from './shared-buckets.js';

type Answer = ReadonlyMap<string, readonly Verdict[]>;

/** Returns a batcher and its sent statements, each answered when the test decides. */
function batcher(bounds: Partial<BatcherBounds> = {}) {
  const sent: {
    readonly quota: string;
    readonly charges: readonly BucketCharge[];
    readonly answer: (verdicts: Answer) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const failures: unknown[] = [];
  const together = (quota: string, charges: readonly BucketCharge[]): Promise<Answer> =>
    new Promise((answer, fail) => void sent.push({ quota, charges, answer, fail }));
  // Long enough that only intentional delays are late.
  const one = new ChargeBatcher(together, (error) => void failures.push(error), {
    ...BATCHER_BOUNDS,
    answerMs: 60_000,
    ...bounds,
  });
  /** Allows the first `granted` of each bucket; the reported number is the position in the bucket. */
  const allow = async (index: number, granted = 1_000): Promise<void> => {
    sent[index]?.answer(
      new Map(
        sent[index].charges.map(({ bucket, asked }) => [
          bucket,
          Array.from({ length: asked }, (_, place) => ({ allowed: place < granted, aheadMicros: place })),
        ]),
      ),
    );
    await new Promise(setImmediate);
  };
  return { one, sent, failures, allow };
}
const asked = (sent: { readonly charges: readonly BucketCharge[] } | undefined) =>
  sent?.charges.map(({ bucket, asked: count }) => [bucket, count]);

describe('charges of addresses', () => {
  it('gather while one statement is in flight, each bucket once, and are answered in order of arrival', async () => {
    const { one, sent, allow } = batcher();
    const first = one.charge('public', 'a');
    const rest = ['a', 'b', 'a', 'a'].map((bucket) => one.charge('public', bucket));
    expect(sent.map(asked)).toEqual([[['a', 1]]]);
    await allow(0);
    expect(await first).toEqual({ allowed: true, aheadMicros: 0 });
    expect(sent.slice(1).map(asked)).toEqual([
      [
        ['a', 3],
        ['b', 1],
      ],
    ]);
    await allow(1, 2);
    expect(await Promise.all(rest)).toEqual([
      { allowed: true, aheadMicros: 0 },
      { allowed: true, aheadMicros: 0 },
      { allowed: true, aheadMicros: 1 },
      { allowed: false, aheadMicros: 2 },
    ]);
  });

  it('Charges of several quotas take turns, and no statement carries more buckets than its bound.', async () => {
    const { one, sent, allow } = batcher({ bucketsAtOnce: 2 });
    const answers = [
      one.charge('public', 'first'),
      ...['a', 'b', 'c'].map((bucket) => one.charge('public', bucket)),
      one.charge('download', 'd'),
    ];
    for (let index = 0; index < 4; index += 1) await allow(index);
    expect(sent.map(({ quota, charges }) => [quota, ...charges.map(({ bucket }) => bucket)])).toEqual([
      ['public', 'first'],
      ['public', 'a', 'b'],
      ['download', 'd'],
      ['public', 'c'],
    ]);
    expect((await Promise.all(answers)).every((verdict) => verdict?.allowed)).toBe(true);
  });

  it('resolve with null after a timeout, and later ones do not wait until there is an answer', async () => {
    const { one, sent, allow } = batcher({ answerMs: 20 });
    expect(await Promise.all([one.charge('public', 'a'), one.charge('public', 'b')])).toEqual([null, null]);
    // A charge that arrives now returns at once, and is not kept.
    let verdict: unknown;
    for (let tries = 0; tries < 1_000 && verdict !== null; tries += 1) {
      await new Promise(setImmediate);
      verdict = await Promise.race([one.charge('public', 'c'), Promise.resolve('waits')]);
    }
    expect(verdict).toBeNull();
    await allow(0);
    // A charge that timed out was served, and is counted.
    expect(asked(sent[1])?.[0]).toEqual(['b', 1]);
    await allow(1);
    const next = one.charge('public', 'd');
    await allow(sent.length - 1);
    expect(await next).toEqual({ allowed: true, aheadMicros: 0 });
  });

  it('resolve with null immediately after a failure, which is reported, and no statement is sent for a while', async () => {
    const { one, sent, failures } = batcher({ restMs: 60_000 });
    const waiting = [one.charge('public', 'a'), one.charge('public', 'b'), one.charge('download', 'c')];
    sent[0]?.fail(new Error('away'));
    expect(await Promise.all(waiting)).toEqual([null, null, null]);
    expect(await one.charge('public', 'd')).toBeNull();
    expect([sent.length, failures.map(String)]).toEqual([1, ['Error: away']]);
  });

  it('are sent again after the pause', async () => {
    const { one, sent, allow } = batcher({ restMs: 0 });
    const failed = one.charge('public', 'a');
    sent[0]?.fail(new Error('away'));
    expect(await failed).toBeNull();
    const next = one.charge('public', 'a');
    await allow(1);
    expect(await next).toEqual({ allowed: true, aheadMicros: 0 });
  });

  it('are bounded in number while they wait', async () => {
    const { one, sent, allow } = batcher({ waiting: 2 });
    const waiting = ['a', 'b', 'c'].map((bucket) => one.charge('public', bucket));
    expect(await one.charge('public', 'd')).toBeNull();
    await allow(0);
    await allow(1);
    expect((await Promise.all(waiting)).map((verdict) => verdict?.allowed)).toEqual([true, true, true]);
    expect(sent.map(asked)).toEqual([
      [['a', 1]],
      [
        ['b', 1],
        ['c', 1],
      ],
    ]);
  });
});
