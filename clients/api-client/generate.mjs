/**
 * Generates the client's code from the OpenAPI document, into `src/generated/`: `schema.ts` has the types of every route,
 * `operations/` one file per route with its request and responses, `validators/` one file per named schema of an answer. The
 * same document gives the same bytes.
 *
 *     node clients/api-client/generate.mjs
 *
 * Reads `docs/api/openapi.json`, which `npm run openapi:record` writes from the gateway's routes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { bodyOf, validatorCode } from './generate/answers.mjs';

const clientDir = dirname(fileURLToPath(import.meta.url));
const generated = join(clientDir, 'src/generated');
const document = JSON.parse(readFileSync(join(clientDir, '../../docs/api/openapi.json'), 'utf8'));
/** The document as the gateway serves it: without white space. */
const bytes = JSON.stringify(document);
const NOTICE = '// Made by clients/api-client/generate.mjs from the OpenAPI document.\n';

/** Answers of the multi-role API are closed; those of the others may have members that a client does not know. */
const CLOSED = '/v4/chains/4663/multi-role-custom-launches';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const operations = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => ({ path, method, ...item[method] })),
  )
  .sort((a, b) => (a.operationId < b.operationId ? -1 : 1));

const RESPONSES = '#/components/responses/';
/** Responses that several routes share are written once. */
const responseOf = (response) =>
  response.$ref === undefined ? response : document.components.responses[response.$ref.slice(RESPONSES.length)];

/** Files of validators by name, created when a response first needs one. */
const validators = new Map();
function validatorFile(name, schema, isClosed) {
  const file = `validators/${name}.${isClosed ? 'closed' : 'open'}.ts`;
  if (!validators.has(file))
    validators.set(file, `${NOTICE}// @ts-nocheck\n${validatorCode(document.components.schemas, schema, isClosed)}`);
  return `../${file.replace(/\.ts$/, '.js')}`;
}

function operationFile({ operationId, path, method, responses, security = [] }) {
  const isClosed = path === CLOSED || path.startsWith(`${CLOSED}/`);
  const imports = new Map();
  const answers = Object.entries(responses).map(([status, response]) => {
    const { kind, schema, component, codes } = bodyOf(responseOf(response));
    if (kind !== 'schema') return `    ${status}: { body: '${kind}' },\n`;
    const name = component ?? `${operationId}Answer${status}`;
    imports.set(name, validatorFile(name, schema, isClosed));
    // A later release may add codes. In closed responses, a route has exactly the named ones.
    const narrowed = codes === undefined || !isClosed ? '' : `, codes: ${JSON.stringify(codes)}`;
    return `    ${status}: { body: 'schema', validate: ${name}${narrowed} },\n`;
  });
  return [
    NOTICE,
    `import type { Operation } from '../../operation.js';\n`,
    ...[...imports].map(([name, from]) => `import { validate as ${name} } from '${from}';\n`),
    `\nexport const ${operationId}: Operation<'${operationId}'> = {\n`,
    `  id: '${operationId}',\n  method: '${method.toUpperCase()}',\n  path: ${JSON.stringify(path)},\n`,
    `  secured: ${security.some((one) => Object.keys(one).length > 0)},\n`,
    `  answers: {\n${answers.join('')}  },\n};\n`,
  ].join('');
}

/** Examples are for readers of the document. */
const withoutExamples = JSON.parse(bytes, (key, value) => (key === 'example' ? undefined : value));
const files = [
  [
    'document.ts',
    `${NOTICE}\n/** SHA-256 of the OpenAPI document that this client was made from. */\nexport const OPENAPI_SHA256 = 'sha256:${createHash('sha256').update(bytes).digest('hex')}';\n`,
  ],
  ['schema.ts', `${NOTICE}${astToString(await openapiTS(withoutExamples, { alphabetize: true, immutable: true }))}`],
  ...operations.map((operation) => [`operations/${operation.operationId}.ts`, operationFile(operation)]),
  ...validators,
  [
    'operations.ts',
    `${NOTICE}${operations.map(({ operationId }) => `export { ${operationId} } from './operations/${operationId}.js';\n`).join('')}`,
  ],
];

// Replaces the folder as a whole, so a compilation that runs meanwhile finds the previous files. Removed operations leave no
// file.
const partial = `${generated}.partial`;
rmSync(partial, { recursive: true, force: true });
for (const [name, text] of files) {
  mkdirSync(dirname(join(partial, name)), { recursive: true });
  writeFileSync(join(partial, name), text);
}
rmSync(generated, { recursive: true, force: true });
renameSync(partial, generated);
