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
import { consolePage } from './layout.page.js';
import { escapeHtml as html, shownText } from './shown-text.js';

/** Lines of a file on one page; the next page begins where this one ends, and the whole file can be saved. */
const MAX_LINES = 10_000;
/** Characters of a path in a page's title. */
const MAX_TITLE = 128;
/** Characters of a descriptor that its page shows. */
const MAX_DESCRIPTOR = 64 * 1024;

const submissionPath = (submissionId: string): string => `/submissions/${submissionId}`;
const badge = (state: ReviewState): string => `<span class="badge ${state}">${state.replaceAll('_', ' ')}</span>`;
const code = (text: string): string => `<code>${shownText(text)}</code>`;
const rows = (pairs: readonly (readonly [string, string])[]): string =>
  `<dl>${pairs.map(([name, value]) => `<dt>${html(name)}</dt><dd>${value}</dd>`).join('')}</dl>`;

export function queuePage(queue: ReviewQueue, state: ReviewState | undefined): string {
  const filters = [
    `<a href="/"${state === undefined ? ' aria-current="page"' : ''}>waiting for a reviewer</a>`,
    ...REVIEW_STATES.map(
      (one) => `<a href="/?state=${one}"${one === state ? ' aria-current="page"' : ''}>${one.replaceAll('_', ' ')}</a>`,
    ),
  ];
  const lines = queue.items.map(
    (one) =>
      `<tr><td><a href="${submissionPath(one.submissionId)}">${shownText(one.name)}</a> <small>${shownText(one.version)}</small></td><td>${badge(one.state)}</td><td>${code(one.family)}</td><td>${code(one.author)}</td><td><time>${html(one.updatedAt)}</time></td></tr>`,
  );
  const next =
    queue.nextCursor === null
      ? ''
      : `<p><a href="/?${state === undefined ? '' : `state=${state}&amp;`}cursor=${encodeURIComponent(queue.nextCursor)}">More</a></p>`;
  return consolePage(
    'Queue',
    `<h1>Queue</h1><nav class="filters">${filters.join('')}</nav>
${
  lines.length === 0
    ? '<p class="empty">Nothing here.</p>'
    : `<table><thead><tr><th>Module</th><th>State</th><th>Family</th><th>Author</th><th>Unchanged since</th></tr></thead><tbody>${lines.join('\n')}</tbody></table>`
}${next}`,
  );
}

export function submissionPage({ row, module, status }: ReviewPage, found: ReviewFindings): string {
  const { descriptor, files } = module;
  const { review, lastError } = status;
  const base = submissionPath(row.submissionId);
  return consolePage(
    `${descriptor.name} ${descriptor.version}`,
    `<h1>${shownText(descriptor.name)} <small>${shownText(descriptor.version)}</small> ${badge(review.state)}</h1>
${rows([
  ['Submission', code(row.submissionId)],
  ['Revision of the review', `<span id="revision">${review.revision}</span>, attempt ${review.attempt}`],
  ['Family', code(descriptor.family)],
  ['Author', code(descriptor.author)],
  ['Reward wallet', code(descriptor.rewardWallet)],
  ['Request', code(row.requestDigest)],
  ...(row.supersedes === null
    ? []
    : [
        [
          'Supersedes',
          `<a href="${submissionPath(row.supersedes)}">${code(row.supersedes)}</a>, <a href="${base}/diff">what differs</a>`,
        ] as const,
      ]),
  ...(row.supersededBy === null
    ? []
    : [['Superseded by', `<a href="${submissionPath(row.supersededBy)}">${code(row.supersededBy)}</a>`] as const]),
  ...(lastError === null ? [] : [['Last error', `${code(lastError.code)} ${shownText(lastError.message)}`] as const]),
])}
<h2>Findings</h2>${findingsList(found, base, module.files)}
<h2>Files</h2>${filesTable(files, base, found)}
<h2>Evidence</h2>${evidence(row, status, base)}
<h2>Descriptor</h2><pre class="document">${shownText(JSON.stringify(descriptor, null, 2), MAX_DESCRIPTOR)}</pre>
<h2>Decision</h2>${decision(status, row.submissionId)}`,
  );
}

function filesTable(files: ReviewPage['module']['files'], base: string, { findings }: ReviewFindings): string {
  const counts = Map.groupBy(findings, ({ source }) => source?.path);
  const countOf = (path: string): string => {
    const count = counts.get(path)?.length ?? 0;
    return count === 0 ? '' : `<span class="count">${count} finding${count === 1 ? '' : 's'}</span>`;
  };
  const rows = new BoundedHtml();
  const isWhole = files.every(({ path, sha256, byteCount }) =>
    rows.add(
      `<tr><td><a href="${base}/files/${sha256}">${shownText(path)}</a> ${countOf(path)}</td><td class="number">${byteCount} bytes</td><td><small>${code(sha256)}</small></td></tr>`,
    ),
  );
  return `<table><tbody>${rows}</tbody></table>${isWhole ? '' : '<p class="told">Files were left out: their list is too large to show.</p>'}`;
}

const findingLine = ({ code: name, severity, target, pointer, detail }: BuildFinding): string =>
  `<strong>${html(severity)}</strong> ${code(name)} ${target === null ? '' : code(`${target.path}:${target.contract}`)} ${pointer === null ? '' : code(pointer)} ${shownText(detail)}`;

function findingsList(
  { findingsSha256, findings }: ReviewFindings,
  base: string,
  files: ReviewPage['module']['files'],
): string {
  if (findingsSha256 === null) return '<p class="empty">Nothing was built yet.</p>';
  if (findings.length === 0) return '<p class="empty">The build found nothing.</p>';
  const byPath = new Map(files.map((file) => [file.path, file]));
  const placeOf = ({ source }: BuildFinding): string => {
    const file = source === null ? undefined : byPath.get(source.path);
    return source === null || file === undefined
      ? ''
      : `<a href="${filePath(base, file.sha256, source.line)}#L${source.line}">${shownText(source.path)}:${source.line}</a> `;
  };
  const list = new BoundedHtml();
  const isWhole = findings.every((one) =>
    list.add(`<li class="${one.severity}">${placeOf(one)}${findingLine(one)}</li>`),
  );
  return `<ul class="findings">${list}</ul>${isWhole ? '' : '<p class="told">Findings were left out: their list is too large to show.</p>'}`;
}

/** The page of a file that shows a line. */
const filePath = (base: string, sha256: string, line: number): string =>
  `${base}/files/${sha256}${line <= MAX_LINES ? '' : `?from=${line}`}`;

function evidence(row: ReviewPage['row'], status: ModuleReviewStatus, base: string): string {
  const documents = documentsOf(row, status);
  if (documents.length === 0) return '<p class="empty">No plan is attached.</p>';
  return rows(
    documents.map(({ path, sha256 }) => [path, `<a href="${base}/files/${sha256}"><small>${code(sha256)}</small></a>`]),
  );
}

function decision({ decision: made, review }: ModuleReviewStatus, submissionId: string): string {
  if (made !== null)
    return rows([
      ['Outcome', html(made.outcome)],
      ['Reviewer', code(made.reviewerWallet)],
      ['Reason', `<div class="reason">${shownText(made.reason)}</div>`],
      ['Decided', html(made.decidedAt)],
      ['Digest', code(made.digest)],
    ]);
  const outcomes =
    review.state === 'built'
      ? ['accept', 'request_changes', 'reject']
      : review.state === 'awaiting_plan' || review.state === 'build_failed'
        ? ['request_changes', 'reject']
        : [];
  if (outcomes.length === 0) return '<p class="empty">The build runs.</p>';
  return `<form id="decide" data-submission="${html(submissionId)}" data-revision="${review.revision}">
<fieldset><legend>Outcome</legend>${outcomes
    .map(
      (one) => `<label><input type="radio" name="outcome" value="${one}" required> ${one.replaceAll('_', ' ')}</label>`,
    )
    .join('')}</fieldset>
<label for="reason">Reason, which the author reads</label><textarea id="reason" name="reason" rows="5" required maxlength="4096"></textarea>
<fieldset><legend>Wallet</legend><div id="wallets" class="wallets"></div></fieldset>
<button type="submit">Sign and decide</button><p class="told" id="told" role="status"></p></form>`;
}

/**
 * Shows a file from a line on.
 * @param file `text` is null for bytes that are no text.
 */
export function filePage(
  submissionId: string,
  file: { readonly path: string; readonly sha256: string; readonly text: string | null; readonly byteCount: number },
  findings: readonly BuildFinding[],
  from = 1,
): string {
  const base = submissionPath(submissionId);
  const raw = `/v1/reviewer/submissions/${submissionId}/files/${file.sha256}`;
  return consolePage(
    file.path.slice(0, MAX_TITLE),
    `<p><a href="${base}">Back to the submission</a></p><h1 class="path">${shownText(file.path)}</h1>
<p><small>${code(file.sha256)}</small>, ${file.byteCount} bytes, <a href="${raw}">save the bytes</a></p>
${file.text === null ? '<p class="empty">These bytes are no UTF-8 text.</p>' : source(file.text, findings, `${base}/files/${file.sha256}`, from)}`,
  );
}

function source(text: string, findings: readonly BuildFinding[], path: string, from: number): string {
  const lines = linesOf(text);
  const notes = Map.groupBy(findings, ({ source: place }) => place?.line);
  const table = new BoundedHtml();
  let line = from;
  let isWhole = true;
  for (; line <= lines.length && line < from + MAX_LINES; line += 1) {
    if (
      !table.add(
        `<tr id="L${line}"><td class="line">${line}</td><td class="text">${shownText(lines[line - 1]!)}</td></tr>`,
      )
    )
      break;
    for (const one of notes.get(line) ?? [])
      isWhole &&= table.add(`<tr class="note ${one.severity}"><td></td><td>${findingLine(one)}</td></tr>`);
  }
  const rest =
    line > lines.length
      ? ''
      : `<p class="told">Lines ${from} to ${line - 1} of ${lines.length}. <a href="${path}?from=${line}">Next lines</a>, or save the bytes.</p>`;
  const before = from === 1 ? '' : `<p><a href="${path}">From the first line</a></p>`;
  return `${before}<table class="source"><tbody>${table}</tbody></table>${isWhole ? '' : '<p class="told">Findings of these lines were left out: they are too many to show.</p>'}${rest}`;
}

export function diffPage(diff: ReviewDiff): string {
  const body = new BoundedHtml(2 * LIST_CHARACTERS);
  const isWhole = diff.files.every(({ path, change, hunks }) => {
    const heading = `<h2 class="path">${shownText(path)} <small>${change}</small></h2>`;
    if (hunks === null) return body.add(`${heading}<p class="empty">Its lines are not told.</p>`);
    return (
      body.add(heading) &&
      hunks.every(
        (hunk, index) =>
          body.add(`${index === 0 ? '' : '<p class="gap">⋯</p>'}<table class="source"><tbody>`) && addRows(body, hunk),
      )
    );
  });
  return consolePage(
    'What differs',
    `<p><a href="${submissionPath(diff.submissionId)}">Back to the submission</a></p><h1>What differs</h1>
<p>${diff.against === null ? 'This submission supersedes none: every file is new.' : `Against ${code(diff.against)}.`} ${diff.unchanged} files are equal.</p>
${body}${isWhole ? '' : TABLE_END}${diff.truncated || !isWhole ? '<p class="told">Lines were left out: there are too many.</p>' : ''}`,
  );
}

const TABLE_END = '</tbody></table>';

/** Adds the rows of a hunk and the end of its table; false once there is no more room. */
function addRows(
  body: BoundedHtml,
  { oldStart, newStart, lines }: NonNullable<ReviewDiff['files'][number]['hunks']>[number],
): boolean {
  let [old, now] = [oldStart, newStart];
  for (const { kind, text } of lines) {
    const numbers = [kind === 'added' ? '' : String(old), kind === 'removed' ? '' : String(now)];
    if (kind !== 'added') old += 1;
    if (kind !== 'removed') now += 1;
    const sign = kind === 'added' ? '+' : kind === 'removed' ? '−' : '';
    const row = `<tr class="${kind}"><td class="line">${numbers[0]}</td><td class="line">${numbers[1]}</td><td class="sign">${sign}</td><td class="text">${shownText(text)}</td></tr>`;
    if (!body.add(row)) return false;
  }
  return body.add(TABLE_END);
}
