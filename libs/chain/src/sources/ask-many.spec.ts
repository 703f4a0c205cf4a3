import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { askMany } from './ask-many.js';
import { observerOf } from './fixtures/scripted-chain.fixture.js';

const questions = Array.from({ length: 64 }, (_, index) => [index]);

/** An endpoint behind a proxy that limits the requests of a batch. */
function behindGateway(takes: number, status: number) {
  const observer = observerOf('a', 4663, (_method, [value]) => value * 2);
  const sizes: number[] = [];
  return {
    sizes,
    observer: {
      ...observer,
      requestMany: async (method: string, some: readonly (readonly unknown[])[]) => {
        sizes.push(some.length);
        if (some.length > takes)
          throw new ChainError('RPC_UNREACHABLE', { observer: 'a', method, httpStatus: status } as never);
        return observer.requestMany!(method, some);
      },
    },
  };
}

describe('a batch of requests', () => {
  it.each([413, 429])('is halved if the endpoint’s proxy answers %d, and returns answers in order', async (status) => {
    const { observer, sizes } = behindGateway(16, status);
    expect(await askMany(observer, 'eth_call', questions)).toEqual(questions.map(([index]) => index! * 2));
    expect(sizes).toEqual([64, 32, 16, 16, 32, 16, 16]);
  });

  it('fails if even a few requests are too many', async () => {
    const { observer, sizes } = behindGateway(0, 429);
    await expect(askMany(observer, 'eth_call', questions)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' });
    expect(sizes).toEqual([64, 32, 16, 8]);
  });

  it('is not repeated on an unreachable endpoint', async () => {
    const { observer, sizes } = behindGateway(0, 502);
    await expect(askMany(observer, 'eth_call', questions)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' });
    expect(sizes).toEqual([64]);
  });
});
