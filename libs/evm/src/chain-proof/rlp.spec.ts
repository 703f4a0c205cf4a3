import { describe, expect, it } from '@jest/globals';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { bytesToHex, concatHex, hexToBytes } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { decodeRlp, encodeRlp, rlpBytes, rlpInteger, rlpList, rlpQuantity, type RlpItem } from './rlp.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);

const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 70 }).map((bytes): RlpItem => bytesToHex(bytes)),
    fc.array(tie('item'), { maxLength: 6 }),
  ),
}));

type Bytes = Uint8Array | readonly Bytes[];
const asBytes = (value: RlpItem): Bytes => (typeof value === 'string' ? hexToBytes(value) : value.map(asBytes));
const asHex = (value: Bytes): RlpItem => (value instanceof Uint8Array ? bytesToHex(value) : value.map(asHex));

/** Decodes with another implementation. Returns null if it refuses. */
function peer(rlp: Hex): RlpItem | null {
  try {
    return asHex(RLP.decode(hexToBytes(rlp)) as Bytes);
  } catch {
    return null;
  }
}
function own(rlp: Hex): RlpItem | null {
  try {
    return decodeRlp(rlp, 'test');
  } catch (error) {
    expect(error).toMatchObject({ code: 'CHAIN_DATA_INVALID', field: 'test' });
    return null;
  }
}

describe('RLP', () => {
  it('is encoded as another implementation encodes it, and decoded again', () => {
    fc.assert(
      fc.property(item, (value) => {
        const rlp = encodeRlp(value);
        expect(rlp).toBe(bytesToHex(RLP.encode(asBytes(value) as never)));
        expect(decodeRlp(rlp, 'test')).toEqual(value);
      }),
      { verbose: 1, numRuns: 500 * FUZZ_FACTOR },
    );
  });

  it('has one decoding: damaged bytes are refused or decode to another value, as in another implementation', () => {
    fc.assert(
      fc.property(
        item,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('change', 'cut', 'append', 'insert'),
        (value, place, noise, how) => {
          const bytes = hexToBytes(encodeRlp(value));
          const at = place % bytes.length;
          const damaged = {
            change: bytes.map((byte, index) => (index === at ? byte ^ noise : byte)),
            cut: bytes.subarray(0, at),
            append: Uint8Array.of(...bytes, noise),
            insert: Uint8Array.of(...bytes.subarray(0, at), noise, ...bytes.subarray(at)),
          }[how];
          const rlp = bytesToHex(damaged);
          const read = own(rlp);
          // The other implementation decodes no bytes as an empty string.
          if (damaged.length > 0) expect(read).toEqual(peer(rlp));
          if (read !== null) expect(encodeRlp(read)).toBe(rlp);
        },
      ),
      { verbose: 1, numRuns: 3_000 * FUZZ_FACTOR },
    );
  });

  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['a byte below 0x80 with a prefix', '0x8101'],
    ['a short string with a long length', '0xb80100'],
    ['a long length with a leading zero', concatHex(['0xb90038', `0x${'11'.repeat(56)}`])],
    ['a short list with a long length', '0xf80180'],
    ['a string after the string', '0x8080'],
    ['a list that ends inside its item', '0xc183'],
    ['a list that ends before its item', '0xc28080'.slice(0, -2) as Hex],
    ['a length beyond any memory', '0xbfffffffffffffffff'],
    ['lists in lists without an end', `0x${'c1'.repeat(50_000)}`],
  ])('refuses %s', (_title, rlp) => expect(own(rlp)).toBeNull());

  it('names the value that is of another kind', () => {
    expect(() => rlpList('0x80', 'logs')).toThrow('CHAIN_DATA_INVALID: logs');
    expect(() => rlpList(['0x'], 'logs', 2)).toThrow('CHAIN_DATA_INVALID: logs');
    expect(() => rlpBytes([], 'topic')).toThrow('CHAIN_DATA_INVALID: topic');
    expect(() => rlpBytes('0x12', 'topic', 32)).toThrow('CHAIN_DATA_INVALID: topic');
    expect(() => rlpBytes(undefined, 'topic')).toThrow('CHAIN_DATA_INVALID: topic');
    expect(() => rlpQuantity('0x00', 'value')).toThrow('CHAIN_DATA_INVALID: value');
    expect(() => rlpQuantity('0x0001', 'value')).toThrow('CHAIN_DATA_INVALID: value');
    expect(() => rlpQuantity(`0x01${'00'.repeat(32)}`, 'value')).toThrow('CHAIN_DATA_INVALID: value');
    for (const value of [0n, 1n, 255n, 256n, 2n ** 256n - 1n])
      expect(rlpQuantity(rlpInteger(value), 'value')).toBe(value);
  });
});
