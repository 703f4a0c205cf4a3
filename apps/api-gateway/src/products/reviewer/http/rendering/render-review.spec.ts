import { describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import type { BuildFinding, ReviewDiff } from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { digest, FILE, finding, FINDINGS, ID, page } from '../../../../fixtures/review-page.fixture.js';
import { renderReview } from './render-review.js';
import type { OwnBytes, RenderQuestion, UncomparedFile } from '../../domain/review-rendering.js';

const PATH = 'src/Hostile.sol';
const FILE_BYTES = 4 * 1024 * 1024;
/** Room for the layout and the text around the author's text. */
const AROUND = 64 * 1024;
const MAX_PAGE = 4 * 1024 * 1024 + AROUND;
const bytesOf = (text: string): OwnBytes => new TextEncoder().encode(text);
const filled = (pattern: string): string =>
  pattern.repeat(Math.floor(FILE_BYTES / new TextEncoder().encode(pattern).length));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const HOSTILE_TEXTS: readonly (readonly [string, string])[] = [
  ['controls in every place', filled('\u0000')],
  ['bidirectional controls in every place', filled('\u202e')],
  ['letters and controls in turns', filled('a\u200b')],
  ['markup', filled('<b>&"\'')],
  ['one line', filled('public ')],
  ['lines without text', filled('\n')],
  ['lines of one control', filled('\u0001\n')],
  ['lines of 100,000 controls', filled(`${'\u2066'.repeat(100_000)}\n`)],
  ['tags of plane 14', filled('\u{e0041}')],
];

const findingsDocument = (findings: readonly BuildFinding[]): OwnBytes =>
  new Uint8Array(
    canonicalizeJson({
      schemaVersion: 'service.modules.build-findings.v1',
      submissionId: ID,
      findings: [...findings],
      fingerprints: [],
    }),
  );
const filePage = (text: string, from = 1, findings: OwnBytes | null = null): string =>
  textOf(
    renderReview({
      kind: 'file-page',
      submissionId: ID,
      path: PATH,
      sha256: FILE,
      bytes: bytesOf(text),
      findings,
      from,
    }),
  );
/** The maximum number of findings in a document, each of the maximum length. */
const LONGEST = Array.from({ length: 1_024 }, () =>
  finding({ pointer: '\u0002'.repeat(1_024), detail: '\u202e'.repeat(512), source: { path: PATH, line: 1 } }),
);

describe('The pages of a hostile file', () => {
  it.each(HOSTILE_TEXTS)('are bounded, and the next page begins where one ends: %s', (_what, text) => {
    const lineCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    let from = 1;
    for (let pages = 0; pages < 3; pages += 1) {
      const html = filePage(text, from);
      expect(html.length).toBeLessThan(MAX_PAGE);
      const next = /\?from=(\d+)"/.exec(html)?.[1];
      const shown = [...html.matchAll(/<tr id="L(\d+)"/g)].map(([, line]) => Number(line));
      expect(shown[0]).toBe(from);
      expect(next === undefined ? lineCount : Number(next) - 1).toBe(shown.at(-1));
      if (next === undefined) return;
      from = Number(next);
    }
  });

  it('are bounded when every finding of a build is about one line', () => {
    const html = filePage('contract A {\n}\n', 1, findingsDocument(LONGEST));
    expect(html.length).toBeLessThan(MAX_PAGE);
    expect(html).toContain('Findings of these lines were left out');
  });
});

describe('The page of a hostile submission', () => {
  const { row } = page();
  const request = (): OwnBytes =>
    bytesOf(
      JSON.stringify({
        schemaVersion: 'service.modules.submission.v0.1',
        package: {
          ...page().module.descriptor,
          source: {
            files: Array.from({ length: 20_000 }, (_, index) => ({
              path: `${'\u202e'.repeat(50)}${index}`,
              sha256: 'a'.repeat(64),
            })),
          },
        },
        files: Array.from({ length: 128 }, (_, index) => ({
          path: `${'\u0001'.repeat(2_000)}${index}`,
          sha256: digest('1'),
          contentBase64: '',
        })),
        supersedes: null,
      }),
    );

  it('is bounded, with the longest findings and a descriptor of megabytes', () => {
    const html = textOf(
      renderReview({
        kind: 'submission-page',
        row: { ...row, projection: JSON.stringify(page().status), findingsSha256: FINDINGS },
        request: request(),
        findings: findingsDocument(LONGEST),
      }),
    );
    // The descriptor adds to two lists.
    expect(html.length).toBeLessThan(MAX_PAGE + 80 * 64 * 1024);
    expect(html).toContain('Findings were left out');
    expect(html).toContain('Files were left out');
  });
});

describe('The difference of hostile files', () => {
  const file = (path: string, old: string, now: string): UncomparedFile => ({
    path,
    change: 'modified',
    before: digest('1') as Sha256Digest,
    after: digest('2') as Sha256Digest,
    old: bytesOf(old),
    now: bytesOf(now),
  });
  const question = (kind: 'diff-page' | 'diff-document', files: readonly UncomparedFile[]): RenderQuestion =>
    ({ kind, submissionId: ID, against: ID, unchanged: 0, files, truncated: false }) as const;
  const MEGABYTE = 1024 * 1024;
  const shorter = (pattern: string): string =>
    pattern.repeat(Math.floor(MEGABYTE / new TextEncoder().encode(pattern).length));

  it.each([
    ['lines without text', shorter('\n'), `x${shorter('\n')}`],
    ['controls in every place', shorter(`${'\u202e'.repeat(50)}\n`), shorter(`${'\u202e'.repeat(51)}\n`)],
    ['one line', shorter('a'), shorter('b')],
    ['lines in another order', shorter('a\na\nb\n'), shorter('b\na\na\n')],
  ])('is bounded as a page and as a document: %s', (_what, old, now) => {
    const files = (): UncomparedFile[] => Array.from({ length: 4 }, (_, index) => file(`f${index}`, old, now));
    expect(renderReview(question('diff-page', files())).length).toBeLessThan(3 * MAX_PAGE);
    const document = renderReview(question('diff-document', files()));
    expect(document.length).toBeLessThan(6 * 2 * MEGABYTE + MEGABYTE);
  });

  it('shows the files that fit beside one that does not', () => {
    const files = [file('huge', '', shorter('x\n')), file('small', 'a\n', 'b\n')];
    const diff = JSON.parse(textOf(renderReview(question('diff-document', files)))) as ReviewDiff;
    expect(diff.files.map(({ path, hunks }) => [path, hunks?.length ?? null])).toEqual([
      ['huge', null],
      ['small', 1],
    ]);
    expect(diff.truncated).toBe(true);
  });
});
