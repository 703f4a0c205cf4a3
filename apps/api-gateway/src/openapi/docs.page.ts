import { catalogueEntry, ERROR_CODES } from '@launch/contracts';
import type { RouteDoc } from './route-docs.js';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Escaped prose in which `code` stays code. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h1{margin-top:0}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
code,pre{font:.9em ui-monospace,monospace}pre{background:var(--soft);padding:.75rem;overflow:auto;border-radius:.4rem}
details{border:1px solid var(--line);border-radius:.4rem;margin:.6rem 0;padding:.5rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}.method{font-weight:700;display:inline-block;min-width:3.2rem}
.scope{background:var(--soft);border-radius:1rem;padding:.1rem .6rem;font-size:.85em;white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.92em}td,th{text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.35rem .5rem .35rem 0}
nav a{margin-right:1rem}`;

/** The API as one self-contained page: no script, no font, no image from anywhere. */
export function docsPage(routes: readonly RouteDoc[], schemas: Readonly<Record<string, unknown>>): string {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const sections = tags.map((tag) => `<h2 id="${slug(tag)}">${tag}</h2>${routes.filter((route) => route.tag === tag).map(routeSection).join('')}`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Multi-role Custom Launch API</title><style>${STYLE}</style></head><body>
<h1>Multi-role Custom Launch API</h1>
<p>From a packed launch request to an Ethereum-finalized public record on chain 4663. Machine-readable: <a href="/openapi.json">openapi.json</a>.</p>
<nav>${tags.map((tag) => `<a href="#${slug(tag)}">${tag}</a>`).join('')}<a href="#errors">Errors</a><a href="#schemas">Schemas</a></nav>
${sections.join('')}
<h2 id="errors">Errors</h2><p>Every error carries a code, an <code>X-Request-Id</code>, and all findings at once.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Retry</th><th>Meaning</th></tr></thead><tbody>${ERROR_CODES.map(errorRow).join('')}</tbody></table>
<h2 id="schemas">Schemas</h2>${Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1)).map(schemaSection).join('')}
</body></html>`;
}

const slug = (text: string): string => text.toLowerCase().replaceAll(' ', '-');

function routeSection(route: RouteDoc): string {
  const scope = route.scopes === null ? 'public' : route.scopes.join(' + ');
  const parameters = route.parameters.map(
    ({ name, in: place, required, description }) => `<tr><td><code>${escape(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${prose(description)}</td></tr>`,
  );
  const answers = route.answers.map(({ status, description, schema }) => `<tr><td>${status}</td><td>${schema === null ? '' : schemaLink(schema)}</td><td>${prose(description)}</td></tr>`);
  const errors = [...new Set(route.errors)].map((code) => `<a href="#${code}"><code>${code}</code></a>`).join(', ');
  return `<details id="${route.operationId}"><summary><span class="method">${route.method.toUpperCase()}</span> <code>${escape(route.path)}</code> <span class="scope">${scope}</span><br>${prose(route.summary)}</summary>
${route.description === '' ? '' : `<p>${prose(route.description)}</p>`}
${route.requestSchema === undefined ? '' : `<p>Body: ${schemaLink(route.requestSchema)}, canonical JSON.</p>`}
${parameters.length === 0 ? '' : `<table><tbody>${parameters.join('')}</tbody></table>`}
<table><tbody>${answers.join('')}</tbody></table><p>Errors: ${errors}</p></details>`;
}

const schemaLink = (name: string): string => `<a href="#schema-${name}"><code>${name}</code></a>`;

const errorRow = (code: (typeof ERROR_CODES)[number]): string => {
  const { status, retryable, message } = catalogueEntry(code);
  return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${retryable ? 'yes' : 'no'}</td><td>${escape(message)}</td></tr>`;
};

const schemaSection = ([name, schema]: [string, unknown]): string =>
  `<details id="schema-${name}"><summary><code>${name}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`;
