import { bytesOfHex, type Hex } from '@launch/evm';
import { keccak256Hex } from '@launch/contracts/primitives';

/** Returns the three bits of a bloom filter that an address or a topic sets (Yellow Paper, 4.3.1). */
function bitsOf(value: Hex): readonly number[] {
  const hash = bytesOfHex(keccak256Hex(bytesOfHex(value)));
  return [0, 2, 4].map((at) => ((hash[at]! << 8) | hash[at + 1]!) & 0x7ff);
}

/**
 * Tests whether a block may hold a log of any of these contracts with any of these first topics and, if given, any of
 * these second topics. False is certain.
 */
export function bloomTest(
  addresses: readonly Hex[],
  topics: readonly Hex[],
  second?: readonly Hex[],
): (logsBloom: Hex) => boolean {
  const wanted = [addresses, topics, ...(second === undefined ? [] : [second])].map((ones) => ones.map(bitsOf));
  return (logsBloom) => {
    const isSet = (bit: number): boolean => {
      const nibble = 511 - (bit >> 2);
      return ((parseInt(logsBloom[2 + nibble]!, 16) >> (bit & 3)) & 1) === 1;
    };
    const holdsAny = (ones: readonly (readonly number[])[]): boolean => ones.some((bits) => bits.every(isSet));
    return wanted.every(holdsAny);
  };
}
