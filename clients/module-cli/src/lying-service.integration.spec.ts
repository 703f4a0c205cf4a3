import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { familyIdOf, type ModuleReceipt } from '@launch/contracts/modules';
import type { Hex } from '@launch/contracts/primitives';
import { descriptorOf } from './fixtures/module-package.fixture.js';
import { idOf, moduleRuns, STRANGE_ID } from './fixtures/module-run.fixture.js';
import { receiptOf, ROUTES } from './fixtures/module-service.fixture.js';

const { at, newModule, run, online, submit } = moduleRuns();

/** Returns another value of the same form, which a schema alone cannot detect. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return STRANGE_ID;
  const text = String(value);
  const last = text.length - 1;
  if (/^\d{4}-.*Z$/.test(text)) return text.replace(/^\d{4}/, '2025');
  return `${text.slice(0, last)}${text[last] === '1' ? '2' : '1'}`;
}

/** Returns the paths of all values in a body. */
const leavesOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]))
    : [path];

const changed = (
  body: Record<string, unknown>,
  path: readonly string[],
  change: (value: unknown) => unknown,
): Record<string, unknown> => {
  const copy = structuredClone(body);
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, name) => at[name] as Record<string, unknown>, copy);
  const name = path.at(-1)!;
  parent[name] = change(parent[name]);
  return copy;
};

describe('a service that lies', () => {
  const RECEIPT_FIELDS = Object.keys(
    receiptOf(Buffer.from(JSON.stringify({ package: descriptorOf({}), files: [], supersedes: null }))),
  );
  const UNBOUND_AT_FIRST = ['submissionId', 'receivedAt'];

  it.each(RECEIPT_FIELDS)('in %s of a first receipt, of a later one or of a list is caught', async (field) => {
    const root = newModule();
    const change = (body: Record<string, unknown>) => changed(body, [field], another);
    at.service.lie = { route: `POST ${ROUTES.submissions}`, change };
    if (!UNBOUND_AT_FIRST.includes(field)) {
      const { exitCode, error } = await submit(root);
      expect([exitCode, error]).toMatchObject([
        10,
        { code: expect.stringMatching(/^MODULE_API_(RECEIPT_MISMATCH|RESPONSE)$/), submissionMayExist: true },
      ]);
      expect(readdirSync(join(root, 'receipts'))).toEqual([]);
    }
    at.service.lie = null;
    const id = idOf(await submit(root));
    at.service.lie = { route: 'GET /v1/modules/submissions/', change };
    expect((await run(['status-module', '--id', id, ...online(root)])).error['code']).toMatch(
      /^MODULE_API_(RECEIPT_MISMATCH|RESPONSE)$/,
    );
    at.service.lie = { route: `POST ${ROUTES.submissions}`, change };
    expect((await submit(root)).error['code']).toMatch(/^MODULE_API_(RECEIPT_MISMATCH|RESPONSE)$/);
    at.service.lie = {
      route: `GET ${ROUTES.submissions}`,
      change: (body) => ({ ...body, items: (body['items'] as Record<string, unknown>[]).map(change) }),
    };
    const listed = await run(['list-module-submissions', ...online(root)]);
    // A page of another submission is not a lie about this one: none of it is bound.
    if (field === 'submissionId') expect(listed.result).toMatchObject({ receiptBound: false });
    else expect(listed.error['code']).toMatch(/^MODULE_API_(RECEIPT_MISMATCH|RESPONSE)$/);
  });

  const REVIEW_UNBOUND =
    /^(review\/(revision|attempt)|decision\/(reason|reviewerWallet|decidedAt|digest)|build\/(toolchainDigest|logsSha256)|lastError)$/;
  it('in a field of a review that contradicts the review, the package or the acceptance is caught', async () => {
    const root = newModule();
    const id = idOf(await submit(root));
    const review = (await run(['review-status-module', '--id', id, ...online(root)])).result['resource'] as Record<
      string,
      unknown
    >;
    const bound = leavesOf(review).filter((path) => !REVIEW_UNBOUND.test(path.join('/')));
    expect(bound.length).toBeGreaterThan(14);
    for (const path of bound) {
      at.service.lie = { route: 'GET /v1/modules/submissions/', change: (body) => changed(body, path, another) };
      const { exitCode, error } = await run(['review-status-module', '--id', id, ...online(root)]);
      expect([path.join('/'), exitCode, error['code']]).toEqual([
        path.join('/'),
        10,
        ['packageId', 'requestDigest', 'review/createdAt'].includes(path.join('/'))
          ? 'MODULE_API_RECEIPT_MISMATCH'
          : 'MODULE_REVIEW_RESPONSE',
      ]);
    }
  });

  it.each<[string, readonly string[], unknown]>([
    ['a state that waits for something else', ['review', 'state'], 'built'],
    ['no decision where one is reported', ['decision'], null],
    ['no build where one is accepted', ['build'], null],
    ['evidence that is not there', ['buildEvidenceRecorded'], false],
    ['no time of a decision', ['review', 'decidedAt'], null],
    ['no time of a build', ['review', 'builtAt'], null],
    ['an end before its beginning', ['review', 'updatedAt'], '2026-11-22T00:00:00.000Z'],
    ['a member more', ['more'], 1],
  ])('about a review with %s is caught', async (_what, path, value) => {
    const root = newModule();
    const id = idOf(await submit(root));
    at.service.lie = { route: 'GET /v1/modules/submissions/', change: (body) => changed(body, path, () => value) };
    const { exitCode, error } = await run(['review-status-module', '--id', id, ...online(root)]);
    expect([exitCode, error['code']]).toEqual([10, 'MODULE_REVIEW_RESPONSE']);
  });

  it.each<[string, (items: Record<string, unknown>[]) => object]>([
    ['an item twice', (items) => ({ items: [...items, ...items] })],
    ['a cursor that is no item of it', () => ({ nextCursor: STRANGE_ID })],
    ['a cursor without items', (items) => ({ items: [], nextCursor: items[0]!['submissionId'] })],
    [
      'the oldest first',
      (items) => ({
        items: [items[0], { ...items[0], submissionId: STRANGE_ID, receivedAt: '2027-01-01T00:00:00.000Z' }],
      }),
    ],
    [
      "another author's module",
      (items) => ({
        items: [items[0], { ...items[0], submissionId: STRANGE_ID, author: `0x${'e5'.repeat(20)}` }],
      }),
    ],
    ['21 items', (items) => ({ items: Array.from({ length: 21 }, () => items[0]) })],
  ])('in a page with %s is caught', async (_what, change) => {
    const root = newModule();
    await submit(root);
    at.service.lie = {
      route: `GET ${ROUTES.submissions}`,
      change: (body) => ({ ...body, ...change(body['items'] as Record<string, unknown>[]) }),
    };
    expect((await run(['list-module-submissions', ...online(root)])).error).toMatchObject({
      code: 'MODULE_API_RESPONSE',
    });
  });

  it("in a receipt of a family that is not its author's is caught without a kept receipt", async () => {
    const root = newModule();
    const id = idOf(await submit(root));
    const nothingKept = ['--api-origin', at.origin, '--receipts', join(root, 'none')];
    for (const field of ['familyId', 'author', 'family']) {
      at.service.lie = {
        route: 'GET /v1/modules/submissions/',
        change: (body) => changed(body, [field], another),
      };
      const { exitCode, error } = await run(['status-module', '--id', id, ...nothingKept]);
      expect([field, exitCode, error]).toMatchObject([field, 10, { code: 'MODULE_API_RESPONSE', path: '/familyId' }]);
    }
  });

  it('in a page behind a kept receipt, of another wallet or newer than it, is caught', async () => {
    const root = newModule();
    const first = await submit(root);
    const [id, receipt] = [idOf(first), first.result['resource'] as ModuleReceipt];
    for (const [path, more] of [
      ['/items/0/author', { author: `0x${'e5'.repeat(20)}` }],
      ['/items/0/receivedAt', { receivedAt: '2027-01-01T00:00:00.000Z' }],
    ] as const) {
      at.service.lie = {
        route: `GET ${ROUTES.submissions}?cursor=`,
        change: (body) => {
          const other = { ...receipt, submissionId: STRANGE_ID, ...more };
          return { ...body, items: [{ ...other, familyId: familyIdOf(other.author as Hex, other.family) }] };
        },
      };
      const { error } = await run(['list-module-submissions', '--cursor', id, ...online(root)]);
      expect(error).toMatchObject({ code: 'MODULE_API_RESPONSE', path });
    }
  });

  it('that a replay is another submission is caught', async () => {
    const root = newModule();
    await submit(root);
    at.service.lie = {
      route: `POST ${ROUTES.submissions}`,
      change: (body) => ({ ...body, submissionId: STRANGE_ID }),
    };
    expect((await submit(root)).error).toMatchObject({
      code: 'MODULE_API_RECEIPT_MISMATCH',
      path: '/submissionId',
      submissionMayExist: true,
    });
  });

  it('that the review is available without its parts is caught', async () => {
    at.service.lie = {
      route: 'GET /v1/modules/review-capabilities',
      change: (body) => ({ ...body, databaseReady: false }),
    };
    expect((await run(['review-capabilities', '--api-origin', at.origin], {})).error).toMatchObject({
      code: 'MODULE_REVIEW_RESPONSE',
    });
  });
});
