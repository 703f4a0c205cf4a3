import { describe, expect, it } from '@jest/globals';
import type { ModuleReviewStatus, ReviewDiff } from '@launch/contracts/modules';
import {
  AT,
  BEFORE,
  BUILD,
  digest,
  FILE,
  FINDINGS,
  finding,
  found,
  ID,
  page,
  PATH,
  PLAN,
  status,
} from '../../../../fixtures/review-page.fixture.js';
import { diffPage, filePage, queuePage, submissionPage } from './console.pages.js';

/** Returns the text of a page: tags become single spaces, and each row, entry and heading is one line. */
const read = (html: string): string[] =>
  html
    .replaceAll(/<(?:tr|li|dt|h[12]|p|pre|table|dl)[ >]/g, '\n$&')
    .replaceAll(/<[^>]*>/g, ' ')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
const rowsOf = (html: string): string[] => [...html.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => row);

describe('The page of a file', () => {
  const text = 'contract A {\n  uint256 a;\n}\n';
  const file = { path: PATH, sha256: FILE, text, byteCount: 29 };

  it('shows each finding below its line and nowhere else', () => {
    const rows = rowsOf(
      filePage(ID, file, [
        finding(),
        finding({ code: 'COMPILER_WARNING', severity: 'warning', target: null, pointer: null, detail: 'Warning 5667' }),
        finding({ code: 'OPCODE_FORBIDDEN', source: null }),
      ]),
    );
    expect(rows.map((row) => read(row).join(' '))).toEqual([
      '1 contract A {',
      '2 uint256 a;',
      `error HOOK_CALLER_UNCHECKED ${PATH}:FeeModule /capabilities/hookPermissions beforeSwap`,
      'warning COMPILER_WARNING Warning 5667',
      '3 }',
    ]);
    expect(rows.map((row) => /^<tr (?:id|class)="([^"]*)"/.exec(row)?.[1])).toEqual([
      'L1',
      'L2',
      'note error',
      'note warning',
      'L3',
    ]);
  });

  it('shows the detail of a finding as text only', () => {
    const shown = filePage(ID, file, [finding({ detail: '<img src=x>\u202e' })]);
    expect(shown).toContain('&lt;img src=x&gt;');
    expect(shown).toContain('>U+202E</span>');
    expect(shown).not.toMatch(/<img|\u202e/);
  });

  it('says that bytes are not text, and that a text continues below the shown part', () => {
    const binary = read(filePage(ID, { ...file, text: null }, [])).join(' ');
    expect(binary).toContain('These bytes are no UTF-8 text.');
    const long = filePage(ID, { ...file, text: 'x\n'.repeat(10_001) }, []);
    expect(rowsOf(long)).toHaveLength(10_000);
    expect(read(long).at(-1)).toBe('Lines 1 to 10000 of 10001. Next lines , or save the bytes.');
    expect(long).toContain(`<a href="/submissions/${ID}/files/${FILE}?from=10001">`);
    const rest = filePage(ID, { ...file, text: 'x\n'.repeat(10_001) }, [], 10_001);
    expect(rowsOf(rest).map((row) => read(row).join(' '))).toEqual(['10001 x']);
    expect(rest).not.toContain('?from=');
    expect(read(filePage(ID, { ...file, text: 'x\n'.repeat(10_000) }, [])).join(' ')).not.toContain('Next lines');
  });
});

describe('The page of a submission', () => {
  it('lists its findings with links to their lines, and counts them at their files', () => {
    const html = submissionPage(
      page(),
      found([finding(), finding({ source: { path: 'elsewhere.sol', line: 1 } }), finding({ source: null })]),
    );
    const lines = read(html);
    const said = `error HOOK_CALLER_UNCHECKED ${PATH}:FeeModule /capabilities/hookPermissions beforeSwap`;
    expect(lines.slice(lines.indexOf('Findings') + 1, lines.indexOf('Files'))).toEqual([
      `${PATH}:2 ${said}`,
      said,
      said,
    ]);
    expect(html).toContain(`<a href="/submissions/${ID}/files/${FILE}#L2">${PATH}:2</a>`);
    expect(lines[lines.indexOf('Files') + 1]).toBe(`${PATH} 1 finding 21 bytes ${FILE}`);
    expect(read(submissionPage(page(), found([finding(), finding()]))).join('\n')).toContain(`${PATH} 2 findings`);
  });

  it('says that nothing was built yet, or that the build found nothing', () => {
    const findingsOf = (...given: Parameters<typeof found>): string => {
      const lines = read(submissionPage(page(), found(...given)));
      return lines[lines.indexOf('Findings') + 1]!;
    };
    expect([findingsOf([], null), findingsOf([])]).toEqual(['Nothing was built yet.', 'The build found nothing.']);
  });

  it('links each document of the evidence by its digest', () => {
    const evidence = (html: string): string[] => {
      const lines = read(html);
      return lines.slice(lines.indexOf('Evidence') + 1, lines.indexOf('Descriptor'));
    };
    const html = submissionPage(page(), found([]));
    const documents = [
      ['build plan', PLAN],
      ['build artifact', BUILD.artifactDigest],
      ['host manifest', BUILD.hostManifestDigest],
      ['toolchain', BUILD.toolchainDigest],
      ['build logs', BUILD.logsSha256],
      ['build findings', FINDINGS],
    ] as const;
    expect(evidence(html)).toEqual(documents.map(([name, sha256]) => `${name} ${sha256}`));
    for (const [, sha256] of documents) expect(html).toContain(`<a href="/submissions/${ID}/files/${sha256}">`);
    const planned = page(status({ build: null }), { findingsSha256: null });
    expect(evidence(submissionPage(planned, found([], null)))).toEqual([`build plan ${PLAN}`]);
    const fresh = page(status({ build: null }), { planSha256: null, findingsSha256: null });
    expect(evidence(submissionPage(fresh, found([], null)))).toEqual(['No plan is attached.']);
  });

  it('names the previous and the next revision, and the reason the last build failed', () => {
    const after = '9d1f5b1e-6d0f-4c43-9a4e-2f6f1f0a7b33';
    const lastError = { code: 'COMPILER_ERROR', message: 'the compiler refuses <b>', at: AT };
    const html = submissionPage(page(status({ lastError }), { supersedes: BEFORE, supersededBy: after }), found([]));
    const lines = read(html);
    expect(lines).toContain(`Supersedes ${BEFORE} , what differs`);
    expect(lines).toContain(`Superseded by ${after}`);
    expect(lines).toContain('Last error COMPILER_ERROR the compiler refuses &lt;b&gt;');
    for (const link of [`/submissions/${BEFORE}`, `/submissions/${ID}/diff`, `/submissions/${after}`])
      expect(html).toContain(`href="${link}"`);
  });

  it.each([
    ['built', 'await_reviewer_decision', ['accept', 'request_changes', 'reject']],
    ['awaiting_plan', 'await_review_plan', ['request_changes', 'reject']],
    ['build_failed', 'await_review_plan', ['request_changes', 'reject']],
    ['queued', 'await_build', []],
    ['running', 'await_build', []],
  ] as const)('offers the outcomes that the state %s allows', (state, nextAction, outcomes) => {
    const { review } = status();
    const decided = { ...status(), review: { ...review, state, nextAction } } as ModuleReviewStatus;
    const html = submissionPage(page(decided), found([]));
    expect([...html.matchAll(/name="outcome" value="(\w+)"/g)].map(([, outcome]) => outcome)).toEqual(outcomes);
    expect(html.includes('The build runs.')).toBe(outcomes.length === 0);
    expect(html.includes(`<form id="decide" data-submission="${ID}" data-revision="3">`)).toBe(outcomes.length > 0);
  });

  it('shows a signed decision and offers no other one', () => {
    const decision = {
      outcome: 'reject' as const,
      reason: 'No <b>limit</b>.',
      reviewerWallet: `0x${'9'.repeat(40)}` as const,
      decidedAt: AT,
      digest: `0x${'a'.repeat(64)}` as const,
      artifactDigest: BUILD.artifactDigest,
      hostManifestDigest: BUILD.hostManifestDigest,
    };
    const html = submissionPage(page(status({ decision })), found([]));
    const lines = read(html);
    expect(lines.slice(lines.indexOf('Decision') + 1, lines.indexOf('Decision') + 6)).toEqual([
      'Outcome reject',
      `Reviewer ${decision.reviewerWallet}`,
      'Reason No &lt;b&gt;limit&lt;/b&gt;.',
      `Decided ${AT}`,
      `Digest ${decision.digest}`,
    ]);
    expect(html).not.toContain('id="decide"');
  });
});

describe('The page of the differences', () => {
  const diff = (given: Partial<ReviewDiff> = {}): ReviewDiff => ({
    schemaVersion: 'service.modules.review-diff.v1',
    submissionId: ID,
    against: BEFORE,
    unchanged: 4,
    files: [],
    truncated: false,
    ...given,
  });

  it("numbers the lines of both revisions and shows an author's text as text", () => {
    const html = diffPage(
      diff({
        files: [
          {
            path: PATH,
            change: 'modified',
            before: digest('1'),
            after: digest('2'),
            hunks: [
              {
                oldStart: 7,
                newStart: 9,
                lines: [
                  { kind: 'same', text: 'contract A {' },
                  { kind: 'removed', text: '  uint8 a;' },
                  { kind: 'added', text: '  uint16 a;' },
                  { kind: 'added', text: '  // <script>\u202e' },
                  { kind: 'same', text: '}' },
                ],
              },
            ],
          },
          { path: 'logo.png', change: 'added', before: null, after: digest('3'), hunks: null },
        ],
      }),
    );
    expect(rowsOf(html).map((row) => [/class="(\w+)"/.exec(row)?.[1], read(row).join(' ')])).toEqual([
      ['same', '7 9 contract A {'],
      ['removed', '8 − uint8 a;'],
      ['added', '10 + uint16 a;'],
      ['added', '11 + // &lt;script&gt; U+202E'],
      ['same', '9 12 }'],
    ]);
    const lines = read(html);
    expect(lines).toContain(`Against ${BEFORE} . 4 files are equal.`);
    expect(lines).toContain(`${PATH} modified`);
    expect(lines.slice(lines.indexOf('logo.png added')).slice(0, 2)).toEqual([
      'logo.png added',
      'Its lines are not shown.',
    ]);
    expect(html).not.toMatch(/<script>\u202e|Lines were left out/);
  });

  it('says that a first revision supersedes none, and that lines were left out', () => {
    const lines = read(diffPage(diff({ against: null, unchanged: 0, truncated: true }))).join('\n');
    expect(lines).toContain('This submission supersedes none: every file is new. 0 files are equal.');
    expect(lines).toContain('Lines were left out: there are too many.');
  });
});

describe('The page of the queue', () => {
  it('links each submission, and the next page within the same state', () => {
    const item = {
      submissionId: ID,
      name: 'Fee <module>',
      version: '1.0.0',
      family: 'fee-module',
      author: `0x${'5'.repeat(40)}` as const,
      supersedes: null,
      state: 'built' as const,
      revision: 3,
      receivedAt: AT,
      updatedAt: AT,
    };
    const queue = { schemaVersion: 'service.modules.review-queue.v1' as const, items: [item], nextCursor: 'a+b' };
    const html = queuePage(queue, 'built');
    expect(rowsOf(html).map((row) => read(row).join(' '))[1]).toBe(
      `Fee &lt;module&gt; 1.0.0 built fee-module 0x${'5'.repeat(40)} ${AT}`,
    );
    expect(html).toContain(`<a href="/submissions/${ID}">`);
    expect(html).toContain('<a href="/?state=built&amp;cursor=a%2Bb">More</a>');
    expect(queuePage(queue, undefined)).toContain('<a href="/?cursor=a%2Bb">More</a>');
    const empty = queuePage({ ...queue, items: [], nextCursor: null }, undefined);
    expect(read(empty)).toContain('Nothing here.');
    expect(empty).not.toContain('More</a>');
  });
});
