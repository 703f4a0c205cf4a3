import type { OpenAPIObject } from '@nestjs/swagger';
import { COMPONENTS } from '@launch/http';
import { laidOut, laidOutJson } from './laid-out-json.js';
import { markup, prose, withCode, type Markup } from './markup.js';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Json;
}
interface Media {
  readonly schema?: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
type Content = Readonly<Record<string, Media>>;
interface Answer {
  readonly description?: string;
  readonly headers?: Json;
  readonly content?: Content;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | { readonly $ref: string }>>;
}
interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const NOTHING = markup``;
/** Errors differ only in their codes, which are listed beside; an example of each would dominate the page. */
const isError = (status: string): boolean => Number(status) >= 400;

const tagAnchor = (tag: string): string => `/${encodeURIComponent(tag)}`;
/** Returns the anchor of an operation. It is inside the element that opens, so that a link to it opens that element. */
export const operationAnchor = (tag: string, operationId: string): string => `${tagAnchor(tag)}/${operationId}`;

/**
 * Writes a document as markup without a script: every operation by its tag and every schema by its name, each closed until
 * a reader opens it. A browser does not lay out closed parts.
 */
export function referenceOf(document: OpenAPIObject): Markup {
  const { info, tags = [], paths, components } = document;
  const operations = Object.entries(paths as Record<string, Readonly<Record<string, Operation>>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]): Placed => ({ path, method, operation })),
  );
  const schemas = Object.entries((components?.schemas ?? {}) as Record<string, Json>);
  const links = tags.map(({ name }) => markup`<a href="#${tagAnchor(name)}">${name}</a> `);
  const sections = tags.map(({ name, description = '' }) => {
    const own = operations.filter(({ operation }) => operation.tags?.[0] === name);
    const parts = own.map((one) => operationOf(document, one));
    return markup`<section><h2 id="${tagAnchor(name)}">${name}</h2>\n<p>${description}</p>\n${parts}</section>\n`;
  });
  return markup`<h1>${info.title} <small>${info.version}</small></h1>
${prose(info.description ?? '')}
<p class="tags">${links}<a href="#schemas">Schemas</a></p>
${sections}<section><h2 id="schemas">Schemas</h2>
<p>JSON Schema, draft 2020-12.</p>
${schemas.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([name, schema]) => schemaOf(name, schema))}</section>`;
}

function operationOf(document: OpenAPIObject, { path, method, operation }: Placed): Markup {
  const { operationId, summary = '', description, tags = [''], security = [], parameters = [] } = operation;
  const answers = Object.entries(operation.responses).map(([status, one]) => answerOf(status, resolved(document, one)));
  return markup`<details class="operation"><summary><b>${method.toUpperCase()}</b> <code>${path}</code> ${summary}</summary>
<div id="${operationAnchor(tags[0] ?? '', operationId)}"><p><code>${operationId}</code>${securityOf(security)}</p>
${description === undefined ? NOTHING : prose(description)}${parametersOf(parameters)}${bodyOf(operation)}
<h3>Answers</h3>
<table>${answers}</table></div></details>
`;
}

function securityOf(security: NonNullable<Operation['security']>): Markup {
  if (security.length === 0) return markup`, without a key`;
  const scopes = security.flatMap((one) => Object.values(one).flat());
  return markup`, with a key ${scopes.map((scope) => markup`<code>${scope}</code> `)}`;
}

function parametersOf(parameters: readonly Parameter[]): Markup {
  if (parameters.length === 0) return NOTHING;
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => {
    const form = schema === undefined ? NOTHING : markup`<br><code>${inline(schema)}</code>`;
    const where = `${place}${required === true ? ', required' : ''}`;
    return markup`<tr><td><code>${name}</code><br><small>${where}</small></td><td>${withCode(description)}${form}</td></tr>\n`;
  });
  return markup`<h3>Parameters</h3>\n<table>${rows}</table>`;
}

function bodyOf({ requestBody }: Operation): Markup {
  if (requestBody === undefined) return NOTHING;
  const { description = '', content } = requestBody;
  return markup`<h3>Body</h3>\n<p>${withCode(description)}</p>${contentOf(content, true)}`;
}

function answerOf(status: string, { description = '', headers = {}, content = {} }: Answer): Markup {
  const shown = contentOf(content, !isError(status));
  return markup`<tr><td><b>${status}</b></td><td>${prose(description)}${shown}<p><small>${Object.keys(headers).join(', ')}</small></td></tr>\n`;
}

const contentOf = (content: Content, withExamples: boolean): Markup =>
  markup`${Object.entries(content).map(([mediaType, { schema, example, examples = {} }]) => {
    const values = Object.values(examples).map(({ value }) => value);
    const shown = withExamples ? [...(example === undefined ? [] : [example]), ...values] : [];
    return markup`<p><code>${mediaType}</code> ${schema === undefined ? NOTHING : schemaLinks(schema)}</p>${shown.map(exampleOf)}`;
  })}`;

const exampleOf = (value: unknown): Markup =>
  markup`<details><summary>Example</summary><pre>${laidOutJson(value)}</pre></details>`;

/** Renders links to the components of a schema; the text beside states their restrictions. */
const schemaLinks = (schema: Json): Markup =>
  markup`${laidOut(schema).flatMap((piece) => (typeof piece === 'string' ? [] : [linkTo(piece.reference)]))}`;

function linkTo(target: string): Markup {
  const name = target.startsWith(COMPONENTS) ? target.slice(COMPONENTS.length) : target;
  return markup`<a href="#schema-${name}"><code>${name}</code></a> `;
}

/** Writes the members of a parameter's schema without quotation marks around their names. */
const inline = (schema: object): string =>
  Object.entries(schema)
    .map(([name, value]) => `${name}: ${inlineValue(value)}`)
    .join(', ');

function inlineValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineValue).join(',')}]`;
  return typeof value === 'object' && value !== null ? `{ ${inline(value)}}` : JSON.stringify(value);
}

/** Renders a schema as indented JSON with each reference as a link. */
function schemaOf(name: string, schema: Json): Markup {
  const linked = laidOut(schema).map((piece) =>
    typeof piece === 'string' ? markup`${piece}` : linkTo(piece.reference),
  );
  return markup`<details><summary><code>${name}</code></summary><pre id="schema-${name}">${linked}</pre></details>\n`;
}

function resolved({ components }: OpenAPIObject, answer: Answer | { readonly $ref: string }): Answer {
  if (!('$ref' in answer)) return answer;
  const name = answer.$ref.slice('#/components/responses/'.length);
  return (components?.responses?.[name] ?? {}) as Answer;
}
