import { describe, expect, it } from '@jest/globals';
import { addressOf, checksummed } from './eip55.js';

// The vectors of EIP-55.
const VECTORS = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
] as const;

describe('Addresses with a checksum', () => {
  it.each(VECTORS)('keep the letter case of EIP-55 in %s', (address) => {
    expect(checksummed(address)).toBe(address);
    expect(addressOf(address)).toBe(address.toLowerCase());
  });

  it.each([
    ['one letter in the other case', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['upper case alone', '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED'],
    ['too short', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1bea'],
    ['no prefix', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['another digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg'],
    ['nothing', ''],
  ])('are refused with %s', (_what, text) => {
    expect(addressOf(text)).toBeNull();
  });

  it('are accepted in lower case', () => {
    expect(addressOf('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed');
  });
});
