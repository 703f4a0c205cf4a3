import { describe, expect, it } from '@jest/globals';
import { parseStrictJson } from '../json/index.js';
import { LIMITS } from '../primitives/limits.js';
import { orderFindings, travellingFindings } from './finding.js';
import { finding } from './make-finding.js';

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

describe('findings', () => {
  it('are ordered by layer, pointer and code', () => {
    const [schema, salt, pool, economics] = [
      finding('SCHEMA_INVALID', '/z'),
      finding('GRAPH_SALT_CONTROLLER_MISMATCH', '/a'),
      finding('GRAPH_POOL_INVALID', '/b'),
      finding('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', ''),
    ];
    expect(orderFindings([economics, pool, salt, schema])).toEqual([schema, salt, pool, economics]);
  });

  it('are cut between characters, so that the strict JSON parser accepts them', () => {
    for (const length of [510, 511, 512, 513]) {
      const one = finding('COMPILER_ERROR', `/${'x'.repeat(length % 2)}${'😀'.repeat(600)}`, {
        actual: `${'x'.repeat(length)}😀😀`,
        expected: '\ud83d',
      });
      expect(parseStrictJson(new TextEncoder().encode(JSON.stringify(one)))).toEqual(one);
    }
  });

  it('stay unchanged while they are few', () => {
    const few = Array.from({ length: 20 }, (_, index) =>
      finding('COMPILER_ERROR', '/source', { actual: `error ${index}` }),
    );
    expect(travellingFindings(few)).toEqual(orderFindings(few));
  });

  it.each([
    [
      'many',
      Array.from({ length: 1_000 }, (_, index) =>
        finding('COMPILER_ERROR', '/source', { actual: `TypeError 7576 at a.sol:${index}-${index + 1}` }),
      ),
    ],
    [
      'long, in characters of three bytes',
      Array.from({ length: 60 }, (_, index) =>
        finding('COMPILER_ERROR', `/${index}`, {
          expected: '語'.repeat(9_999),
          actual: '語'.repeat(9_999),
          message: '語'.repeat(9_999),
          detail: '語'.repeat(9_999),
        }),
      ),
    ],
  ])('are cut to the first that fit into a verdict when they are %s', (_how, findings) => {
    const kept = travellingFindings(findings);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept).toEqual(orderFindings(findings).slice(0, kept.length));
    expect(bytesOf(kept)).toBeLessThanOrEqual(LIMITS.verdictBytes + 1);
    expect(bytesOf(orderFindings(findings).slice(0, kept.length + 1))).toBeGreaterThan(LIMITS.verdictBytes);
  });
});
