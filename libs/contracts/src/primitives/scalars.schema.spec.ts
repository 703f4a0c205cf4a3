import { describe, expect, it } from '@jest/globals';
import {
  base64Schema,
  hexBytesSchema,
  sourcePathSchema,
  timestampSchema,
  uint128Schema,
  uint256Schema,
  unixSecondsSchema,
  uuidSchema,
} from './scalars.schema.js';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown): boolean =>
  schema.safeParse(value).success;

describe('The schema of a scalar', () => {
  it.each(['abc', '1e9', '', '01', '-1', ' 1', '0x1', '9'.repeat(79), (2n ** 256n).toString(), 7, null])(
    'refuses %j as uint256 with a finding and never throws',
    (value) => {
      expect(accepts(uint256Schema, value)).toBe(false);
    },
  );
  it.each(['0', '1', (2n ** 256n - 1n).toString()])('accepts %s as uint256', (value) =>
    expect(accepts(uint256Schema, value)).toBe(true),
  );
  it('bounds each width by its last value', () => {
    expect(accepts(uint128Schema, (2n ** 128n - 1n).toString())).toBe(true);
    expect(accepts(uint128Schema, (2n ** 128n).toString())).toBe(false);
    expect(accepts(unixSecondsSchema, (2n ** 64n).toString())).toBe(false);
  });
  it.each([
    [uuidSchema, '3F2B8A4E-0000-4000-8000-000000000001'],
    [uuidSchema, '3f2b8a4e-0000-1000-8000-000000000001'],
    [timestampSchema, '2026-13-01T00:00:00.000Z'],
    [timestampSchema, '2026-01-01T00:00:00Z'],
    [hexBytesSchema(2), '0x123'],
    [hexBytesSchema(2), '0xAB'],
    [hexBytesSchema(2), '0x010203'],
    [base64Schema(100), 'abc'],
    [base64Schema(100), 'a==='],
    [sourcePathSchema, '../a.sol'],
    [sourcePathSchema, '/a.sol'],
    [sourcePathSchema, 'a//b.sol'],
    [sourcePathSchema, 'a\\b.sol'],
  ])('refuses a text that only resembles a scalar (case %#)', (schema, value) =>
    expect(accepts(schema, value)).toBe(false),
  );
});
