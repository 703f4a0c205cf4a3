import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AbiParameter } from 'viem';
import { decodeAbiParameters, encodeAbiParameters } from 'viem/utils';
import { headWordsOf, isCanonicalEncoding } from './canonical-abi.js';
import type { Hex } from './hex.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const word = (value: bigint | number | string): string =>
  typeof value === 'string' ? value.padEnd(64, '0') : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
const words = (...values: (bigint | number | string)[]): Hex => `0x${values.map(word).join('')}`;
const canonical = (types: readonly string[], encoded: Hex): boolean =>
  isCanonicalEncoding(
    types.map((type) => ({ type, name: '' })),
    encoded,
  );

describe('a canonical encoding', () => {
  it.each<[string, string[], Hex]>([
    ['a text that begins with a byte order mark', ['string'], words(32, 4, 'efbbbf43')],
    ['a text that is not UTF-8', ['string'], words(32, 2, 'ff80')],
    ['a text that encodes half of a surrogate pair', ['string'], words(32, 3, 'eda080')],
    ['an empty text', ['string'], words(32, 0)],
    ['a function with its selector', ['function'], words(`${'11'.repeat(20)}a9059cbb`)],
    ['negative integers', ['int8', 'int256', 'int24'], words(-1, -5n, -8_388_608)],
    ['the largest integers', ['uint8', 'uint256'], words(255, (1n << 256n) - 1n)],
    ['texts in a dynamic array', ['string[]'], words(32, 2, 64, 96, 0, 1, '61')],
    ['texts in a fixed array', ['string[2]'], words(32, 64, 96, 0, 1, '61')],
    ['fixed arrays in a dynamic one', ['uint8[2][]'], words(32, 2, 1, 2, 3, 4)],
    ['no elements', ['uint256[]'], words(32, 0)],
    ['elements of zero words', ['uint256[0][]', 'bool'], words(64, 1, 4_000_000_000)],
    ['types without their size', ['uint', 'int'], words(1, -1)],
    ['nothing', [], '0x'],
  ])('is %s', (_title, types, encoded) => expect(canonical(types, encoded)).toBe(true));

  it.each<[string, string[], Hex]>([
    ['an address with bytes above it', ['address'], words(1n << 160n)],
    ['a truth of two', ['bool'], words(2)],
    ['an integer above its type', ['uint8'], words(256)],
    ['a negative integer without its sign', ['int8'], words(0xff)],
    ['a positive integer with another sign', ['int8'], words((1n << 256n) - 200n)],
    ['bytes with trailing data in their word', ['bytes4'], words('0102030405')],
    ['a function with trailing data after its selector', ['function'], words('11'.repeat(25))],
    ['a text with trailing data in its padding', ['string'], words(32, 1, '6162')],
    ['a text longer than the bytes', ['string'], words(32, 33, '61')],
    ['a text longer than any memory', ['string'], words(32, 1n << 255n)],
    ['a tail that begins late', ['string'], words(64, 0, 0)],
    ['tails in another order', ['string', 'string'], words(96, 64, 0, 0)],
    ['tails that share their bytes', ['string', 'string'], words(64, 64, 0)],
    ['an offset beyond any memory', ['bytes'], words(1n << 200n, 0)],
    ['bytes after the last value', ['uint256'], words(1, 2)],
    ['half a word after the last value', ['uint256'], `${words(1)}00`],
    ['a value that is missing', ['uint256', 'uint256'], words(1)],
    ['an array longer than the bytes', ['uint256[]'], words(32, 4_000_000_000)],
    ['an array of arrays longer than the bytes', ['string[0][]'], words(32, 4_000_000_000)],
    ['a fixed array of more elements than there are numbers', [`uint8[${'9'.repeat(400)}]`], words(1)],
    ['a type that no ABI has', ['uint7'], words(1)],
    ['bytes of size zero', ['bytes0'], words(0)],
    ['an array that is not closed', ['uint8[2'], words(1, 1)],
    ['a struct without components', ['tuple'], words(1)],
  ])('is not %s', (_title, types, encoded) => expect(canonical(types, encoded)).toBe(false));

  it('reads members by position, with any name or a repeated name', () => {
    const members = ['__proto__', '', '', 'constructor', 'toString', 'length', '0'].map((name) => ({
      type: 'uint8',
      name,
    }));
    const parameters = [{ type: 'tuple[]', name: '__proto__', components: members }];
    expect(isCanonicalEncoding(parameters, words(32, 1, 1, 2, 3, 4, 5, 6, 7))).toBe(true);
    expect(isCanonicalEncoding(parameters, words(32, 1, 1, 2, 3, 4, 5, 6, 256))).toBe(false);
  });

  it.each([null, 7, 'uint256', {}, { type: 7 }, { type: '__proto__' }, { type: 'constructor' }])(
    'refuses the parameter %p',
    (parameter) => expect(isCanonicalEncoding([parameter], words(1))).toBe(false),
  );

  it('takes time in proportion to its bytes, whatever lengths they claim', () => {
    let type = 'uint8';
    for (let depth = 0; depth < 200; depth += 1) type += '[]';
    const claims = words(...Array<number>(4_000).fill(32));
    expect(canonical([type], claims)).toBe(false);
    expect(canonical(['uint256[1000000][1000000][1000000]'], claims)).toBe(false);
  });
});

describe('any encoding', () => {
  const leaf = fc.oneof(
    fc.constantFrom('uint8', 'uint256', 'int24', 'int256', 'address', 'bool', 'bytes1', 'bytes32', 'bytes'),
    fc.constantFrom('uint64', 'int8', 'bytes20'),
  );
  const { parameter } = fc.letrec<{ parameter: AbiParameter }>((tie) => ({
    parameter: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf.map((type): AbiParameter => ({ type, name: 'a' })),
      fc
        .tuple(tie('parameter'), fc.constantFrom('[]', '[1]', '[2]'))
        .map(([inner, suffix]): AbiParameter => ({ ...inner, type: `${inner.type}${suffix}` })),
      fc.array(tie('parameter'), { minLength: 1, maxLength: 3 }).map((parts): AbiParameter => ({
        type: 'tuple',
        name: 'a',
        components: parts.map((part, index) => ({ ...part, name: `m${index}` })),
      })),
    ),
  }));
  /** Builds a value of the type from a stream of numbers. */
  function valueOf({ type, ...rest }: AbiParameter, next: () => number): unknown {
    const array = /^(.*)\[(\d*)\]$/.exec(type);
    if (array !== null)
      return Array.from({ length: array[2] === '' ? next() % 3 : Number(array[2]) }, () =>
        valueOf({ ...rest, type: array[1]! } as AbiParameter, next),
      );
    if (type === 'tuple')
      return Object.fromEntries(
        (rest as { components: AbiParameter[] }).components.map((one) => [one.name!, valueOf(one, next)]),
      );
    if (type === 'bool') return next() % 2 === 1;
    const hex = (size: number): Hex =>
      `0x${Buffer.from(Array.from({ length: size }, () => next() % 256)).toString('hex')}`;
    if (type === 'address') return hex(20);
    if (type === 'bytes') return hex(next() % 70);
    if (type.startsWith('bytes')) return hex(Number(type.slice(5)));
    const bits = Number(/\d+/.exec(type)![0]);
    const value = BigInt(hex(32));
    const sized = type.startsWith('u') ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
    return bits > 48 ? sized : Number(sized);
  }
  /** Returns the verdict of another implementation, which decodes and encodes again. */
  function reference(parameters: readonly AbiParameter[], encoded: Hex): boolean {
    try {
      return encodeAbiParameters(parameters, decodeAbiParameters(parameters, encoded) as never) === encoded;
    } catch {
      return false;
    }
  }

  it('gets the verdict of an encoder that decodes and encodes again, whole and with a changed byte', () => {
    fc.assert(
      fc.property(
        fc.array(parameter, { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.nat(65_535)),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (parameters, stream, place, noise) => {
          const next = (): number => stream.next().value;
          const encoded = encodeAbiParameters(parameters, parameters.map((one) => valueOf(one, next)) as never);
          expect(isCanonicalEncoding(parameters, encoded)).toBe(true);
          const bytes = Buffer.from(encoded.slice(2), 'hex');
          bytes[place % bytes.length]! ^= noise;
          const changed: Hex = `0x${bytes.toString('hex')}`;
          expect(isCanonicalEncoding(parameters, changed)).toBe(reference(parameters, changed));
          expect(isCanonicalEncoding(parameters, encoded.slice(0, -64) as Hex)).toBe(false);
        },
      ),
      { verbose: 1, numRuns: 300 * FUZZ_FACTOR },
    );
  });
});

describe('the words of arguments', () => {
  it('include single words that follow structs and arrays of any size', () => {
    const parameters = [
      { type: 'tuple', components: [{ type: 'uint8' }, { type: 'uint8' }] },
      { type: 'address' },
      { type: 'string' },
      { type: 'uint8[2]' },
      { type: 'bool' },
    ];
    const encoded = words(1, 2, 0xabc, 224, 3, 4, 1, 0);
    expect(isCanonicalEncoding(parameters, encoded)).toBe(true);
    expect(headWordsOf(parameters, encoded)).toEqual([null, words(0xabc), null, null, words(1)]);
  });
});
