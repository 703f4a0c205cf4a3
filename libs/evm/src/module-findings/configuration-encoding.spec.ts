import { describe, expect, it } from '@jest/globals';
import type { ConfigurationField, FieldValue } from '@launch/contracts/modules';
import { size } from 'viem';
import { encodedDefaults, encodedDefaultsBytes } from './configuration-encoding.js';

const field = (
  type: string,
  value?: FieldValue,
  more: Partial<ConfigurationField> = {},
  key = 'k',
): ConfigurationField => ({
  key,
  label: 'K',
  type,
  unit: 'none',
  required: true,
  immutable: false,
  default: value,
  ...more,
});
const pair = (inner: string, value?: FieldValue): Partial<ConfigurationField> => ({
  fields: [field(inner, value, {}, 'a'), field('bool', true, {}, 'b')],
});

it('The encoding uses the default of a tuple’s field whose key every object inherits.', () => {
  const tuple = (key: string) => field('tuple', {}, { fields: [field('wei', '7', {}, key)] });
  for (const key of ['constructor', 'toString', 'valueOf'])
    expect(encodedDefaults([tuple(key)])).toBe(encodedDefaults([tuple('plain')]));
});

describe('The size of encoded defaults', () => {
  it.each<[string, ConfigurationField[]]>([
    ['nothing', []],
    ['numbers, words and truths', [field('bps', '3'), field('bytes32'), field('bool', true), field('address')]],
    ['an option', [field('enum', 'y', { options: [{ value: 'y', label: 'Y' }] })]],
    ['an empty text and empty bytes', [field('string', ''), field('bytes', '0x'), field('string')]],
    ['a text of one word, and one byte more', [field('string', 'x'.repeat(32)), field('string', 'x'.repeat(33))]],
    ['a text by its bytes', [field('string', 'é'.repeat(17))]],
    [
      'bytes of one word, and one byte more',
      [field('bytes', `0x${'00'.repeat(32)}`), field('bytes', `0x${'00'.repeat(33)}`)],
    ],
    ['a list without values', [field('array', undefined, { items: field('wei') })]],
    ['a list of numbers', [field('array', ['1', '2', '3'], { items: field('wei') })]],
    ['a list of texts', [field('array', ['a', '', 'b'.repeat(40)], { items: field('string') })]],
    ['a tuple of words', [field('tuple', { a: '7' }, pair('wei'))]],
    ['a tuple with a text, and its own default', [field('tuple', {}, pair('string', 'x'.repeat(70)))]],
    [
      'a list of tuples of words',
      [field('array', [{}, { a: '1' }], { items: field('tuple', undefined, pair('wei')) })],
    ],
    [
      'a list of tuples with texts',
      [field('array', [{}, { a: 'x' }], { items: field('tuple', undefined, pair('string')) })],
    ],
    [
      'tuples whose keys every object inherits',
      ['constructor', 'toString', 'valueOf', 'hasOwnProperty'].map((key) =>
        field('tuple', {}, { fields: [field('string', 'x'.repeat(40), {}, key)] }, key),
      ),
    ],
    ['lists in lists', [field('array', [['1'], []], { items: field('array', undefined, { items: field('wei') }) })]],
  ])('equals the size of the encoder’s output for %s', (_what, fields) => {
    expect(encodedDefaultsBytes(fields, Infinity)).toBe(size(encodedDefaults(fields)));
  });

  it('is counted only up to the limit, even if a small descriptor declares gigabytes', () => {
    const texts = Array.from({ length: 64 }, (_, at) => field('string', 'x'.repeat(4_096), {}, `t${at}`));
    const items = field('tuple', undefined, { fields: texts });
    const fields = Array.from({ length: 64 }, () => field('array', Array<FieldValue>(256).fill({}), { items }));
    const bytes = encodedDefaultsBytes(fields, 16_384);
    expect(bytes).toBeGreaterThan(16_384);
    expect(bytes).toBeLessThanOrEqual(16_384 + 64 + 4_096);
  });
});
