import { describe, expect, it } from '@jest/globals';
import { parseSiweMessage } from 'viem/siwe';
import { signInMessage, type SignInParts } from './sign-in.js';

const ACCOUNT = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const SITE = 'https://launch.example';
const PARTS: SignInParts = {
  schemaVersion: 'service.sign-in-nonce.v1',
  nonce: 'a1b2c3d4e5f60718',
  domain: 'launch.example',
  uri: SITE,
  version: '1',
  chainId: '4663',
  statement: 'Issue an API key.',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-01T00:05:00.000Z',
};

describe('A sign-in message', () => {
  it('contains exactly the parts of the service and the account', () => {
    expect(parseSiweMessage(signInMessage(PARTS, ACCOUNT, SITE))).toEqual({
      address: ACCOUNT,
      chainId: 4663,
      domain: 'launch.example',
      expirationTime: new Date(PARTS.expirationTime),
      issuedAt: new Date(PARTS.issuedAt),
      nonce: PARTS.nonce,
      statement: PARTS.statement,
      uri: SITE,
      version: '1',
    });
  });

  it.each<[string, Partial<SignInParts>]>([
    ['domain', { domain: 'bank.example' }],
    ['address', { uri: 'https://bank.example/login' }],
    ['broken address', { uri: 'launch.example' }],
  ])('of another %s is never signed', (_what, change) => {
    expect(() => signInMessage({ ...PARTS, ...change }, ACCOUNT, SITE)).toThrow('Nothing was signed');
  });

  it.each<[string, Partial<SignInParts>]>([
    ['statement of two lines', { statement: 'Sign in.\n\nURI: https://bank.example' }],
    ['nonce with a line break', { nonce: 'a1b2c3d4\nResources:' }],
  ])('with a %s is not composed', (_what, change) => {
    expect(() => signInMessage({ ...PARTS, ...change }, ACCOUNT, SITE)).toThrow('that is no sign-in');
  });
});
