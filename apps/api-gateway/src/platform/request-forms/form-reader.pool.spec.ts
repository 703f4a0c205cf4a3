import { afterEach, describe, expect, it } from '@jest/globals';
import { readSchema, readStrictJson } from '@launch/http/requests';
import { createLogger } from '@launch/platform';
import { z } from 'zod';
import { FormReaderPool, type FormPoolOptions } from './form-reader.pool.js';
import type { RequestForm } from './request-form.js';

const script = new URL('../../fixtures/form-worker.fixture.mjs', import.meta.url);
/** Reads in the caller's own thread; other threads run the script. */
const FORM: RequestForm<null, object> = {
  name: 'test',
  read: (bytes) => readSchema(z.strictObject({ member: z.string() }), readStrictJson(bytes)),
};
let pool: FormReaderPool;
const open = (options: Partial<FormPoolOptions> = {}): void =>
  void (pool = new FormReaderPool({
    logger: createLogger({ service: 'test', level: 'silent' }),
    script,
    threads: 2,
    inlineBytes: 0,
    ...options,
  }));
const outcome = (kind: string): Promise<string> =>
  pool.read(FORM, new TextEncoder().encode(kind), null).then(
    () => 'read',
    (error: { code: string }) => error.code,
  );
afterEach(() => pool.close());

describe('The reader threads', () => {
  it('pass a refusal on unchanged', async () => {
    open();
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(outcome))).toEqual(Array(5).fill('JSON_SYNTAX'));
  });

  it('return the bytes with their contents', async () => {
    open();
    const bytes = new TextEncoder().encode('give these back');
    const { bytes: returned } = await pool.read(FORM, bytes, null);
    expect(new TextDecoder().decode(returned)).toBe('give these back');
    // The bytes are transferred, not copied: the original array is empty.
    expect(bytes.byteLength).toBe(0);
  });

  it.each(['t', 'x'])('are replaced when one fails (%s), and only its own request fails', async (failure) => {
    open({ threads: 1 });
    expect(await Promise.all([failure, 'a', failure, 'a'].map(outcome))).toEqual([
      'SERVICE_UNAVAILABLE',
      'JSON_SYNTAX',
      'SERVICE_UNAVAILABLE',
      'JSON_SYNTAX',
    ]);
  });

  it('are replaced when one fails after its answer, which remains valid', async () => {
    open({ threads: 1 });
    expect(await outcome('l')).toBe('JSON_SYNTAX');
    // The next request may have reached the thread that was ending. The one after it does not.
    await outcome('a');
    expect(await outcome('a')).toBe('JSON_SYNTAX');
  });

  it('are ended when one takes too long', async () => {
    open({ threads: 1, timeoutMs: 200 });
    expect(await outcome('h')).toBe('SERVICE_UNAVAILABLE');
    await pool.close();
    open({ threads: 1 });
    expect(await outcome('a')).toBe('JSON_SYNTAX');
  });

  it('queue a bounded number of requests', async () => {
    open({ threads: 1, maxWaiting: 1, timeoutMs: 500 });
    const answers = ['h', 'a', 'a'].map(outcome);
    expect(await answers[2]).toBe('SERVICE_UNAVAILABLE');
    expect(await answers[0]).toBe('SERVICE_UNAVAILABLE');
  });

  it('accept nothing once closed, and reject queued requests', async () => {
    open({ threads: 1 });
    const waiting = ['h', 'a'].map(outcome);
    await pool.close();
    expect(await Promise.all([...waiting, outcome('a')])).toEqual(Array(3).fill('SERVICE_UNAVAILABLE'));
  });

  it('are not used for small requests', async () => {
    open({ inlineBytes: 8 });
    expect(await outcome('{}')).toBe('SCHEMA_INVALID');
    expect(await outcome('t')).toBe('JSON_SYNTAX');
  });
});
