import { canonicalizeJson } from '@launch/contracts/json';
import {
  ETHEREUM_FINALITY_V1,
  type LaunchContext,
  type LaunchResource,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import {
  CUSTODY_SERVICE,
  NAMESPACES,
  SEARCH_ATTRIBUTE_TYPES,
  TASK_QUEUES,
  admitWorkflowId,
  type AdmissionActivities,
  type CompilationActivities,
  type CustodyOperations,
} from '@launch/contracts/orchestration';
import { CHAIN_ID, type Hex, keccak256Hex } from '@launch/contracts/primitives';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileBlobStore } from '@launch/blob-store';
import { originCommitment } from '@launch/chain';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  scriptedService,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { startTemporal, type TemporalServer } from '@launch/temporal-server';
import {
  armFailpoint,
  createTestDatabase,
  startAnvil,
  startServiceProcess,
  type Anvil,
  type ServiceProcess,
  type TestDatabase,
} from '@launch/testing';
import { call, codeOf, newKey, type Answer } from './fixtures/http.client.js';
import { listeningPorts } from './fixtures/listening-ports.js';
import { signedOutcome, STATEMENT_PUBLIC_KEYS } from './fixtures/signed-results.fixture.js';
import { testAssessment, testHandoff } from './fixtures/test-documents.js';
import { requestBytes, TEST_CONTROLLER, testContext, testRequest, testReviews } from './fixtures/test-request.js';

/**
 * The built process over real PostgreSQL, Temporal and a chain. Admission's and custody's steps are played here;
 * the workflows between them and the gateway's own worker are the real ones.
 */
const DIST = path.resolve(import.meta.dirname, '../dist');
/** Answers every call with a zero word: `nonceUsed` is false. */
const ZERO_WORD_CODE = '0x60206000f3';
const STEP_MS = 180_000;

let folder: string;
let database: TestDatabase;
let temporal: TemporalServer;
let client: TemporalClient;
let anvil: Anvil;
let context: LaunchContext;
let env: Record<string, string>;
let key: string;
let gateway: ServiceProcess | undefined;
const workers: ServiceWorker[] = [];
const closers: (() => Promise<unknown>)[] = [];

const rpc = async (method: string, params: unknown[]): Promise<void> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
};
const codeHash = (code: string): string => keccak256Hex(Buffer.from(code.slice(2), 'hex'));
/** Returns the time a minute ago, so that a permit has begun on every clock involved. */
const aMinuteAgo = (): number => Math.floor(Date.now() / 1_000) - 60;
const admin = async (...args: string[]) =>
  promisify(execFile)(process.execPath, [path.join(DIST, 'composition/admin/main.js'), ...args], { env });
const start = async (more: Record<string, string> = {}): Promise<ServiceProcess> =>
  (gateway = await startServiceProcess({ args: [path.join(DIST, 'main.js')], env: { ...env, ...more } }));
const at = (suffix = ''): string => `http://127.0.0.1:${gateway?.ready.port}${MULTI_ROLE_BASE_PATH}${suffix}`;

/** Repeats a read until the answer fits; the step's own time limit bounds it. */
async function until(look: () => Promise<Answer>, fits: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await look();
    if (fits(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Another port that leads to the same chain, as a second observer has one. */
async function secondOriginOf({ url }: Anvil): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const playedCompilation: CompilationActivities = {
  compileRequest: async () => ({
    kind: 'compiled',
    compiled: {
      schemaVersion: 'service.compiled-launch.v1',
      components: [{ componentId: 'token', hookCallbacks: [] }],
    },
  }),
};

function playedAdmission(): Partial<AdmissionActivities> {
  const blobs = createFileBlobStore({ dir: env['BLOB_STORE'] ?? '' });
  return {
    async judgeRequest(ref) {
      const { launchId } = ref;
      const assessment = testAssessment('source_supported');
      const receiptSha256 = `sha256:${'3'.repeat(64)}` as const;
      return {
        receipt: { receiptSha256, assessment, disposition: 'source_supported' as const },
        economicsHash: `0x${'2'.repeat(64)}`,
        findings: [],
        ...(launchId !== null && {
          signed: {
            assessed: signedOutcome({ ...ref, launchId }, { kind: 'assessed', assessment, findings: [] }),
            refused: null,
          },
        }),
      };
    },
    rehearseLaunch: async () => ({ kind: 'passed' as const }),
    async simulateHandoff(ref) {
      const launch = (await call(at(`/${ref.launchId}`), { key })).json as LaunchResource;
      const handoffSha256 = await blobs.put(canonicalizeJson(testHandoff(launch)));
      const signed = signedOutcome({ ...ref, launchId: launch.launchId }, { kind: 'handed-off', handoffSha256 });
      return { kind: 'simulated' as const, handoffSha256, signed };
    },
  };
}

const playedCustody: CustodyOperations = {
  signPermit: async () => ({
    kind: 'signed',
    permitDigest: `0x${'5'.repeat(64)}`,
    permit: {} as never,
    signature: '0x',
  }),
  refuseLaunch: async () => ({ kind: 'refused' }),
};

beforeAll(async () => {
  const quiet = (): void => undefined;
  installTemporalRuntime({ trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet });
  folder = await mkdtemp(path.join(tmpdir(), 'gateway-process-'));
  [database, temporal, anvil] = await Promise.all([
    createTestDatabase('api-gateway'),
    startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
    startAnvil({ chainId: CHAIN_ID }),
  ]);
  const urls = [anvil.url, await secondOriginOf(anvil)];
  const base = testContext();
  const { router, poolManager } = base.chainDeployment;
  await rpc('anvil_setCode', [router.address, ZERO_WORD_CODE]);
  await rpc('anvil_setCode', [poolManager.address, '0x00']);
  context = {
    ...base,
    chainDeployment: {
      ...base.chainDeployment,
      router: { ...router, runtimeCodeHash: codeHash(ZERO_WORD_CODE) as Hex },
      poolManager: { ...poolManager, runtimeCodeHash: codeHash('0x00') as Hex },
    },
    providerProfile: {
      ...base.providerProfile,
      finalityPolicyId: ETHEREUM_FINALITY_V1,
      l2Observers: urls.map((url, index) => ({ id: `l2-${index}`, originCommitment: originCommitment(url) })),
    },
  };
  const file = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(path.join(folder, name), content, { mode: 0o600 });
    return path.join(folder, name);
  };
  env = {
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    BLOB_STORE: path.join(folder, 'blobs'),
    LAUNCH_CONTEXT_FILE: await file('context.json', canonicalizeJson(context)),
    REVIEWED_ROUTERS_FILE: await file(
      'reviewed-routers.json',
      canonicalizeJson({ schemaVersion: 'service.multi-role-reviewed-routers.v1', routers: testReviews(context) }),
    ),
    RPC_4663_URLS: urls.map((url, index) => `l2-${index}=${url}`).join(','),
    CREDENTIAL_PEPPER_FILE: await file('pepper', randomBytes(32).toString('hex')),
    CURSOR_KEY_FILE: await file('cursor', randomBytes(32).toString('hex')),
    ADMISSION_PUBLIC_KEY_FILE: await file('admission.pem', STATEMENT_PUBLIC_KEYS.admission),
    FINALITY_PUBLIC_KEY_FILE: await file('finality.pem', STATEMENT_PUBLIC_KEYS.finality),
    CONCURRENT_CREATES: '8',
    LOG_LEVEL: 'info',
  };
  const issued = await admin(
    'keys',
    'issue',
    '--wallet',
    TEST_CONTROLLER,
    '--scopes',
    'custom-launch:create,custom-launch:read',
    '--json',
  );
  ({ key } = JSON.parse(issued.stdout) as { key: string });

  client = await connectTemporal({ address: temporal.address, namespace: temporal.namespace });
  const connection = await connectWorkers({ address: temporal.address, namespace: temporal.namespace });
  closers.push(
    () => client.close(),
    () => connection.close(),
  );
  const workflowBundle = await currentWorkflowBundle(
    path.resolve(import.meta.dirname, '../../../libs/workflows/src/admission.bundle.ts'),
  );
  const common = { connection, namespace: temporal.namespace, service: 'played' };
  workers.push(
    await createServiceWorker({
      ...common,
      taskQueue: TASK_QUEUES.admission,
      workflowBundle,
      activities: playedAdmission(),
    }),
    await createServiceWorker({ ...common, taskQueue: TASK_QUEUES.compilation, activities: playedCompilation }),
    await createServiceWorker({
      ...common,
      namespace: NAMESPACES.custody,
      taskQueue: TASK_QUEUES.custody,
      operations: scriptedService(CUSTODY_SERVICE, playedCustody),
    }),
  );
  for (const worker of workers) void worker.run();
});

afterAll(async () => {
  await gateway?.stop();
  await Promise.all(workers.map((worker) => worker.shutdown()));
  for (const close of closers) await close();
  await Promise.all([database.drop(), temporal.stop(), anvil.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('The gateway process', () => {
  it(
    'becomes ready, loses nothing when it is killed after its commit, and hands the wallet its transaction',
    async () => {
      const LAUNCH_FAILPOINTS = path.join(folder, 'failpoints');
      await armFailpoint(LAUNCH_FAILPOINTS, 'gateway.after-commit');
      const doomed = await start({ LAUNCH_FAILPOINTS });
      expect(
        (
          await until(
            () => call(at('/capabilities')),
            ({ json }) => json.readiness.status === 'ready',
          )
        ).json.context,
      ).toEqual(context);
      const body = requestBytes(testRequest({ context, now: aMinuteAgo() }));
      const idempotencyKey = newKey();
      const send = () => call(at(), { key, body, headers: { 'idempotency-key': idempotencyKey } });
      await expect(send()).rejects.toThrow();
      expect((await doomed.exited).signal).toBe('SIGKILL');

      await start();
      const replayed = await until(send, ({ status }) => status === 200);
      expect(replayed.json.status).toMatch(/^authorized$|^awaiting_wallet_signature$/);
      expect(replayed.json.wallet).toEqual(testHandoff(replayed.json));
      expect(replayed.json.sourceAssessment.disposition).toBe('source_supported');
      const { launchId } = replayed.json as LaunchResource;
      const admission = client.client.workflow.getHandle(admitWorkflowId(launchId));
      expect(await admission.result()).toBe('authorized');
      expect((await admission.describe()).memo?.['launchId']).toBe(launchId);
    },
    STEP_MS * 2,
  );

  it(
    'preflights through a real evaluation and keeps no byte of it',
    async () => {
      const answer = await call(at('/preflight'), {
        key,
        body: requestBytes(testRequest({ context, now: aMinuteAgo(), nonce: '2' })),
      });
      expect([answer.status, codeOf(answer)]).toEqual([200, expect.any(String)]);
      expect(answer.json.source).toMatchObject({
        disposition: 'source_supported',
        receipt: { economicsHash: `0x${'2'.repeat(64)}` },
      });
    },
    STEP_MS,
  );

  it(
    'reads large requests beside its other work, and refuses them by the same rules',
    async () => {
      const padded = (nonce: string) =>
        testRequest({
          context,
          now: aMinuteAgo(),
          nonce,
          change: (one) =>
            void one.source.additionalFiles.push({
              path: 'notes.txt',
              base64: Buffer.alloc(3 * 1024 * 1024).toString('base64'),
            }),
        });
      const send = (body: Uint8Array) => call(at(), { key, body, headers: { 'idempotency-key': newKey() } });
      const [created, duplicate, unknown, health] = await Promise.all([
        send(requestBytes(padded('3'))),
        send(Buffer.from(`{"a":1,"a":2,"b":"${'x'.repeat(100_000)}"}`)),
        send(requestBytes({ ...padded('4'), extra: true })),
        call(at('/capabilities')),
      ]);
      expect([created.status, codeOf(duplicate), codeOf(unknown), health.status]).toEqual([
        202,
        'JSON_DUPLICATE_KEY',
        'SCHEMA_UNKNOWN_FIELD',
        200,
      ]);
    },
    STEP_MS,
  );

  it(
    "is unavailable when the router differs from the context's",
    async () => {
      await gateway?.stop();
      await rpc('anvil_setCode', [context.chainDeployment.router.address, '0x00']);
      await start();
      const { json } = await call(at('/capabilities'));
      expect(json.readiness).toMatchObject({ status: 'unavailable', reasonCodes: ['ROUTER_CODE_MISMATCH'] });
      expect(json.context).toEqual(context);
    },
    STEP_MS,
  );

  it(
    'lists, rotates and revokes keys by the administration command',
    async () => {
      const { stdout } = await admin('keys', 'list', '--json');
      const [credential] = (JSON.parse(stdout) as { credentials: { credentialId: string; status: string }[] })
        .credentials;
      expect(credential?.status).toBe('active');
      expect(stdout).not.toContain(key);
      await admin('keys', 'revoke', '--credential', credential?.credentialId ?? '');
      expect(codeOf(await call(at(), { key }))).toBe('UNAUTHENTICATED');
      await expect(admin('keys', 'revoke', '--credential', credential?.credentialId ?? '')).rejects.toMatchObject({
        code: 5,
      });
      await expect(admin('keys', 'issue', '--wallet', 'x')).rejects.toMatchObject({ code: 2 });
    },
    STEP_MS,
  );

  it(
    'drains on SIGTERM, ends with 0 and writes neither bodies nor keys to its log',
    async () => {
      const running = gateway as ServiceProcess;
      await running.stop();
      expect(await running.exited).toEqual({ code: 0, signal: null });
      const log = running.lines().join('\n');
      expect(log).not.toContain(key);
      expect(log).not.toContain('standardJsonInput');
    },
    STEP_MS,
  );

  it(
    'listens for its public and for operators, and nowhere else',
    async () => {
      const { pid, ready, stop } = await start();
      const { port: open, operations } = ready as { port: number; operations?: number };
      expect(await listeningPorts(pid)).toEqual([open, Number(operations)].sort((left, right) => left - right));
      for (const path of ['/readyz', '/metrics']) {
        expect((await call(`http://127.0.0.1:${open}${path}`)).status).toBe(404);
        expect((await call(`http://127.0.0.1:${String(operations)}${path}`)).status).toBe(200);
      }
      expect((await call(`http://127.0.0.1:${open}/v1/reviewer/queue`)).status).toBe(404);
      await stop();
    },
    STEP_MS,
  );
});
