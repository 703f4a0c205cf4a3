import { describe, expect, it } from '@jest/globals';
import { hexToBytes } from 'viem/utils';
import { bytesOfHex, type Hex } from './hex.js';

describe('The bytes of hex', () => {
  it('equal those that viem reads in both letter cases', () => {
    const every = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0')).join('');
    for (const hex of ['0x', '0x00', `0x${every}`, `0x${every.toUpperCase()}`] as const)
      expect(bytesOfHex(hex)).toEqual(hexToBytes(hex));
  });

  it.each(['0x0', '0x0g', '0xg0', '0x 0', '0x/0', '0x:0', '0x@0', '0x`0', '0xé0', '0x0Ā'])(
    'are refused for %j, which is not hex',
    (hex) => expect(() => bytesOfHex(hex as Hex)).toThrow('HEX_INVALID'),
  );
});
