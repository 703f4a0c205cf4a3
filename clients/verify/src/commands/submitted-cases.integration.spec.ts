import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Compiler } from '@launch/compiler';
import { matchCompiler, verifyMatch } from './match.command.js';

const corpus = new URL('../../../../libs/evm/testdata/match/submitted/', import.meta.url);

/** Whether immutables of the runtime confirm the arguments of each case. Every case passes. */
const CONFIRMED: Readonly<Record<string, boolean>> = {
  'an-argument-that-only-storage-keeps': false,
  'an-immutable-that-a-condition-sets': false,
  'arguments-changed-before-an-immutable-takes-them': false,
  'arguments-of-another-deployment': false,
  'arguments-that-immutables-confirm': true,
  'arguments-that-immutables-hold-crossed': false,
  'function-type-argument': false,
  'members-with-reserved-names': false,
  'string-argument-with-bom': false,
};

let compiler: Compiler;
beforeAll(() => {
  compiler = matchCompiler();
});
afterAll(() => compiler.close());

describe('a submitted case', () => {
  it('has an expectation for each of its files', () => {
    expect(readdirSync(corpus).sort()).toEqual(Object.keys(CONFIRMED).map((name) => `${name}.json`));
  });

  it.each(Object.entries(CONFIRMED))(
    'passes, and counts its arguments as checked only if confirmed: %s',
    async (name, confirmed) => {
      const verdict = await verifyMatch(readFileSync(new URL(`${name}.json`, corpus)), compiler);
      expect(verdict).toMatchObject({ verdict: 'pass', findings: [] });
      expect(verdict.details).toMatchObject({
        checked: { creation: true, constructorArguments: confirmed, runtime: true, immutables: false },
      });
      expect(verdict.notChecked.includes('constructorArgs')).toBe(!confirmed);
    },
  );
});
