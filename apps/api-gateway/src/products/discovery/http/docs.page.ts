import type { OpenAPIObject } from '@nestjs/swagger';
import {
  ACTION_REMEDIES,
  CUSTOM_LAUNCH_CODES,
  ERROR_CODES,
  MODULE_CODES,
  REASON_CATALOGUE,
  REVIEWER_CODES,
  type CatalogueEntry,
  type ServedCode,
} from '@launch/contracts/errors';
import { type RouteDefinition } from '@launch/http';
import { markup, type Markup } from './markup.js';
import { operationAnchor, referenceOf } from './reference.page.js';

const page = (title: string, body: Markup): string =>
  markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><link rel="icon" type="image/svg+xml" href="/docs/favicon.svg">
<link rel="stylesheet" href="/docs/docs.css"></head><body>
${body}
</body></html>
`.text;

/** Links to related pages below one heading. */
export interface RelatedPages {
  readonly heading: string;
  readonly links: readonly (readonly [path: string, name: string, what: string])[];
}

function navigation(related: readonly RelatedPages[]): Markup {
  const groups = related
    .filter(({ links }) => links.length > 0)
    .map(({ heading, links }) => {
      const items = links.map(
        ([path, name, what]) => markup`<li><a href="${path}">${name}</a> <span>${what}</span></li>\n`,
      );
      return markup`<h2>${heading}</h2>\n<ul>${items}</ul>\n`;
    });
  return markup`<nav>${groups}</nav>`;
}

/** Renders the reference of an API as HTML without a script. */
export const docsPage = (document: OpenAPIObject, related: readonly RelatedPages[]): string =>
  page(document.info.title, markup`${navigation(related)}\n<main>${referenceOf(document)}</main>`);

/** Every code of the catalogues, each once. */
const CODES: readonly ServedCode[] = [
  ...new Set<ServedCode>([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES, ...MODULE_CODES, ...REVIEWER_CODES]),
];

/**
 * Renders every code that a client can meet, under its own anchor: of errors and findings with the operations that answer
 * with it, and of reasons with the member that has it.
 */
export function errorsPage(routes: readonly RouteDefinition[], entry: (code: ServedCode) => CatalogueEntry): string {
  const errors = CODES.map((code) => {
    const { status, retryable, message, action } = entry(code);
    const answering = routes.filter(({ allErrors }) => allErrors.includes(code));
    return markup`<tr id="${code}"><td><code>${code}</code></td><td>${answering.length > 0 ? status : ''}</td><td>${retryable ? 'yes' : 'no'}</td><td>${message}${operations(answering, routes.length)}</td><td>${ACTION_REMEDIES[action]}</td></tr>\n`;
  });
  const reasons = Object.entries(REASON_CATALOGUE).map(
    ([code, [member, message, remedy]]) =>
      markup`<tr id="${code}"><td><code>${code}</code></td><td><code>${member}</code></td><td>${message}</td><td>${remedy}</td></tr>\n`,
  );
  return page(
    'Error codes',
    markup`<main><h1>Error codes</h1>
<p>Every error carries a code, the request's id (<code>X-Request-Id</code>) and all findings at once. Codes without a status occur in findings only. The operations are described in <a href="/docs">the API's description</a>.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Retry</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>
${errors}</tbody></table>
<h2>Reasons</h2>
<p>A body that is no error shows these codes in the named member: why a launch waits, why a deployment, an operation or a feed is not ready, why a launch is withheld. The same members can also show a code of the table above.</p>
<table><thead><tr><th>Code</th><th>Member</th><th>Meaning</th><th>What to do</th></tr></thead><tbody>
${reasons}</tbody></table></main>`,
  );
}

/** Renders the operations that answer with a code, unless most operations do. */
function operations(answering: readonly RouteDefinition[], all: number): Markup {
  if (answering.length === 0) return markup``;
  if (answering.length > all / 2) return markup`<br><small>Most operations.</small>`;
  const links = answering.map(
    ({ tag, id }, at) => markup`${at === 0 ? '' : ', '}<a href="/docs#${operationAnchor(tag, id)}">${id}</a>`,
  );
  return markup`<br><small>${links}</small>`;
}
