import {
  CUSTOM_LAUNCH_CODES,
  ERROR_CODES,
  MODULE_CODES,
  type CatalogueEntry,
  type ServedCode,
} from '@launch/contracts';
import { type RouteDefinition } from '@launch/http';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const page = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escape(title)}</title><link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
${head}<link rel="stylesheet" href="/docs/docs.css"></head><body>
${body}
</body></html>
`;

/** Where to go from here, without a script too. */
const navigation = (links: readonly (readonly [path: string, name: string, what: string])[]): string =>
  `<nav>${links.map(([path, name, what]) => `<a href="${path}">${escape(name)}</a>: ${escape(what)}`).join('<br>')}</nav>`;

/** Swagger UI over `/openapi.json`; scripts and styles come from this process alone. */
export const docsPage = (title: string, links: Parameters<typeof navigation>[0]): string =>
  page(
    title,
    '<link rel="stylesheet" href="/docs/swagger-ui.css">\n',
    `${navigation(links)}
<div id="swagger-ui"></div>
<noscript>This page needs its own scripts. The links above do not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/docs.js"></script>`,
  );

/** Every code of the catalogues, each once. */
const CODES: readonly ServedCode[] = [
  ...new Set<ServedCode>([...ERROR_CODES, ...CUSTOM_LAUNCH_CODES, ...MODULE_CODES]),
];

/** Every code under its own anchor, and which operations answer with it. */
export function errorsPage(routes: readonly RouteDefinition[], entry: (code: ServedCode) => CatalogueEntry): string {
  const rows = CODES.map((code) => {
    const { status, retryable, message } = entry(code);
    const answering = routes.filter(({ allErrors }) => allErrors.includes(code));
    return `<tr id="${code}"><td><code>${code}</code></td><td>${answering.length > 0 ? status : ''}</td><td>${retryable ? 'yes' : 'no'}</td><td>${escape(message)}${operations(answering, routes.length)}</td></tr>`;
  });
  return page(
    'Error codes',
    '',
    `<main><h1>Error codes</h1>
<p>Every error carries a code, the request's id (<code>X-Request-Id</code>) and all findings at once. Codes without a status occur in findings only. The operations are described in <a href="/docs">the API's description</a>.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Retry</th><th>Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></main>`,
  );
}

/** The operations that answer with a code; what most of them do is not listed. */
function operations(answering: readonly RouteDefinition[], all: number): string {
  if (answering.length === 0) return '';
  if (answering.length > all / 2) return '<br><small>Most operations.</small>';
  return `<br><small>${answering.map(({ tag, id }) => `<a href="/docs#/${encodeURIComponent(tag)}/${id}">${id}</a>`).join(', ')}</small>`;
}
