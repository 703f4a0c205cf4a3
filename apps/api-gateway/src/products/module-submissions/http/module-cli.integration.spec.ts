import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  descriptorOf,
  SMALL_FILES,
  writeModule,
} from '../../../../../../clients/module-cli/src/fixtures/module-package.fixture.js';
import { runModuleCli } from '../../../../../../clients/module-cli/src/run-module-cli.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { DEFAULT_MODULE_INTAKE } from '../domain/module-intake.js';

const RELEASE = { version: '1.0.0-development.5', hasReview: true, hasAuthoring: true };
const folder = mkdtempSync(path.join(tmpdir(), 'module-cli-gateway-'));
let gateway: Harness;
/** The same database with intake off. */
let closed: Harness;
let author: string;
let key: string;
let root: string;

beforeAll(async () => {
  gateway = await startHarness();
  closed = await startHarness({ beside: gateway, moduleIntake: { ...DEFAULT_MODULE_INTAKE, submissions: false } });
});
afterAll(async () => {
  await closed.close();
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  author = `0x${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 40)}`;
  ({ key } = await gateway.issueKey(['modules:submit', 'modules:read'], author));
  root = path.join(folder, randomUUID());
  write();
});

/** Rewrites the module. */
const write = (more: object = {}, files: Record<string, string> = SMALL_FILES): void =>
  writeModule(root, files, descriptorOf(files, { author, ...more }));

interface Ran {
  readonly exitCode: number;
  readonly result: { readonly [name: string]: unknown; readonly resource: Record<string, unknown> };
  readonly error: Record<string, unknown>;
}

async function run(command: string, options: Record<string, string>, server = gateway): Promise<Ran> {
  const argv = Object.entries({ 'api-origin': server.url, receipts: path.join(root, 'receipts'), ...options });
  const { exitCode, stdout, stderr } = await runModuleCli(
    [command, ...argv.flatMap(([name, value]) => [`--${name}`, value])],
    { SERVICE_MODULES_API_KEY: key },
    RELEASE,
    'module-cli.mjs',
  );
  expect(`${stdout}${stderr}`).not.toMatch(new RegExp(`${key}|WordsOfTheSource`));
  return {
    exitCode,
    result: JSON.parse(stdout || '{}') as Ran['result'],
    error: JSON.parse(stderr || '{}') as Ran['error'],
  };
}
const submit = (
  idempotencyKey: string,
  options: Record<string, string> = { package: 'module.json' },
  server = gateway,
): Promise<Ran> => run('submit-module', { root, 'idempotency-key': idempotencyKey, ...options }, server);
const newKey = (): string => `module-${randomUUID()}`;

describe('The module CLI at the gateway', () => {
  it('submits, replays, reads and lists a draft with one receipt, and its first review', async () => {
    const idempotencyKey = newKey();
    const first = await submit(idempotencyKey);
    expect([first.error, first.result]).toMatchObject([{}, { httpStatus: 201, replayed: false, receiptBound: true }]);
    const { resource } = first.result;
    const saved = readdirSync(root).find((name) => name.startsWith('module-request-'))!;
    const replayed = await submit(idempotencyKey, { request: path.join(root, saved) });
    expect(replayed.result).toMatchObject({ httpStatus: 200, replayed: true, resource });
    const id = resource['submissionId'] as string;
    expect((await run('status-module', { id })).result).toMatchObject({ receiptBound: true, resource });
    expect((await run('list-module-submissions', {})).result).toMatchObject({
      receiptBound: true,
      resource: { items: [resource], nextCursor: null },
    });
    const reviewed = await run('review-status-module', { id });
    expect([reviewed.result['receiptBound'] ?? reviewed.error['code']]).toEqual([
      reviewed.exitCode === 0 ? true : 'MODULE_REVIEW_UNAVAILABLE',
    ]);
  });

  it('reports conflicts, another author and a key without scopes', async () => {
    const idempotencyKey = newKey();
    const first = (await submit(idempotencyKey)).result.resource['submissionId'] as string;
    const outcomeOf = async (ran: Promise<Ran>): Promise<unknown[]> => {
      const { exitCode, error } = await ran;
      return [exitCode, error['code'], error['httpStatus'], error['submissionMayExist']];
    };
    expect(await outcomeOf(submit(newKey()))).toEqual([6, 'MODULE_PACKAGE_CONFLICT', 409, false]);
    write({ name: 'Another name' });
    expect(await outcomeOf(submit(idempotencyKey))).toEqual([6, 'MODULE_IDEMPOTENCY_CONFLICT', 409, false]);
    expect(await outcomeOf(submit(newKey()))).toEqual([6, 'MODULE_VERSION_ALREADY_SUBMITTED', 409, false]);
    write({ version: '1.1.0' });
    const out = path.join(root, 'linked.json');
    await runModuleCli(
      ['prepare-module-submission', '--root', root, '--package', 'module.json', '--supersedes', first, '--out', out],
      {},
      RELEASE,
      'module-cli.mjs',
    );
    expect((await submit(newKey(), { request: out })).result).toMatchObject({
      httpStatus: 201,
      resource: { supersedes: first },
    });
    write({ author: `0x${'e5'.repeat(20)}` });
    expect(await outcomeOf(submit(newKey()))).toEqual([4, 'MODULE_AUTHOR_MISMATCH', 403, false]);
    ({ key } = await gateway.issueKey(['modules:read'], author));
    expect(await outcomeOf(submit(newKey()))).toEqual([4, 'API_SCOPE_REQUIRED', 403, false]);
    key = 'a-key-that-nobody-issued';
    expect(await outcomeOf(submit(newKey()))).toEqual([4, 'UNAUTHENTICATED', 401, false]);
  });

  it('sends nothing while intake is off, and still reads', async () => {
    const first = (await submit(newKey())).result.resource;
    write({ version: '2.0.0' });
    const refused = await submit(newKey(), { package: 'module.json' }, closed);
    expect([refused.exitCode, refused.error]).toMatchObject([
      8,
      { code: 'MODULE_SUBMISSIONS_UNAVAILABLE', httpStatus: null },
    ]);
    const { result } = await run('status-module', { id: first['submissionId'] as string }, closed);
    expect(result).toMatchObject({ receiptBound: true, resource: first });
  });
});
