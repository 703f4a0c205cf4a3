import { SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  createTestDatabase,
  newSigningKey,
  startServiceProcess,
  type ServiceProcess,
  type TestDatabase,
} from '@launch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { call, codeOf } from '../../fixtures/http.client.js';
import { listeningPorts } from '../../fixtures/listening-ports.js';

/** The built review console beside the built gateway, over the same real PostgreSQL and Temporal. */
const DIST = path.resolve(import.meta.dirname, '../../../dist');
const CONSOLE = path.join(DIST, 'composition/review-console/main.js');
const STEP_MS = 180_000;
/** The longest wait for an answer of a gateway beside a console that is blocked. */
const PATIENCE_MS = 1_000;
const QUEUE = '/v1/reviewer/queue';

let folder: string;
let database: TestDatabase;
let temporal: TemporalServer;
let env: Record<string, string>;
let reviewers: ServiceProcess;
let gateway: ServiceProcess;
const origin = ({ ready }: ServiceProcess): string => `http://127.0.0.1:${ready.port}`;
const operations = ({ ready }: ServiceProcess): string => `http://127.0.0.1:${String(ready['operations'])}`;

/** Asks for public documents, one with rows of the database among them. @returns the longest wait, in ms. */
async function longestPublicRead(): Promise<number> {
  const waits: number[] = [];
  for (const target of ['/healthz', `${MULTI_ROLE_BASE_PATH}/capabilities`, `${MULTI_ROLE_BASE_PATH}/finalized`]) {
    const asked = performance.now();
    expect([target, (await call(`${origin(gateway)}${target}`)).status]).toEqual([target, 200]);
    waits.push(performance.now() - asked);
  }
  return Math.max(...waits);
}

/** Writes the keys that the gateway verifies results by. */
async function statementKeys(): Promise<Record<string, string>> {
  const write = async (name: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, newSigningKey().publicKey);
    return file;
  };
  return {
    ADMISSION_PUBLIC_KEY_FILE: await write('admission.pem'),
    FINALITY_PUBLIC_KEY_FILE: await write('finality.pem'),
  };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'review-console-'));
  [database, temporal] = await Promise.all([
    createTestDatabase('api-gateway'),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
  ]);
  const secret = async (name: string): Promise<string> => {
    const file = path.join(folder, name);
    await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
    return file;
  };
  env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    BLOB_STORE: path.join(folder, 'blobs'),
    BUILD_RESULTS_STORE: path.join(folder, 'build-results'),
    CREDENTIAL_PEPPER_FILE: await secret('pepper'),
    CURSOR_KEY_FILE: await secret('cursor'),
  };
  [reviewers, gateway] = await Promise.all([
    startServiceProcess({ args: [CONSOLE], env }),
    startServiceProcess({ args: [path.join(DIST, 'main.js')], env: { ...env, ...(await statementKeys()) } }),
  ]);
}, STEP_MS);
afterAll(async () => {
  await Promise.all([reviewers?.stop(), gateway?.stop()]);
  await Promise.all([database?.drop(), temporal?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('The review console', () => {
  it('listens for reviewers and for operators, and the gateway for no reviewer', async () => {
    const own = [reviewers.ready.port, Number(reviewers.ready['operations'])];
    expect(await listeningPorts(reviewers.pid)).toEqual(own.sort((left, right) => left - right));
    expect((await call(`${origin(reviewers)}${QUEUE}`)).status).toBe(401);
    expect((await call(`${origin(gateway)}${QUEUE}`)).status).toBe(404);
    expect((await call(`${origin(reviewers)}${MULTI_ROLE_BASE_PATH}/capabilities`)).status).toBe(404);
    for (const route of ['/readyz', '/metrics']) {
      expect([route, (await call(`${origin(reviewers)}${route}`)).status]).toEqual([route, 404]);
      expect([route, (await call(`${operations(reviewers)}${route}`)).status]).toEqual([route, 200]);
    }
    expect((await call(`${origin(reviewers)}/healthz`)).json).toEqual({ status: 'ok' });
    expect((await call(`${operations(reviewers)}/metrics`)).text).toContain('service="review-console"');
  });

  it('serves the queue to a key that the operator issued', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        path.join(DIST, 'composition/admin/main.js'),
        ...['keys', 'issue', '--wallet', `0x${'1'.repeat(40)}`, '--scopes', 'modules:review', '--json'],
      ],
      { env },
    );
    const { key } = JSON.parse(stdout) as { key: string };
    const answer = await call(`${origin(reviewers)}${QUEUE}`, { key });
    expect([answer.status, answer.json]).toMatchObject([200, { items: [], nextCursor: null }]);
    const refused = await call(`${origin(gateway)}${MULTI_ROLE_BASE_PATH}`, { key });
    expect([refused.status, codeOf(refused)]).toEqual([403, 'INSUFFICIENT_SCOPE']);
  });

  it('delays no answer of the gateway while it is blocked, and none after it was killed', async () => {
    await longestPublicRead();
    process.kill(reviewers.pid, 'SIGSTOP');
    try {
      const unanswered = call(`${origin(reviewers)}/healthz`).then(() => 'answered');
      // Other suites may take the cores once; a gateway that waits for the console waits each time.
      let longest = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < 3 && longest >= PATIENCE_MS; attempt += 1) longest = await longestPublicRead();
      expect(longest).toBeLessThan(PATIENCE_MS);
      expect(await Promise.race([unanswered, Promise.resolve('waiting')])).toBe('waiting');
      process.kill(reviewers.pid, 'SIGCONT');
      expect(await unanswered).toBe('answered');
    } finally {
      process.kill(reviewers.pid, 'SIGCONT');
    }
    await reviewers.kill();
    expect(await longestPublicRead()).toBeLessThan(PATIENCE_MS * 3);
    reviewers = await startServiceProcess({ args: [CONSOLE], env });
    expect((await call(`${origin(reviewers)}${QUEUE}`)).status).toBe(401);
  });

  it('is not ready without its database and Temporal, and says which it lacks', async () => {
    const lost = await startServiceProcess({
      args: [CONSOLE],
      env: { ...env, DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:1/none', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    });
    try {
      const report = await call(`${operations(lost)}/readyz`);
      expect([report.status, report.json.checks]).toMatchObject([503, { database: expect.not.stringMatching(/^ok$/) }]);
      expect((await call(`${origin(lost)}/healthz`)).status).toBe(200);
    } finally {
      await lost.stop();
    }
  });

  it('names every setting that it lacks', async () => {
    const refused = promisify(execFile)(process.execPath, [CONSOLE], { env: {} });
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /DATABASE_URL: is required.*BLOB_STORE: is required.*CREDENTIAL_PEPPER_FILE: is required.*CURSOR_KEY_FILE: is required/,
      ),
    });
  });

  it('drains on SIGTERM and ends with 0', async () => {
    await reviewers.stop();
    expect(await reviewers.exited).toEqual({ code: 0, signal: null });
  });
});
