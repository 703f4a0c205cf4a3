import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { originCommitment, parseObserverUrls } from './observer-urls.config.js';

describe('RPC_*_URLS', () => {
  it('reads exactly two observers and commits to their origins', () => {
    const [first, second] = parseObserverUrls(
      'RPC_1_URLS',
      'alpha=https://One.example/key/abc, beta=http://127.0.0.1:8545',
    );
    expect(first).toEqual({
      id: 'alpha',
      url: 'https://one.example/key/abc',
      originCommitment: originCommitment('https://one.example'),
    });
    expect(second.id).toBe('beta');
    expect(second.originCommitment).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('commits to the origin alone: path, key and case do not matter, the port does', () => {
    expect(originCommitment('https://ONE.example/a?b=c')).toBe(originCommitment('https://one.example:443/'));
    expect(originCommitment('https://one.example:8443')).not.toBe(originCommitment('https://one.example'));
  });

  it.each([
    ['one observer', 'a=https://one.example'],
    ['three observers', 'a=https://one.example,b=https://two.example,c=https://three.example'],
    ['a shared origin under two names', 'a=https://one.example/x,b=https://one.example:443/y'],
    ['one name twice', 'a=https://one.example,a=https://two.example'],
    ['no name', 'https://one.example,b=https://two.example'],
    ['no URL', 'a=,b=https://two.example'],
    ['another protocol', 'a=ws://one.example,b=https://two.example'],
    ['nothing', ''],
  ])('refuses %s, without repeating a URL', (_what, text) => {
    const attempt = (): unknown => parseObserverUrls('RPC_4663_URLS', text);
    expect(attempt).toThrow(ChainError);
    expect(attempt).toThrow(/RPC_CONFIGURATION_INVALID/);
    expect(attempt).not.toThrow(/example/);
  });
});
