import { PassThrough } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { BodyBudget, readBody, type BodyAccount } from './request-body.js';

const KIB = 1024;
const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: unknown }).code;
  }
};

describe('the budget of bodies', () => {
  it('is used by received bytes, not by announced ones', () => {
    const budget = new BodyBudget(100, 100);
    const slow = Array.from({ length: 50 }, (_, index) => budget.open(`slow ${index}`, 100));
    for (const account of slow) account.take(1);
    const quick = budget.open('quick', 50);
    quick.take(50);
    expect(codeOf(() => slow[0]?.take(1))).toBe('SERVICE_UNAVAILABLE');
    expect(codeOf(() => budget.open('late', 1))).toBe('SERVICE_UNAVAILABLE');
    quick.close();
    quick.close();
    quick.take(1_000);
    expect(codeOf(() => slow[0]?.take(50))).toBeNull();
    expect(codeOf(() => slow[0]?.take(1))).toBe('SERVICE_UNAVAILABLE');
  });

  it('leaves room for other senders, regardless of the bytes of one', () => {
    const budget = new BodyBudget(100, 25);
    const one = budget.open('one', 20);
    one.take(20);
    expect(codeOf(() => budget.open('one', 6))).toBe('RATE_LIMITED');
    expect(codeOf(() => budget.open('one', 0).take(6))).toBe('RATE_LIMITED');
    expect(codeOf(() => budget.open('other', 25).take(25))).toBeNull();
    one.close();
    expect(codeOf(() => budget.open('one', 25).take(25))).toBeNull();
  });
});

describe('a body', () => {
  const account: BodyAccount = { take: () => undefined, close: () => undefined };
  const streamOf = (headers: Record<string, string> = {}): PassThrough & IncomingMessage =>
    Object.assign(new PassThrough(), { headers, complete: true }) as never;

  it.each([
    ['declared', { 'content-length': String(300 * KIB) }],
    ['undeclared', {}],
  ])('A body of %s length, in a hundred thousand pieces, takes memory of about its size.', async (_name, headers) => {
    const stream = streamOf(headers);
    const reading = readBody(stream, { maxBytes: 16 * KIB * KIB, timeoutMs: 60_000, account });
    const bytes = Buffer.alloc(300 * KIB, 'launch');
    for (let at = 0; at < bytes.length; at += 3) stream.write(bytes.subarray(at, at + 3));
    stream.end();
    const body = await reading;
    expect(body.equals(bytes)).toBe(true);
    expect(body.buffer.byteLength).toBeLessThanOrEqual(2 * bytes.length);
  });

  it('A body with a declared length allocates no excess memory, and little before it arrives.', async () => {
    const length = 1024 * KIB;
    const stream = streamOf({ 'content-length': String(length) });
    const reading = readBody(stream, { maxBytes: 16 * KIB * KIB, timeoutMs: 60_000, account });
    stream.write(Buffer.alloc(length / 4, 'a'));
    stream.end(Buffer.alloc((3 * length) / 4, 'b'));
    const body = await reading;
    expect([body.length, body.buffer.byteLength]).toEqual([length, length]);
    expect([body[length / 4 - 1], body[length / 4]]).toEqual([0x61, 0x62]);
  });

  it('is not awaited if its sender disconnected before the read', async () => {
    const stream = Object.assign(streamOf(), { complete: false });
    stream.destroy();
    await expect(readBody(stream, { maxBytes: 10, timeoutMs: 2 ** 30, account })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    });
  });

  it('is not read further once it no longer fits', async () => {
    const stream = streamOf();
    const reading = readBody(stream, { maxBytes: 10, timeoutMs: 60_000, account });
    stream.write(Buffer.alloc(10));
    stream.write(Buffer.alloc(1));
    await expect(reading).rejects.toMatchObject({ code: 'REQUEST_TOO_LARGE' });
    expect(stream.listenerCount('data')).toBe(0);
  });
});
