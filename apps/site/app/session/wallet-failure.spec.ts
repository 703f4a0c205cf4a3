import { describe, expect, it } from '@jest/globals';
import { walletFailure } from './wallet-failure.js';

describe('A failure of a wallet', () => {
  it('is a rejection by the code of EIP-1193, also inside the error of a library', () => {
    const rejected = Object.assign(new Error('no'), { code: 4001 });
    const expected = { isRejection: true, message: 'You declined the request in the wallet.' };
    expect(walletFailure(rejected)).toEqual(expected);
    expect(walletFailure(new Error('wrapped', { cause: new Error('again', { cause: rejected }) }))).toEqual(expected);
  });

  it.each([
    [4100, 'access'],
    [4200, 'does not support'],
    [4900, 'every network'],
    [4901, 'chain 4663'],
    [4902, 'Add the chain'],
    [-32002, 'already shows a request'],
  ])('with code %d has a remedy', (code, words) => {
    const { isRejection, message } = walletFailure({ code, message: 'raw' });
    expect([isRejection, message]).toEqual([false, expect.stringContaining(words)]);
  });

  it('of another kind shows the first line that the wallet said', () => {
    expect(walletFailure(new Error('node is down\nURL: https://secret')).message).toBe(
      'The wallet failed: node is down',
    );
    expect(walletFailure(undefined).message).toBe('The wallet gave no reason for its failure.');
  });

  it('whose causes form a circle ends', () => {
    const error: { cause?: unknown; message: string } = { message: 'round' };
    error.cause = error;
    expect(walletFailure(error).message).toBe('The wallet failed: round');
  });
});
