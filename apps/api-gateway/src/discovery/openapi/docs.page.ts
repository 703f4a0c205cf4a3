import { catalogueEntry, ERROR_CODES, MULTI_ROLE_BASE_PATH as BASE, type ErrorCode } from '@launch/contracts';
import { EXAMPLES } from './examples.js';
import { TAGS, type RouteDoc, type Tag } from './route-docs.js';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Escaped prose in which `code` stays code. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:light-dark(#1d4ed8,#93b4ff);--get:light-dark(#0f6b3e,#6fd19c);--post:light-dark(#8a3d00,#ffb27a)}
*{box-sizing:border-box}html{scroll-padding-top:4rem}
body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:2.5rem 1.25rem 5rem}
a{color:var(--accent);text-decoration-thickness:.06em;text-underline-offset:.15em}
h1{margin:0;font-size:1.9rem;letter-spacing:-.02em}.lead{margin:.4rem 0 1.2rem;font-size:1.08rem}
h2{margin:3rem 0 .2rem;font-size:1.35rem;letter-spacing:-.01em}h2+p{margin:.1rem 0 .8rem;opacity:.75}h3{font-size:.95rem;margin:1.1rem 0 .2rem}
ol.start{border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1.2rem .8rem 2.4rem;margin:0 0 1rem;background:var(--soft)}ol.start li{margin:.15rem 0}
nav{position:sticky;top:0;background:Canvas;border-bottom:1px solid var(--line);padding:.7rem 0;margin-top:1.5rem;display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;font-size:.95rem}
code,pre{font:.88em/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}pre{background:var(--soft);padding:.75rem;overflow:auto;border-radius:.4rem;max-height:26rem}
details{border:1px solid var(--line);border-radius:.5rem;margin:.45rem 0;padding:.5rem .9rem}details[open]{padding-bottom:1rem}details details{border-style:dashed}
summary{cursor:pointer;overflow-wrap:anywhere;display:grid;grid-template-columns:3.6rem 1fr auto;gap:.1rem .4rem;align-items:baseline}
summary .say{grid-column:2/-1;opacity:.75;font-size:.93em}summary.plain{display:list-item}
.method{font-weight:700;font-size:.85em}.GET{color:var(--get)}.POST{color:var(--post)}
.scope{background:var(--soft);border-radius:1rem;padding:.05rem .6rem;font-size:.8em;white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.92em}td,th{text-align:left;vertical-align:top;border-top:1px solid var(--line);padding:.35rem .8rem .35rem 0}td:first-child{white-space:nowrap}
tr:target{background:light-dark(#fff3c4,#5a4a00)}.errors a{text-decoration:none;margin-right:.6rem;display:inline-block}.errors td:first-child{width:4rem}
@media(max-width:40rem){summary{grid-template-columns:3.2rem 1fr}.scope{grid-column:2;justify-self:start}td:first-child{white-space:normal;overflow-wrap:anywhere}}`;

/** The API as one self-contained page: no script, no font, no image from anywhere. */
export function docsPage(routes: readonly RouteDoc[], schemas: Readonly<Record<string, unknown>>): string {
  const tags = (Object.keys(TAGS) as Tag[]).filter((tag) => routes.some((route) => route.tag === tag));
  const answered = new Set(routes.flatMap(({ errors }) => errors));
  const sections = tags.map(
    (tag) =>
      `<h2 id="${slug(tag)}">${tag}</h2><p>${prose(TAGS[tag])}</p>${routes
        .filter((route) => route.tag === tag)
        .map(routeSection)
        .join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Multi-role Custom Launch API</title><style>${STYLE}</style></head><body>
<h1>Multi-role Custom Launch API</h1>
<p class="lead">From a packed launch request to an Ethereum-finalized public record on chain 4663. The service signs a permit, never your transaction.</p>
<ol class="start">
<li><a href="${BASE}/capabilities">capabilities</a>: what this deployment serves, and whether it is ready</li>
<li><a href="${BASE}/guide.md">guide.md</a>: from an API key to a finalized record, with every command; it needs nothing but this address</li>
<li><a href="/openapi.json">openapi.json</a>: this page for machines, OpenAPI 3.1</li>
<li><a href="${BASE}/finalized">finalized</a>: the launches that are proven, for anybody</li>
</ol>
<nav>${tags.map((tag) => `<a href="#${slug(tag)}">${tag}</a>`).join('')}<a href="#errors">Errors</a><a href="#schemas">Schemas</a></nav>
${sections.join('')}
<h2 id="errors">Errors</h2><p>Every error carries a code, the request's id (<code>X-Request-Id</code>) and all findings at once. Codes without a status occur in findings only.</p>
<table><thead><tr><th>Code</th><th>HTTP</th><th>Retry</th><th>Meaning</th></tr></thead><tbody>${ERROR_CODES.map((code) => errorRow(code, answered.has(code))).join('')}</tbody></table>
<h2 id="schemas">Schemas</h2><p>Objects are closed: a field that is not named here is refused.</p>${Object.entries(
    schemas,
  )
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(schemaSection)
    .join('')}
</body></html>`;
}

const slug = (text: string): string => text.toLowerCase().replaceAll(' ', '-');

function routeSection(route: RouteDoc): string {
  const method = route.method.toUpperCase();
  const scope = route.scopes === null ? 'public' : route.scopes.join(' + ');
  const parameters = route.parameters.map(
    ({ name, in: place, required, description }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}${required ? ', required' : ''}</td><td>${prose(description)}</td></tr>`,
  );
  const answers = route.answers.map(
    ({ status, description, schema }) =>
      `<tr><td>${status}</td><td>${schema === null ? '' : schemaLink(schema)}</td><td>${prose(description)}</td></tr>`,
  );
  const statuses = [...new Set(route.errors.map((code) => catalogueEntry(code).status))].sort();
  const linksTo = (status: number): string =>
    [...new Set(route.errors)]
      .filter((code) => catalogueEntry(code).status === status)
      .map((code) => `<a href="#${code}"><code>${code}</code></a>`)
      .join(' ');
  const errors = statuses.map((status) => `<tr><td>${status}</td><td>${linksTo(status)}</td></tr>`);
  return `<details id="${route.operationId}"><summary><span class="method ${method}">${method}</span><code>${escape(route.path)}</code><span class="scope">${scope}</span><span class="say">${prose(route.summary)}</span></summary>
${route.description === '' ? '' : `<p>${prose(route.description)}</p>`}
${route.requestSchema === undefined ? '' : `<p>Body: ${schemaLink(route.requestSchema)}, canonical JSON.</p>${exampleOf(route.requestSchema)}`}
${parameters.length === 0 ? '' : `<h3>Parameters</h3><table><tbody>${parameters.join('')}</tbody></table>`}
<h3>Answers</h3><table><tbody>${answers.join('')}</tbody></table>${[...new Set(route.answers.map(({ schema }) => schema))].map((schema) => (schema === null ? '' : exampleOf(schema))).join('')}
<h3>Errors</h3><table class="errors"><tbody>${errors.join('')}</tbody></table></details>`;
}

const schemaLink = (name: string): string => `<a href="#schema-${name}"><code>${name}</code></a>`;

const exampleOf = (name: string): string =>
  EXAMPLES[name] === undefined
    ? ''
    : `<details><summary class="plain">Example of <code>${name}</code></summary><pre>${escape(JSON.stringify(EXAMPLES[name], null, 2))}</pre></details>`;

const errorRow = (code: ErrorCode, isAnswer: boolean): string => {
  const { status, retryable, message } = catalogueEntry(code);
  return `<tr id="${code}"><td><code>${code}</code></td><td>${isAnswer ? status : ''}</td><td>${retryable ? 'yes' : 'no'}</td><td>${escape(message)}</td></tr>`;
};

/** The anchor is inside: a browser opens what hides the target of a link. */
const schemaSection = ([name, schema]: [string, unknown]): string =>
  `<details><summary class="plain"><code>${name}</code></summary><pre id="schema-${name}">${escape(JSON.stringify(schema, null, 2))}</pre></details>`;
