import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { askMany } from './ask-many.js';
import { observerOf } from './fixtures/scripted-chain.fixture.js';

const questions = Array.from({ length: 64 }, (_, index) => [index]);

/** An endpoint behind a gateway that takes so many questions at once. */
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

describe('many questions', () => {
  it.each([413, 429])(
    'are asked by halves of an endpoint whose gateway answers %d, and answered in their order',
    async (status) => {
      const { observer, sizes } = behindGateway(16, status);
      expect(await askMany(observer, 'eth_call', questions)).toEqual(questions.map(([index]) => index! * 2));
      expect(sizes).toEqual([64, 32, 16, 16, 32, 16, 16]);
    },
  );

  it('are given up where a few of them are too many', async () => {
    const { observer, sizes } = behindGateway(0, 429);
    await expect(askMany(observer, 'eth_call', questions)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' });
    expect(sizes).toEqual([64, 32, 16, 8]);
  });

  it('are not asked again of an endpoint that is away', async () => {
    const { observer, sizes } = behindGateway(0, 502);
    await expect(askMany(observer, 'eth_call', questions)).rejects.toMatchObject({ code: 'RPC_UNREACHABLE' });
    expect(sizes).toEqual([64]);
  });
});
