import { describe, expect, it } from '@jest/globals';
import { matchesMac, newApiKey, parseApiKey, secretMac } from './api-key.js';

const PEPPER = 'a pepper';

describe('An API key', () => {
  it('carries 256 random bits behind an id, and parses back', () => {
    const keys = Array.from({ length: 200 }, newApiKey);
    expect(new Set(keys.map(({ credentialId }) => credentialId)).size).toBe(200);
    expect(new Set(keys.map(({ secret }) => secret.toString('hex'))).size).toBe(200);
    for (const key of keys) {
      expect(key.secret).toHaveLength(32);
      expect(parseApiKey(key.text)).toEqual({ credentialId: key.credentialId, secret: key.secret });
    }
  });

  it.each([
    '',
    'clk_',
    'clk_abc_def',
    `clk_${'0'.repeat(20)}_${'A'.repeat(42)}`,
    `clk_${'0'.repeat(20)}_${'A'.repeat(44)}`,
    `CLK_${'0'.repeat(20)}_${'A'.repeat(43)}`,
    `clk_${'0'.repeat(19)}Z_${'A'.repeat(43)}`,
    `clk_${'0'.repeat(20)}_${'A'.repeat(42)}B`,
  ])('is never parsed from %j (the last one has two spellings)', (text) => expect(parseApiKey(text)).toBeNull());

  it('is identified by a digest that needs the pepper, the id and the secret', () => {
    const key = newApiKey();
    const mac = secretMac(PEPPER, key);
    expect(matchesMac(PEPPER, key, mac)).toBe(true);
    expect(matchesMac('another', key, mac)).toBe(false);
    expect(matchesMac(PEPPER, { ...key, credentialId: newApiKey().credentialId }, mac)).toBe(false);
    expect(matchesMac(PEPPER, { ...key, secret: newApiKey().secret }, mac)).toBe(false);
    expect(matchesMac(PEPPER, key, mac.subarray(1))).toBe(false);
    expect(matchesMac(PEPPER, key, null)).toBe(false);
  });

  it('never matches an absent row, even by the digest of zeros', () => {
    expect(matchesMac(PEPPER, { credentialId: '0'.repeat(20), secret: Buffer.alloc(32) }, null)).toBe(false);
  });
});
