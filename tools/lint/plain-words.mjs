// Words that documents and comments avoid (ADR 0113), each with the way to write the sentence instead. `npm run lint` checks
// every document, and the comments of SWEPT.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '../..');

/** Code whose comments keep the rule. Solidity is exempt, because published digests pin its bytes. */
export const SWEPT = ['{apps,clients,deploy,libs,prisma,solidity,tools}/**/*.{ts,mjs,js}'];

const WORDS = [
  { pattern: /\b(?:whoever|whatever|whichever)\b/gi, instead: 'name the actor or thing, or write "every" or "any"' },
  { pattern: /\b(?:nobody|somebody|anybody)\b/gi, instead: 'name the actor, or use "anyone" or the passive voice' },
  { pattern: /\b(?:told|tells? of)\b/gi, instead: 'use "reported", "printed", "shown" or "named"' },
  {
    pattern:
      /\b(?:(?:an?|the|each|every|one|next|last|two|its|of) looks?\b(?!-?up)|look(?:s|ed|ing)? (?:at|for|again)\b)/gi,
    instead: 'use "observation", "reading", "check", "search" or the verb of one of them',
  },
  { pattern: /\b(?:stands?|stood)\b(?!-)/gi, instead: 'use "is", "applies", "occurs" or "is written"' },
  { pattern: /\bof what\b/gi, instead: 'name the thing' },
  { pattern: /(?:^|[.:;|] +)What (?![^.|\n]*\?)/gm, instead: 'make the actor the subject, or use a noun phrase' },
];

/** Words with which a docstring begins as a clause. A docstring begins with a verb or a noun phrase. */
const OPENING = /^[ \t]*\/\*\*\s+(?:\*\s+)?(What|Of|Where|When|Why|How|Which|Who|That|As) /gm;

/** Lists the docstrings of a source that begin with a clause, with the line of each. */
export function clauseOpenings(source) {
  return [...source.matchAll(OPENING)].map(({ 0: opening, 1: word, index }) => ({
    line: source.slice(0, index + opening.length).split('\n').length,
    word,
    instead: 'begin the docstring with a verb or a noun phrase',
  }));
}

/** Lists the avoided words of a text, with the line of each. Code spans, code blocks and link targets are no prose. */
export function avoidedWords(text) {
  const prose = text
    .replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2/gm, blank)
    .replaceAll(/^(?: {4}|\t)(?! *(?:[-*]|\d+\.) ).*$/gm, (line, at) => (isIndentedCode(text, at) ? blank(line) : line))
    .replaceAll(/`[^`]*`/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, blank);
  return WORDS.flatMap(({ pattern, instead }) =>
    [...prose.matchAll(pattern)].map(({ 0: word, index }) => ({
      line: prose.slice(0, index).split('\n').length,
      word: word.replace(/^[.:;|] +/, '').trim(),
      instead,
    })),
  ).sort((a, b) => a.line - b.line);
}

const blank = (text) => text.replaceAll(/[^\n]/g, ' ');

/** Four spaces are code after an empty line or more code, and the continuation of a list item otherwise. */
function isIndentedCode(text, at) {
  const before = text.slice(0, at).split('\n').slice(0, -1);
  const last = before.findLast((line) => !/^(?: {4}|\t)/.test(line));
  return last === undefined || last.trim() === '';
}

/** The comments of TypeScript or JavaScript; everything else is blank, so that lines keep their numbers. */
export function commentsOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const ranges = new Map();
  const visit = (node) => {
    const found = [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ];
    for (const { pos, end } of found) ranges.set(pos, end);
    if (node.kind !== ts.SyntaxKind.JSDoc) node.getChildren(file).forEach(visit);
  };
  visit(file);
  let text = '';
  for (const [pos, end] of [...ranges].sort(([a], [b]) => a - b)) {
    const comment = source.slice(pos, end).replaceAll(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/) ?|\*\/$/gm, blank);
    text += blank(source.slice(text.length, pos)) + comment;
  }
  // Indentation of code is no code block of a comment.
  return text.replaceAll(/^ +/gm, '');
}

const GENERATED =
  /(?:^|\/)(?:node_modules|dist|bundles|generated|artifacts|testdata|frozen|peers|\.data|\.nx|\.git)(?:\/|$)/;

/** Checks documents and swept code below the named files and folders. Returns one line for each avoided word. */
export function checkPlainWords(named) {
  const wanted = named.map((one) => path.relative(root, path.resolve(root, one)));
  const isWanted = (file) => wanted.some((one) => one === '' || file === one || file.startsWith(`${one}/`));
  const files = (patterns) =>
    globSync(patterns, { cwd: root, exclude: (entry) => GENERATED.test(entry) }).filter(
      (file) => !GENERATED.test(file) && isWanted(file),
    );
  const reported = (file, words) => words.map(({ line, word, instead }) => `${file}:${line} "${word}": ${instead}`);
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  return [
    ...files(['**/*.md']).flatMap((file) => reported(file, avoidedWords(read(file)))),
    ...files(SWEPT).flatMap((file) => {
      const source = read(file);
      return reported(file, [...clauseOpenings(source), ...avoidedWords(commentsOf(source))]);
    }),
  ];
}
