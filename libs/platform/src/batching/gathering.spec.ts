import { describe, expect, it, jest } from '@jest/globals';
import { Gathering } from './gathering.js';

/** Batches that end when the test decides. */
function gathering(atMost?: number, lingerMs?: number) {
  const batches: { readonly questions: readonly number[]; answer(): void; fail(error: Error): void }[] = [];
  const came = { next: Promise.withResolvers<void>() };
  const asked = new Gathering<number, string>(
    (questions) =>
      new Promise((resolve, reject) => {
        batches.push({ questions, answer: () => resolve(questions.map(String)), fail: reject });
        came.next.resolve();
        came.next = Promise.withResolvers<void>();
      }),
    { ...(atMost === undefined ? {} : { atMost }), ...(lingerMs === undefined ? {} : { lingerMs }) },
  );
  return { asked, batches, batch: () => came.next.promise };
}

describe('a gathering', () => {
  it('puts questions of one turn into a batch, and those that arrive meanwhile into the next', async () => {
    const { asked, batches, batch } = gathering();
    let begun = batch();
    const first = [asked.ask(1), asked.ask(2)];
    await begun;
    const second = [asked.ask(3), asked.ask(4)];
    expect(batches.map(({ questions }) => questions)).toEqual([[1, 2]]);
    begun = batch();
    batches[0]?.answer();
    expect(await Promise.all(first)).toEqual(['1', '2']);
    await begun;
    batches[1]?.answer();
    expect(await Promise.all(second)).toEqual(['3', '4']);
    expect(batches.map(({ questions }) => questions)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('splits a batch that would be too large', async () => {
    const { asked, batches, batch } = gathering(2);
    let begun = batch();
    const all = Promise.all([1, 2, 3].map((question) => asked.ask(question)));
    await begun;
    begun = batch();
    batches[0]?.answer();
    await begun;
    batches[1]?.answer();
    expect(await all).toEqual(['1', '2', '3']);
  });

  it('rejects only the questions of a failed batch', async () => {
    const { asked, batches, batch } = gathering();
    let begun = batch();
    const failing = Promise.allSettled([asked.ask(1), asked.ask(2)]);
    await begun;
    const other = asked.ask(3);
    begun = batch();
    batches[0]?.fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await begun;
    batches[1]?.answer();
    expect(await other).toBe('3');
  });

  it('delays a batch briefly in a crowd, but never a single caller', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      const { asked, batches, batch } = gathering(undefined, 5);
      const alone = async (question: number): Promise<void> => {
        const begun = batch();
        const answer = asked.ask(question);
        await begun;
        batches.at(-1)?.answer();
        expect(await answer).toBe(String(question));
      };
      for (const question of [1, 2, 3]) {
        await alone(question);
        jest.advanceTimersByTime(15);
      }
      // The third question within 20 ms.
      await alone(4);
      const begun = batch();
      const crowd = [asked.ask(5)];
      await new Promise(setImmediate);
      crowd.push(asked.ask(6));
      jest.advanceTimersByTime(5);
      await begun;
      batches.at(-1)?.answer();
      expect(await Promise.all(crowd)).toEqual(['5', '6']);
      expect(batches.map(({ questions }) => questions)).toEqual([[1], [2], [3], [4], [5, 6]]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('starts a batch of a crowd once it is as large as the last batch', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
    try {
      const { asked, batches, batch } = gathering(undefined, 5);
      for (const questions of [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]) {
        const begun = batch();
        const answers = questions.map((question) => asked.ask(question));
        // No time passes: only a complete crowd starts without the timer.
        await begun;
        batches.at(-1)?.answer();
        await Promise.all(answers);
      }
      const begun = batch();
      const fewer = [asked.ask(9), asked.ask(10), asked.ask(11)];
      await new Promise(setImmediate);
      expect(batches).toHaveLength(2);
      jest.advanceTimersByTime(5);
      await begun;
      batches.at(-1)?.answer();
      await Promise.all(fewer);
      expect(batches.map(({ questions }) => questions.length)).toEqual([4, 4, 3]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects every question if the answers do not match them one to one', async () => {
    const asked = new Gathering<number, string>(async () => ['1']);
    await expect(Promise.all([asked.ask(1), asked.ask(2)])).rejects.toThrow('2 questions were given 1 answers');
  });
});
