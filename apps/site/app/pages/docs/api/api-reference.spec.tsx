import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as sdk from '@launch/sdk/operations';
import { renderPage } from '../../../site/render-page.fixture.js';
import { errorCodes } from '../errors/error-codes.js';
import { matchingCodes } from '../errors/matching-codes.js';
import ApiPage from '../api.page.js';
import { matchingOperations } from './matching-operations.js';
import type { OpenApi } from './openapi-document.js';
import { operationLinks, operationsByCode, shownOperation } from './operations.js';
import { schemaTree } from './schema-tree.js';

const FILE = path.resolve(import.meta.dirname, '../../../../../../docs/api/openapi.json');
const document = JSON.parse(readFileSync(FILE, 'utf8')) as OpenApi;
const GATEWAY = 'https://api.launch.example';
const links = operationLinks(document);

describe('The API reference', () => {
  it.each(links.map(({ id }) => id))('shows %s without references, with both examples', (id) => {
    const operation = shownOperation(document, id, GATEWAY)!;
    expect(JSON.stringify(operation.answers.map(({ bodies }) => bodies.map(({ schema }) => schema)))).not.toContain('$ref');
    expect(operation.curl).toContain(GATEWAY);
    expect(operation.curl).not.toMatch(/\{\w+\}/);
    expect(sdk).toHaveProperty(id);
    expect(operation.curl.includes('Authorization')).toBe(operation.needsKey);
  });

  it('calls a route with a key, an idempotency key and a body', () => {
    const { curl, sdk: program } = shownOperation(document, 'createPlan', GATEWAY)!;
    expect(curl).toBe(
      [
        `curl -sS -X POST "${GATEWAY}/v4/chains/4663/custom-launch-plans"`,
        '-H "Authorization: Bearer $API_KEY"',
        '-H "Idempotency-Key: $IDEMPOTENCY_KEY"',
        '-H "Content-Type: application/json"',
        '--data-binary @request.json',
      ].join(' \\\n  '),
    );
    expect(program).toContain("path: { chainId: '4663' }");
  });

  it('names a type inside itself without repeating it', () => {
    const recursive = { ...document, components: { schemas: { Tree: { properties: { next: { $ref: '#/components/schemas/Tree' } } } } } };
    const tree = schemaTree(recursive as OpenApi, { $ref: '#/components/schemas/Tree' });
    expect(tree.members[0]).toMatchObject({ name: 'next', type: 'Tree (as above)', members: [] });
  });

  it('finds operations and codes by each word', () => {
    expect(matchingOperations(links, 'plans post').map(({ id }) => id)).toContain('createPlan');
    expect(matchingOperations(links, 'zzzz')).toEqual([]);
    const codes = errorCodes(operationsByCode(document));
    expect(matchingCodes(codes, 'idempotency conflict').map(({ code }) => code)).toContain('IDEMPOTENCY_CONFLICT');
    expect(codes.find(({ code }) => code === 'UNAUTHENTICATED')).toMatchObject({ status: 401, retryable: false });
  });

  it('has every code with which an operation answers, each once', () => {
    const codes = errorCodes().map(({ code }) => code);
    expect([...operationsByCode(document).keys()].filter((code) => !codes.includes(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('filters by a form that works without scripts', () => {
    const html = renderPage(ApiPage, { is: 'list', links, q: 'createPlan' }, '/');
    expect(html).toMatch(/<form[^>]*action="\/docs\/api"/);
    expect(html).toContain('href="/docs/api/createPlan"');
    expect(html).not.toContain('href="/docs/api/getHealth"');
  });

  it('renders an operation with its errors linked to their codes', () => {
    const operation = shownOperation(document, 'createCustomLaunch', GATEWAY);
    const html = renderPage(ApiPage, { is: 'operation', operation, before: null, after: links[0] }, '/');
    expect(html).toContain('href="/docs/errors#IDEMPOTENCY_CONFLICT"');
    expect(html).not.toContain('style=');
  });
});
