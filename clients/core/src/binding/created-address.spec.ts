import { describe, expect, it } from '@jest/globals';
import { getContractAddress } from 'viem/utils';
import { createdAddress } from './created-address.js';

describe('The address of a created contract', () => {
  it.each([1, 2, 127, 128, 255, 256, 65_536, 4_294_967_296])('is that of CREATE at nonce %d', (nonce) => {
    const from = '0x4f10ef2c59bde36a4497b31ac6a991e537a2aacc';
    expect(createdAddress(from, nonce)).toBe(getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase());
  });
});
