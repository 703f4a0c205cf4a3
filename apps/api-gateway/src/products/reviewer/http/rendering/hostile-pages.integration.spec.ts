import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ReviewDiff, ReviewedSubmissionDocument } from '@launch/contracts/modules';
import { createLogger } from '@launch/platform';
import { moduleSubmission } from '../../../../../../../libs/contracts/src/modules/module-package.fixture.js';
import { sourceProgram } from '../../../../../../../tools/start/src/fixtures/source-program.fixture.js';
import { startHarness, type Harness } from '../../../../fixtures/gateway.harness.js';
import { call, type Answer } from '../../../../fixtures/http.client.js';
import { FormReaderPool } from '../../../../platform/request-forms/form-reader.pool.js';
import { RenderPool } from './render.pool.js';

const AUTHOR = `0x${'6'.repeat(40)}` as const;
const SOURCES = path.resolve(import.meta.dirname, '../../../..');
const logger = createLogger({ service: 'test', level: 'silent' });
/** The longest wait for an answer that costs nothing. */
const PATIENCE_MS = 1_000;
const filled = (pattern: string, bytes: number): string =>
  pattern.repeat(Math.floor(bytes / Buffer.byteLength(pattern)));
const MEGABYTE = 1024 * 1024;
/** The files of a package of the maximum size, and their differences from those of its predecessor. */
const files = (isLater: boolean): Record<string, string> => ({
  'src/Public.sol': `/*${filled('public ', 3.9 * MEGABYTE)}*/${isLater ? '1' : '0'}`,
  'src/Controls.sol': `${filled('\u202ea', 3.9 * MEGABYTE)}${isLater ? '1' : '0'}`,
  'order.txt': filled(isLater ? 'b\na\na\n' : 'a\na\nb\n', 0.9 * MEGABYTE),
  'alternating.txt': filled(isLater ? 'a\nb\n' : 'b\na\n', 0.9 * MEGABYTE),
  'lines.txt': `${isLater ? 'x' : ''}${filled('\n', 0.9 * MEGABYTE)}`,
  'numbers.txt': Array.from({ length: 100_000 }, (_, index) => index + (isLater ? 200_000 : 0)).join('\n'),
});

let folder: string;
let gateway: Harness;
let pool: RenderPool;
let reader: FormReaderPool;
let key: string;
let before: string;
let after: string;

async function scriptOf(source: string, name: string): Promise<URL> {
  return pathToFileURL(await sourceProgram(path.join(SOURCES, source), path.join(folder, name)));
}

async function submit(version: string, supersedes: string | null, authorKey: string): Promise<string> {
  const body = { ...moduleSubmission(files(supersedes !== null), { author: AUTHOR, version }), supersedes };
  const answer = await call(`${gateway.url}/v1/modules/submissions`, {
    key: authorKey,
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'idempotency-key': `module-${randomUUID()}` },
  });
  expect(answer.status).toBe(201);
  return answer.json.submissionId as string;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hostile-pages-'));
  reader = new FormReaderPool({
    logger,
    threads: 1,
    script: await scriptOf('composition/review-console/reviewed-files.worker.ts', 'reader'),
  });
  pool = new RenderPool({
    logger,
    script: await scriptOf('products/reviewer/http/rendering/render.worker.ts', 'renderer'),
  });
  gateway = await startHarness({
    reviewUpdates: { change: () => Promise.reject(new Error('no review runs')) },
    reviewFormReader: reader,
    reviewRenderer: pool,
  });
  ({ key } = await gateway.issueKey(['modules:review']));
  const author = await gateway.issueKey(['modules:submit', 'modules:read'], AUTHOR);
  before = await submit('1.0.0', null, author.key);
  after = await submit('1.1.0', before, author.key);
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([pool.close(), reader.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** Calls the public listener's liveness route repeatedly until the work is done. @returns the longest wait, in ms. */
async function longestHealthCheck(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.finally(() => (isDone = true)).catch(() => undefined);
  let longest = 0;
  while (!isDone) {
    const asked = performance.now();
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    longest = Math.max(longest, performance.now() - asked);
    await sleep(20);
  }
  await work;
  return longest;
}

async function session(): Promise<Record<string, string>> {
  const origin = gateway.reviewerUrl!;
  const begun = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ key }),
  });
  return { cookie: begun.headers.get('set-cookie')!.split(';')[0]! };
}

const ask = (url: string): Promise<Answer> => call(`${gateway.reviewerUrl}/v1/reviewer/submissions/${url}`, { key });

describe('A hostile package', () => {
  it('is rendered in bounded pages, while the public listener answers within a second', async () => {
    const headers = await session();
    const { files: listed } = (await ask(after)).json as unknown as ReviewedSubmissionDocument;
    const paths = [`${after}`, `${after}/diff`, ...listed.map(({ sha256 }) => `${after}/files/${sha256}`)];
    const sizes: number[] = [];
    const read = async (): Promise<void> => {
      for (const one of paths) {
        const answer = await fetch(`${gateway.reviewerUrl}/submissions/${one}`, { headers });
        expect([one, answer.status]).toEqual([one, 200]);
        sizes.push((await answer.text()).length);
      }
    };
    // Other suites may take the cores once, but a page that blocks the event loop blocks it every time.
    let longest = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && longest >= PATIENCE_MS; attempt += 1)
      longest = await longestHealthCheck(read());
    expect(longest).toBeLessThan(PATIENCE_MS);
    expect(Math.max(...sizes)).toBeLessThan(4.5 * MEGABYTE);
  });

  it('is compared within limits, and the answer says what it leaves out', async () => {
    const answer = ask(`${after}/diff`);
    expect(await longestHealthCheck(answer)).toBeLessThan(PATIENCE_MS);
    const diff = (await answer).json as unknown as ReviewDiff;
    expect([diff.against, diff.truncated]).toEqual([before, true]);
    expect(diff.files.map(({ path: name, hunks }) => [name, hunks === null])).toEqual([
      ['alternating.txt', false],
      ['lines.txt', false],
      ['numbers.txt', true],
      ['order.txt', false],
      ['src/Controls.sol', true],
      ['src/Public.sol', true],
    ]);
  });
});

describe('A rendering that exceeds its bounds', () => {
  const question = () =>
    ({
      kind: 'file-page',
      submissionId: after,
      path: 'a',
      sha256: `sha256:${'1'.repeat(64)}`,
      bytes: new TextEncoder().encode('\u202e'.repeat(100_000)),
      findings: null,
      from: 1,
    }) as const;

  it('ends at its deadline, and the next one runs', async () => {
    const hurried = new RenderPool({
      logger,
      threads: 1,
      timeoutMs: 1,
      script: await scriptOf('products/reviewer/http/rendering/render.worker.ts', 'hurried'),
    });
    await expect(hurried.render('one', question())).rejects.toMatchObject({ name: 'RenderingTooLarge' });
    await hurried.close();
    await expect(hurried.render('one', question())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await pool.render('one', question())).length).toBeGreaterThan(0);
  });

  it('waits for the others of the same reviewer, up to a maximum number', async () => {
    const asked = Array.from({ length: 10 }, () => pool.render('busy', question()).then(() => 'rendered', String));
    const other = pool.render('other', question());
    const answers = await Promise.all(asked);
    expect(answers.filter((one) => one === 'rendered')).toHaveLength(8);
    expect((await other).length).toBeGreaterThan(0);
  });
});
