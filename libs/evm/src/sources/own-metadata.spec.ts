import { describe, expect, it } from '@jest/globals';
import { answerOf, talkativeToken, word, type AskedContract } from './fixtures/source-case.fixture.js';
import { foundationCase, TOKEN } from './module-foundation/foundation.case.fixture.js';
import { metadataReads, ownMetadata } from './own-metadata.js';

describe('The metadata of a token of an unknown source', () => {
  const shownBy = (token: AskedContract) => {
    const reads = metadataReads(TOKEN);
    return ownMetadata(TOKEN, new Map(reads.map((read) => [read.name, answerOf(read, { [TOKEN]: token })])));
  };

  it.each([
    ['`metadata()`', talkativeToken(word('07')), { status: 'ok', description: 'a blue token' }],
    [
      'the getters of a Foundation token',
      foundationCase('V3').contracts[TOKEN]!,
      { status: 'ok', description: 'a gray token', x: 'https://x.example/gray' },
    ],
    ['neither', { ...talkativeToken(word('07')), answers: {} }, { status: 'absent', description: null }],
  ])('is read from %s', (_what, token, expected) => {
    expect(shownBy(token)).toMatchObject(expected);
  });

  it('has one read for each name', () => {
    const names = metadataReads(TOKEN).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
