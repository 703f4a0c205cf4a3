import { describe, expect, it } from '@jest/globals';
import { matchBytecode } from '@launch/evm';
import { chainCases, sourcifyCaseOf, type ChainCase } from '../fixtures/match-corpus.fixture.js';
import { sourcifyVerdict } from './sourcify-verdict.js';

/** Cases that we refuse on purpose although lib-sourcify verifies them, with the reason. All other verdicts must agree. */
const STRICTER: Readonly<Record<string, string>> = {
  'arguments-missing': 'a constructor that takes arguments was given none: such a creation cannot have deployed',
  'immutable-inconsistent-first': 'one immutable stands with two values in one runtime, which no constructor leaves',
  'immutable-inconsistent-last': 'one immutable stands with two values in one runtime, which no constructor leaves',
  'library-push-one-byte-of-its-address': 'a library stands where its own code does not say',
  'library-word-one-byte-of-its-address': 'a library stands where its own code does not say',
};

/** Verified: every part that was given matches. */
async function sourcifyPasses(one: ChainCase): Promise<boolean> {
  const { question, compile } = sourcifyCaseOf(one);
  const { runtime, creation, error } = await sourcifyVerdict(question, compile);
  return error === null && runtime !== null && (question.creation === undefined || creation !== null);
}

describe('The matcher and lib-sourcify', () => {
  const cases = chainCases().filter(
    ({ input, expected }) => input.runtimeBytecode !== undefined && expected !== 'indeterminate',
  );

  it('are compared on cases of both verdicts', () => {
    expect(new Set(cases.map(({ expected }) => expected))).toEqual(new Set(['pass', 'fail']));
  });

  it('excuse no case that is absent from the corpus', () => {
    expect(cases.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(STRICTER)));
  });

  it.each(cases.map((one) => [one.name, one] as const))('agree on the case %s', async (name, one) => {
    const { verdict } = matchBytecode(one.input);
    expect(verdict).toBe(one.expected);
    expect({ ours: verdict === 'pass', theirs: await sourcifyPasses(one) }).toEqual(
      name in STRICTER ? { ours: false, theirs: true } : { ours: verdict === 'pass', theirs: verdict === 'pass' },
    );
  });
});
