import { describe, expect, it } from '@jest/globals';
import { avoidedWords, checkPlainWords, clauseOpenings, commentsOf } from './plain-words.mjs';

const wordsIn = (text: string): readonly string[] => avoidedWords(text).map(({ word }) => word);

describe('avoidedWords', () => {
  it.each([
    ['Whoever calls it pays.', ['Whoever']],
    ['It is kept, whatever happens.', ['whatever']],
    ['Nobody reads it, and somebody wrote it.', ['Nobody', 'somebody']],
    ['The client is told.', ['told']],
    ['Each look at the chain costs a call.', ['Each look']],
    ['The hash stands in the row.', ['stands']],
    ['A list of what changed.', ['of what']],
    ['What a client sends is stored.', ['What']],
    ['It ends. What follows is dropped.', ['What']],
  ])('finds the words of %j', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it.each([
    'The row contains the hash.',
    'The key is looked up, and the next look-up is counted.',
    'What does a request cost?',
    'PostgreSQL runs as `nobody`.',
    'See [the page](somebody/told.md).',
    '```sh\necho nobody\n```',
    'Run:\n\n    echo whatever\n',
    'An understanding of the outstanding work.',
  ])('finds none in %j', (text) => {
    expect(wordsIn(text)).toEqual([]);
  });

  it('names the line of a word', () => {
    expect(avoidedWords('One.\n\n    code\n\nNobody.')).toMatchObject([{ line: 5, word: 'Nobody' }]);
  });
});

describe('commentsOf', () => {
  const source = [
    '/** Returns what nobody reads. */',
    "const text = 'somebody'; // told",
    'const url = `https://whatever/${text}`;',
    '/*',
    ' * It stands.',
    ' */',
    'export function run() {',
    '',
    '    // Nobody is deep.',
    '}',
  ].join('\n');

  it('keeps the comments of a source at their lines, and no code', () => {
    expect(avoidedWords(commentsOf(source)).map(({ line, word }) => [line, word])).toEqual([
      [1, 'nobody'],
      [2, 'told'],
      [5, 'stands'],
      [9, 'Nobody'],
    ]);
  });
});

describe('clauseOpenings', () => {
  it('finds docstrings that begin with a clause', () => {
    const source = [
      '/** What a run prints. */',
      '  /** When it is due. */',
      '/**',
      ' * Of chains alone.',
      ' */',
      '/** Whether it is due. */',
      '/** Returns what it prints. */',
    ];
    expect(clauseOpenings(source.join('\n')).map(({ line, word }) => [line, word])).toEqual([
      [1, 'What'],
      [2, 'When'],
      [4, 'Of'],
    ]);
  });
});

it('Documents and checked code use plain words.', () => {
  expect(checkPlainWords(['.'])).toEqual([]);
});
