import { describe, expect, it } from '@jest/globals';
import { SingleFlight } from './single-flight.js';

describe('single flight', () => {
  it('lets one caller lead and gives the others its outcome', async () => {
    const flights = new SingleFlight();
    const gate = Promise.withResolvers<string>();
    let led = 0;
    const join = () =>
      flights.run(
        'k',
        () => {
          led += 1;
          return gate.promise;
        },
        async (failure) => `followed ${String(failure)}`,
      );
    const all = [join(), join(), join()];
    gate.resolve('led');
    expect(await Promise.all(all)).toEqual(['led', 'followed undefined', 'followed undefined']);
    expect(led).toBe(1);
    const failing = [
      flights.run(
        'k',
        () => Promise.reject(new Error('no')),
        async () => '',
      ),
      flights.run(
        'k',
        async () => '',
        async (failure) => (failure as Error).message,
      ),
    ];
    expect(await Promise.allSettled(failing)).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: 'no' },
    ]);
    expect(
      await flights.run(
        'k',
        async () => 'again',
        async () => '',
      ),
    ).toBe('again');
  });
});
