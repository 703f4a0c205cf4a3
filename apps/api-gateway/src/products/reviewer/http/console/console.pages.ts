import type {
  BuildFinding,
  ModuleReviewStatus,
  ReviewDiff,
  ReviewFindings,
  ReviewQueue,
} from '@launch/contracts/modules';
import { REVIEW_STATES, type ReviewState } from '@launch/contracts/states';
import { linesOf } from '../../domain/line-diff.js';
import { documentsOf, type ReviewPage } from '../../domain/review-page.js';
import { BoundedHtml, LIST_CHARACTERS } from './bounded-html.js';
import { Html, joined, template, type Shown } from './html-template.js';
import { consolePage } from './layout.page.js';
import { shownText } from './shown-text.js';

/** The lines of a file on one page. The next page begins at the line after it, and the whole file can be saved. */
const MAX_LINES = 10_000;
/** The characters of a path in a page's title. */
const MAX_TITLE = 128;
/** The characters of a descriptor that its page shows. */
const MAX_DESCRIPTOR = 64 * 1024;

const NOTHING = new Html('');
const submissionPath = (submissionId: string): string => `/submissions/${submissionId}`;
const words = (name: string): string => name.replaceAll('_', ' ');

const code = template<{ readonly text: Shown }>('<code><%= it.text %></code>');
const codeOf = (text: string): Html => code({ text });
const badge = template<{ readonly state: string; readonly words: string }>(
  '<span class="badge <%= it.state %>"><%= it.words %></span>',
);
const badgeOf = (state: ReviewState): Html => badge({ state, words: words(state) });
const empty = template<{ readonly text: string }>('<p class="empty"><%= it.text %></p>');
const notice = template<{ readonly text: string }>('<p class="notice"><%= it.text %></p>');
const small = template<{ readonly content: Shown }>('<small><%= it.content %></small>');
const link = template<{ readonly to: string; readonly content: Shown }>('<a href="<%= it.to %>"><%= it.content %></a>');
const rows = template<{ readonly pairs: readonly (readonly [string, Shown])[] }>(
  '<dl><% for (const [name, value] of it.pairs) { %><dt><%= name %></dt><dd><%= value %></dd><% } %></dl>',
);

const queueRow = template<{ readonly one: ReviewQueue['items'][number]; readonly path: string; readonly badge: Html }>(
  '<tr><td><a href="<%= it.path %>"><%= it.one.name %></a> <small><%= it.one.version %></small></td><td><%= it.badge %></td><td><code><%= it.one.family %></code></td><td><code><%= it.one.author %></code></td><td><time><%= it.one.updatedAt %></time></td></tr>',
);
const queue = template<{
  readonly state: ReviewState | undefined;
  readonly filters: readonly (readonly [ReviewState, string])[];
  readonly rows: Html;
  readonly isEmpty: boolean;
  readonly next: string | null;
}>(`<h1>Queue</h1><nav class="filters"><a href="/"<% if (it.state === undefined) { %> aria-current="page"<% } %>>waiting for a reviewer</a><% for (const [state, words] of it.filters) { %><a href="/?state=<%= state %>"<% if (it.state === state) { %> aria-current="page"<% } %>><%= words %></a><% } %></nav>
<% if (it.isEmpty) { %><p class="empty">Nothing here.</p><% } else { %><table><thead><tr><th>Module</th><th>State</th><th>Family</th><th>Author</th><th>Unchanged since</th></tr></thead><tbody><%= it.rows %></tbody></table><% } %><% if (it.next !== null) { %><p><a href="/?<%= it.next %>">More</a></p><% } %>`);

export function queuePage({ items, nextCursor }: ReviewQueue, state: ReviewState | undefined): string {
  const lines = items.map((one) =>
    queueRow({ one, path: submissionPath(one.submissionId), badge: badgeOf(one.state) }),
  );
  const after = `${state === undefined ? '' : `state=${state}&`}cursor=`;
  return consolePage(
    'Queue',
    queue({
      state,
      filters: REVIEW_STATES.map((one) => [one, words(one)] as const),
      rows: joined(lines, '\n'),
      isEmpty: lines.length === 0,
      next: nextCursor === null ? null : `${after}${encodeURIComponent(nextCursor)}`,
    }),
  );
}

const submission = template<{
  readonly name: string;
  readonly version: string;
  readonly badge: Html;
  readonly facts: Html;
  readonly findings: Html;
  readonly files: Html;
  readonly evidence: Html;
  readonly descriptor: Html;
  readonly decision: Html;
}>(`<h1><%= it.name %> <small><%= it.version %></small> <%= it.badge %></h1>
<%= it.facts %>
<h2>Findings</h2><%= it.findings %>
<h2>Files</h2><%= it.files %>
<h2>Evidence</h2><%= it.evidence %>
<h2>Descriptor</h2><pre class="document"><%= it.descriptor %></pre>
<h2>Decision</h2><%= it.decision %>`);

export function submissionPage(page: ReviewPage, found: ReviewFindings): string {
  const { row, module, status } = page;
  const { descriptor, files } = module;
  const base = submissionPath(row.submissionId);
  const { name, version } = descriptor;
  return consolePage(
    `${name} ${version}`,
    submission({
      name,
      version,
      badge: badgeOf(status.review.state),
      facts: rows({ pairs: factsOf(page, base) }),
      findings: findingsList(found, base, files),
      files: filesTable(files, base, found),
      evidence: evidence(row, status, base),
      // The whole descriptor is longer than other texts may be.
      descriptor: new Html(shownText(JSON.stringify(descriptor, null, 2), MAX_DESCRIPTOR)),
      decision: decision(status, row.submissionId),
    }),
  );
}

const revision = template<{ readonly revision: number; readonly attempt: number }>(
  '<span id="revision"><%= it.revision %></span>, attempt <%= it.attempt %>',
);

function factsOf({ row, module, status }: ReviewPage, base: string): readonly (readonly [string, Shown])[] {
  const { family, author, rewardWallet } = module.descriptor;
  const { review, lastError } = status;
  const linkTo = (submissionId: string): Html =>
    link({ to: submissionPath(submissionId), content: codeOf(submissionId) });
  return [
    ['Submission', codeOf(row.submissionId)],
    ['Revision of the review', revision(review)],
    ['Family', codeOf(family)],
    ['Author', codeOf(author)],
    ['Reward wallet', codeOf(rewardWallet)],
    ['Request', codeOf(row.requestDigest)],
    ...(row.supersedes === null
      ? []
      : [
          [
            'Supersedes',
            joined([linkTo(row.supersedes), link({ to: `${base}/diff`, content: 'what differs' })], ', '),
          ] as const,
        ]),
    ...(row.supersededBy === null ? [] : [['Superseded by', linkTo(row.supersededBy)] as const]),
    ...(lastError === null ? [] : [['Last error', lastErrorOf(lastError)] as const]),
  ];
}

const lastErrorOf = template<{ readonly code: string; readonly message: string }>(
  '<code><%= it.code %></code> <%= it.message %>',
);

const fileRow = template<{
  readonly to: string;
  readonly path: string;
  readonly count: number;
  readonly byteCount: number;
  readonly sha256: string;
}>(
  '<tr><td><a href="<%= it.to %>"><%= it.path %></a> <% if (it.count > 0) { %><span class="count"><%= it.count %> finding<% if (it.count > 1) { %>s<% } %></span><% } %></td><td class="number"><%= it.byteCount %> bytes</td><td><small><code><%= it.sha256 %></code></small></td></tr>',
);
const table = template<{ readonly rows: Html; readonly isComplete: boolean }>(
  '<table><tbody><%= it.rows %></tbody></table><% if (!it.isComplete) { %><p class="notice">Files were left out: their list is too large to show.</p><% } %>',
);

function filesTable(files: ReviewPage['module']['files'], base: string, { findings }: ReviewFindings): Html {
  const counts = Map.groupBy(findings, ({ source }) => source?.path);
  const list = new BoundedHtml();
  const isComplete = files.every(({ path, sha256, byteCount }) =>
    list.add(fileRow({ to: `${base}/files/${sha256}`, path, count: counts.get(path)?.length ?? 0, byteCount, sha256 })),
  );
  return table({ rows: list.html(), isComplete });
}

const finding = template<{ readonly one: BuildFinding }>(
  '<strong><%= it.one.severity %></strong> <code><%= it.one.code %></code> <% if (it.one.target !== null) { %><code><%= it.one.target.path + ":" + it.one.target.contract %></code><% } %> <% if (it.one.pointer !== null) { %><code><%= it.one.pointer %></code><% } %> <%= it.one.detail %>',
);
const findingEntry = template<{ readonly severity: string; readonly place: Html; readonly finding: Html }>(
  '<li class="<%= it.severity %>"><%= it.place %><%= it.finding %></li>',
);
const findings = template<{ readonly entries: Html; readonly isComplete: boolean }>(
  '<ul class="findings"><%= it.entries %></ul><% if (!it.isComplete) { %><p class="notice">Findings were left out: their list is too large to show.</p><% } %>',
);
const place = template<{ readonly to: string; readonly path: string; readonly line: number }>(
  '<a href="<%= it.to %>"><%= it.path %>:<%= it.line %></a> ',
);

function findingsList(found: ReviewFindings, base: string, files: ReviewPage['module']['files']): Html {
  if (found.findingsSha256 === null) return empty({ text: 'Nothing was built yet.' });
  if (found.findings.length === 0) return empty({ text: 'The build found nothing.' });
  const byPath = new Map(files.map((file) => [file.path, file]));
  const placeOf = ({ source }: BuildFinding): Html => {
    const file = source === null ? undefined : byPath.get(source.path);
    if (source === null || file === undefined) return NOTHING;
    const { path, line } = source;
    return place({ to: `${filePath(base, file.sha256, line)}#L${line}`, path, line });
  };
  const list = new BoundedHtml();
  const isComplete = found.findings.every((one) =>
    list.add(findingEntry({ severity: one.severity, place: placeOf(one), finding: finding({ one }) })),
  );
  return findings({ entries: list.html(), isComplete });
}

/** Returns the address of the page of a file that shows a line. */
const filePath = (base: string, sha256: string, line: number): string =>
  `${base}/files/${sha256}${line <= MAX_LINES ? '' : `?from=${line}`}`;

function evidence(row: ReviewPage['row'], status: ModuleReviewStatus, base: string): Html {
  const documents = documentsOf(row, status);
  if (documents.length === 0) return empty({ text: 'No plan is attached.' });
  return rows({
    pairs: documents.map(({ path, sha256 }) => [
      path,
      link({ to: `${base}/files/${sha256}`, content: small({ content: codeOf(sha256) }) }),
    ]),
  });
}

const reason = template<{ readonly text: string }>('<div class="reason"><%= it.text %></div>');
const decide = template<{
  readonly submissionId: string;
  readonly revision: number;
  readonly outcomes: readonly (readonly [string, string])[];
}>(`<form id="decide" data-submission="<%= it.submissionId %>" data-revision="<%= it.revision %>">
<fieldset><legend>Outcome</legend><% for (const [outcome, words] of it.outcomes) { %><label><input type="radio" name="outcome" value="<%= outcome %>" required> <%= words %></label><% } %></fieldset>
<label for="reason">Reason, which the author reads</label><textarea id="reason" name="reason" rows="5" required maxlength="4096"></textarea>
<fieldset><legend>Wallet</legend><div id="wallets" class="wallets"></div></fieldset>
<button type="submit">Sign and decide</button><p class="notice" id="notice" role="status"></p></form>`);

function decision({ decision: made, review }: ModuleReviewStatus, submissionId: string): Html {
  if (made !== null)
    return rows({
      pairs: [
        ['Outcome', made.outcome],
        ['Reviewer', codeOf(made.reviewerWallet)],
        ['Reason', reason({ text: made.reason })],
        ['Decided', made.decidedAt],
        ['Digest', codeOf(made.digest)],
      ],
    });
  const outcomes = outcomesIn(review.state);
  if (outcomes.length === 0) return empty({ text: 'The build runs.' });
  const { revision: of } = review;
  return decide({ submissionId, revision: of, outcomes: outcomes.map((one) => [one, words(one)] as const) });
}

function outcomesIn(state: ReviewState): readonly string[] {
  if (state === 'built') return ['accept', 'request_changes', 'reject'];
  return state === 'awaiting_plan' || state === 'build_failed' ? ['request_changes', 'reject'] : [];
}

const file = template<{
  readonly base: string;
  readonly path: string;
  readonly sha256: string;
  readonly byteCount: number;
  readonly raw: string;
  readonly source: Html;
}>(`<p><a href="<%= it.base %>">Back to the submission</a></p><h1 class="path"><%= it.path %></h1>
<p><small><code><%= it.sha256 %></code></small>, <%= it.byteCount %> bytes, <a href="<%= it.raw %>">save the bytes</a></p>
<%= it.source %>`);

/** Shows a file from a line on. @param file `text` is null for bytes that are not text. */
export function filePage(
  submissionId: string,
  shown: { readonly path: string; readonly sha256: string; readonly text: string | null; readonly byteCount: number },
  found: readonly BuildFinding[],
  from = 1,
): string {
  const { path, sha256, text, byteCount } = shown;
  const base = submissionPath(submissionId);
  return consolePage(
    path.slice(0, MAX_TITLE),
    file({
      base,
      path,
      sha256,
      byteCount,
      raw: `/v1/reviewer/submissions/${submissionId}/files/${sha256}`,
      source:
        text === null
          ? empty({ text: 'These bytes are no UTF-8 text.' })
          : source(text, found, `${base}/files/${sha256}`, from),
    }),
  );
}

const sourceLine = template<{ readonly line: number; readonly text: string }>(
  '<tr id="L<%= it.line %>"><td class="line"><%= it.line %></td><td class="text"><%= it.text %></td></tr>',
);
const sourceNote = template<{ readonly severity: string; readonly finding: Html }>(
  '<tr class="note <%= it.severity %>"><td></td><td><%= it.finding %></td></tr>',
);
const sourceTable = template<{
  readonly path: string;
  readonly from: number;
  readonly next: number;
  readonly count: number;
  readonly lines: Html;
  readonly isComplete: boolean;
}>(
  '<% if (it.from !== 1) { %><p><a href="<%= it.path %>">From the first line</a></p><% } %><table class="source"><tbody><%= it.lines %></tbody></table><% if (!it.isComplete) { %><p class="notice">Findings of these lines were left out: they are too many to show.</p><% } %><% if (it.next <= it.count) { %><p class="notice">Lines <%= it.from %> to <%= it.next - 1 %> of <%= it.count %>. <a href="<%= it.path %>?from=<%= it.next %>">Next lines</a>, or save the bytes.</p><% } %>',
);

function source(text: string, found: readonly BuildFinding[], path: string, from: number): Html {
  const lines = linesOf(text);
  const notes = Map.groupBy(found, ({ source: at }) => at?.line);
  const list = new BoundedHtml();
  let line = from;
  let isComplete = true;
  for (; line <= lines.length && line < from + MAX_LINES; line += 1) {
    if (!list.add(sourceLine({ line, text: lines[line - 1]! }))) break;
    for (const one of notes.get(line) ?? [])
      isComplete &&= list.add(sourceNote({ severity: one.severity, finding: finding({ one }) }));
  }
  return sourceTable({ path, from, next: line, count: lines.length, lines: list.html(), isComplete });
}

const differences = template<{
  readonly back: string;
  readonly against: string | null;
  readonly unchanged: number;
  readonly body: Html;
}>(`<p><a href="<%= it.back %>">Back to the submission</a></p><h1>What differs</h1>
<p><% if (it.against === null) { %>This submission supersedes none: every file is new.<% } else { %>Against <code><%= it.against %></code>.<% } %> <%= it.unchanged %> files are equal.</p>
<%= it.body %>`);
const differenceHeading = template<{ readonly path: string; readonly change: string }>(
  '<h2 class="path"><%= it.path %> <small><%= it.change %></small></h2>',
);
const hunkStart = template<{ readonly isFirst: boolean }>(
  '<% if (!it.isFirst) { %><p class="gap">⋯</p><% } %><table class="source"><tbody>',
);
const HUNK_END = new Html('</tbody></table>');
const LEFT_OUT = notice({ text: 'Lines were left out: there are too many.' });
const NO_LINES = empty({ text: 'Its lines are not shown.' });

export function diffPage({ submissionId, against, unchanged, files, truncated }: ReviewDiff): string {
  const body = new BoundedHtml(2 * LIST_CHARACTERS);
  const isComplete = files.every(({ path, change, hunks }) => {
    const heading = differenceHeading({ path, change });
    if (hunks === null) return body.add(joined([heading, NO_LINES]));
    return (
      body.add(heading) &&
      hunks.every((hunk, index) => body.add(hunkStart({ isFirst: index === 0 })) && addRows(body, hunk))
    );
  });
  const end = [...(isComplete ? [] : [HUNK_END]), ...(truncated || !isComplete ? [LEFT_OUT] : [])];
  return consolePage(
    'What differs',
    differences({ back: submissionPath(submissionId), against, unchanged, body: joined([body.html(), ...end]) }),
  );
}

const differenceRow = template<{
  readonly kind: string;
  readonly old: Shown;
  readonly now: Shown;
  readonly sign: string;
  readonly text: string;
}>(
  '<tr class="<%= it.kind %>"><td class="line"><%= it.old %></td><td class="line"><%= it.now %></td><td class="sign"><%= it.sign %></td><td class="text"><%= it.text %></td></tr>',
);
const SIGNS = { added: '+', removed: '−', same: '' } as const;

/** Adds the rows of a hunk and the end of its table. Returns false once there is no more room. */
function addRows(
  body: BoundedHtml,
  { oldStart, newStart, lines }: NonNullable<ReviewDiff['files'][number]['hunks']>[number],
): boolean {
  let [old, now] = [oldStart, newStart];
  for (const { kind, text } of lines) {
    const row = { kind, old: kind === 'added' ? '' : old, now: kind === 'removed' ? '' : now, sign: SIGNS[kind], text };
    if (kind !== 'added') old += 1;
    if (kind !== 'removed') now += 1;
    if (!body.add(differenceRow(row))) return false;
  }
  return body.add(HUNK_END);
}
