import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  NAMESPACES,
  type PermitFieldsV1,
  type SignPermitInput,
  type SignPermitResult,
} from '@launch/contracts/orchestration';
import { canonicalKeccak } from '@launch/contracts/primitives';
import {
  permitDigest,
  permitFromWire,
  permitV1Digest,
  permitV1FromWire,
  recoverPermitSigner,
  type Hex,
} from '@launch/evm';
import { connectTemporal, parsePayloadKeys, type TemporalClient } from '@launch/temporal';
import {
  connectWorkers,
  createServiceWorker,
  currentWorkflowBundle,
  installTemporalRuntime,
  type ServiceWorker,
} from '@launch/worker/scripted';
import { armFailpoint, sharedTemporal, startServiceProcess, uniqueName, type ServiceProcess } from '@launch/testing';
import { startCustodyFixture, type CustodyFixture } from './fixtures/custody.fixture.js';
import { customLaunchBody, custodyContext } from './fixtures/custom-launch.fixture.js';
import {
  AUTHORITY,
  AUTHORITY_KEY,
  CONTROLLER,
  filed,
  fixtureContext,
  packedRequest,
  ROUTER,
} from './fixtures/launch.fixture.js';
import { REMOTE_SIGNERS } from './fixtures/remote-signers.fixture.js';
import type { FiledContext } from './pinned-contexts.js';
import { sourceProgram } from '../../../tools/start/src/fixtures/source-program.fixture.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const CALLER = fileURLToPath(new URL('./fixtures/custody-caller.bundle.ts', import.meta.url));
const LIMIT_MS = 120_000;

let fixture: CustodyFixture;
let temporal: TemporalClient;
let caller: ServiceWorker;
let calling: Promise<void>;
let stopWorkers: () => Promise<void>;
let program: string;
let baseEnv: Record<string, string>;
const callerQueue = uniqueName('custody-caller');
const started: ServiceProcess[] = [];
let nonce = 0n;

beforeAll(async () => {
  fixture = await startCustodyFixture();
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  const target = await sharedTemporal();
  temporal = await connectTemporal(target);
  const connection = await connectWorkers(target);
  caller = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue: callerQueue,
    service: 'caller',
    workflowBundle: await currentWorkflowBundle(CALLER),
  });
  calling = caller.run();
  stopWorkers = async () => {
    await caller.shutdown();
    await calling;
    await connection.close();
    await temporal.close();
  };
  program = await sourceProgram(MAIN, path.join(fixture.dir, 'program'));
  const files = {
    context: path.join(fixture.dir, 'context.json'),
    customLaunchContext: path.join(fixture.dir, 'custom-launch-context.json'),
    admission: path.join(fixture.dir, 'admission.pub'),
  };
  await writeFile(files.customLaunchContext, JSON.stringify(custodyContext()));
  await writeFile(files.context, JSON.stringify(fixtureContext()));
  await writeFile(files.admission, fixture.key.publicPem);
  baseEnv = {
    DATABASE_URL: fixture.database.url,
    BLOB_STORE: path.join(fixture.dir, 'blobs'),
    LAUNCH_CONTEXT_FILE: files.context,
    CUSTOM_LAUNCH_CONTEXT_FILE: files.customLaunchContext,
    PERMIT_KEY_FILE: fixture.keyFile,
    ADMISSION_PUBLIC_KEY_FILE: files.admission,
    TEMPORAL_ADDRESS: target.address,
    TEMPORAL_NAMESPACE: NAMESPACES.custody,
    TEMPORAL_LAUNCHES_NAMESPACE: target.namespace,
    METRICS_PORT: '0',
  };
}, LIMIT_MS);
afterEach(async () => {
  await Promise.all(started.splice(0).map((service) => service.stop()));
}, LIMIT_MS);
afterAll(async () => {
  await stopWorkers?.();
  await fixture?.end();
}, LIMIT_MS);

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startServiceProcess({
    args: [program],
    env: { ...baseEnv, ...env },
    readyTimeoutMs: 60_000,
  });
  started.push(service);
  return service;
}

/** Creates a folder with one filed context. */
async function filing(name: string, { contextHash, document }: FiledContext): Promise<string> {
  const folder = path.join(fixture.dir, name);
  await mkdir(folder);
  await writeFile(path.join(folder, `${contextHash}.json`), document);
  return folder;
}

async function freshLaunch(): Promise<SignPermitInput> {
  nonce += 1n;
  return fixture.admitted(randomUUID(), await packedRequest(nonce, Math.floor(Date.now() / 1_000)));
}
const ask = (input: SignPermitInput) =>
  temporal.client.workflow.start('askForPermit', {
    taskQueue: callerQueue,
    workflowId: uniqueName('ask'),
    args: [input],
  });
const signed = (result: unknown): Extract<SignPermitResult, { kind: 'signed' }> => {
  expect(result).toMatchObject({ kind: 'signed' });
  return result as Extract<SignPermitResult, { kind: 'signed' }>;
};

describe('The custody process', () => {
  it(
    'signs for a workflow, reports readiness, keeps its secrets, and drains on SIGTERM',
    async () => {
      const service = await start();
      const result = signed(await (await ask(await freshLaunch())).result());
      expect(recoverPermitSigner(result.permitDigest as Hex, result.signature)).toBe(AUTHORITY);
      expect(permitDigest({ chainId: 4663n, router: ROUTER }, permitFromWire(result.permit))).toBe(result.permitDigest);

      const now = Math.floor(Date.now() / 1_000);
      const [family, body] = ['plan.v1', customLaunchBody('plan.v1', 1n, { opened: now })] as const;
      const plan = await fixture.admittedCustomLaunch({ family, body, readAt: now });
      const { permit, permitDigest: digest, signature } = signed(await (await ask(plan.input)).result());
      expect(permitV1Digest({ chainId: 4663n, router: ROUTER }, permitV1FromWire(permit as PermitFieldsV1))).toBe(
        digest,
      );
      expect(recoverPermitSigner(digest, signature)).toBe(AUTHORITY);

      const get = async (route: string) => {
        const response = await fetch(`http://127.0.0.1:${service.ready.port}${route}`);
        return { status: response.status, body: await response.text() };
      };
      expect((await get('/healthz')).status).toBe(200);
      expect((await get('/readyz')).status).toBe(200);
      const metrics = await get('/metrics');
      expect(metrics.body).toMatch(
        /launch_custody_operations_total\{operation="signPermit",outcome="signed",service="permit-custody"\} 2/,
      );

      service.stop().catch(() => undefined);
      expect(await service.exited).toEqual({ code: 0, signal: null });
      const said = service.lines().join('\n');
      for (const secret of [AUTHORITY_KEY, new URL(fixture.database.url).password, result.signature, fixture.keyFile])
        expect(said).not.toContain(secret);
    },
    LIMIT_MS,
  );

  it.each([
    ['custody.after-digest', 0],
    ['custody.after-sign', 0],
    ['custody.after-store', 1],
  ])(
    'killed at %s leaves %i signatures, and the next one completes the same digest',
    async (name, signatures) => {
      const failing = { LAUNCH_FAILPOINTS: path.join(fixture.dir, 'failpoints') };
      await armFailpoint(failing.LAUNCH_FAILPOINTS, name);
      const first = await start(failing);
      const input = await freshLaunch();
      const handle = await ask(input);
      expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
      const [committed] = await fixture.rows('decision', input.launchId);
      expect(committed).toMatchObject({ kind: 'digest' });
      expect(await fixture.rows('permit_signature', input.launchId)).toHaveLength(signatures);

      await start(failing);
      const result = signed(await handle.result());
      expect(result.permitDigest).toBe(committed!['permit_digest']);
      expect(recoverPermitSigner(result.permitDigest as Hex, result.signature)).toBe(AUTHORITY);
      expect(await fixture.rows('decision', input.launchId)).toEqual([committed]);
      expect(await fixture.rows('permit_signature', input.launchId)).toMatchObject([{ signature: result.signature }]);
    },
    LIMIT_MS,
  );

  it(
    'signs for a launch that was reserved under the previous release',
    async () => {
      const next = path.join(fixture.dir, 'next-context.json');
      await writeFile(next, canonicalJsonText(fixtureContext('release-b')));
      const service = await start({
        LAUNCH_CONTEXT_FILE: next,
        PREVIOUS_CONTEXTS_DIR: await filing('previous', filed(fixtureContext())),
      });
      const { permit } = signed(await (await ask(await freshLaunch())).result());
      expect(permit.contextHash).toBe(canonicalKeccak(fixtureContext()));
      expect(service.lines().find((line) => line.includes('signing for one router'))).toContain(
        `"previous":["${permit.contextHash}"]`,
      );
    },
    LIMIT_MS,
  );

  it(
    'logs the reason for a missing answer by names alone',
    async () => {
      const service = await start({ BLOB_STORE: path.join(fixture.dir, 'elsewhere') });
      const handle = await ask(await freshLaunch());
      await expect(handle.result()).rejects.toMatchObject({
        cause: { cause: { cause: { type: 'BYTES_UNREADABLE' } } },
      });
      const said = () => service.lines().find((line) => line.includes('custody gave no answer'));
      for (const until = Date.now() + 10_000; said() === undefined && Date.now() < until;) await sleep(100);
      expect(JSON.parse(said() ?? '{}')).toMatchObject({
        operation: 'signPermit',
        error: 'CustodyError',
        code: 'BYTES_UNREADABLE',
      });
      expect(said()).not.toContain(fixture.dir);
    },
    LIMIT_MS,
  );

  it(
    'answers workflows of launches alone',
    async () => {
      await start({ TEMPORAL_LAUNCHES_NAMESPACE: NAMESPACES.modules });
      const handle = await ask(await freshLaunch());
      await expect(handle.result()).rejects.toMatchObject({
        cause: { cause: { cause: { type: 'CALLER_REFUSED', nonRetryable: true } } },
      });
    },
    LIMIT_MS,
  );

  it(
    'takes and gives values that are encrypted by the keys of launches, and refuses others',
    async () => {
      const keyFile = path.join(fixture.dir, 'payload-keys');
      const text = `k1=${'ab'.repeat(32)}\n`;
      await writeFile(keyFile, text, { mode: 0o600 });
      await start({ TEMPORAL_PAYLOAD_KEYS_FILE: keyFile });
      await expect((await ask(await freshLaunch())).result()).rejects.toMatchObject({
        cause: { cause: { cause: { type: 'PAYLOAD_NOT_ENCRYPTED', nonRetryable: true } } },
      });

      const target = { ...(await sharedTemporal()), payloadKeys: parsePayloadKeys(text) };
      const [client, connection] = [await connectTemporal(target), await connectWorkers(target)];
      const taskQueue = uniqueName('encrypting-caller');
      const workflowBundle = await currentWorkflowBundle(CALLER);
      const worker = await createServiceWorker({ ...target, connection, taskQueue, service: 'caller', workflowBundle });
      const running = worker.run();
      try {
        const options = { taskQueue, workflowId: uniqueName('ask'), args: [await freshLaunch()] };
        signed(await client.client.workflow.execute('askForPermit', options));
      } finally {
        await worker.shutdown();
        await running;
        await connection.close();
        await client.close();
      }
    },
    LIMIT_MS,
  );

  it(
    'accepts only the input of its operations, and fails permanently on any other',
    async () => {
      await start();
      const handle = await ask({ ...(await freshLaunch()), launchId: 'no-uuid' });
      await expect(handle.result()).rejects.toMatchObject({
        cause: { cause: { cause: { type: 'INPUT_INVALID', nonRetryable: true } } },
      });
    },
    LIMIT_MS,
  );
});

describe('A custody whose key is behind a remote signer', () => {
  for (const { name, isInstalled, start: startSigner } of REMOTE_SIGNERS)
    (isInstalled ? it : it.skip)(
      `signs through that ${name}, and is not ready while it does not offer the key`,
      async () => {
        const remote = await startSigner(Buffer.from(AUTHORITY_KEY, 'hex'), fixture.dir);
        try {
          const service = await start({ PERMIT_KEY_FILE: '', ...remote.env });
          const { permitDigest: digest, signature } = signed(await (await ask(await freshLaunch())).result());
          expect(recoverPermitSigner(digest as Hex, signature)).toBe(AUTHORITY);
          expect(await remote.asked()).toBe(1);

          await remote.withdraw();
          const report = await fetch(`http://127.0.0.1:${service.ready.port}/readyz`);
          expect([report.status, await report.json()]).toMatchObject([
            503,
            { status: 'unavailable', checks: { database: 'ok', signer: 'failed' } },
          ]);
        } finally {
          await remote.close();
        }
      },
      LIMIT_MS,
    );
});

describe('The process of custody', () => {
  const wrong: readonly [string, () => Promise<Record<string, string>>, string][] = [
    [
      'as a role that may rewrite decisions',
      async () => ({ DATABASE_URL: fixture.database.adminUrl }),
      'may rewrite decisions',
    ],
    [
      'with a key that others can read',
      async () => {
        const file = path.join(fixture.dir, 'exposed.key');
        await writeFile(file, AUTHORITY_KEY);
        await chmod(file, 0o644);
        return { PERMIT_KEY_FILE: file };
      },
      'SIGNER_KEY_FILE_EXPOSED',
    ],
    [
      'with a key that is no permit authority',
      async () => {
        const file = path.join(fixture.dir, 'foreign.key');
        await writeFile(file, '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d', { mode: 0o600 });
        return { PERMIT_KEY_FILE: file };
      },
      'not a permit authority',
    ],
    ['without a context', async () => ({ LAUNCH_CONTEXT_FILE: '' }), 'LAUNCH_CONTEXT_FILE'],
    [
      'with a previous context of another router',
      async () => {
        const context = fixtureContext();
        context.chainBindings.router = context.chainDeployment.router.address = CONTROLLER;
        return { PREVIOUS_CONTEXTS_DIR: await filing('of-another-router', filed(context)) };
      },
      'is of another router',
    ],
    [
      'with a previous context that was edited',
      async () => ({
        PREVIOUS_CONTEXTS_DIR: await filing('edited', {
          ...filed(fixtureContext('release-a')),
          document: filed(fixtureContext()).document,
        }),
      }),
      'another document than its name says',
    ],
    [
      'with a missing folder of previous contexts',
      async () => ({ PREVIOUS_CONTEXTS_DIR: path.join(fixture.dir, 'absent') }),
      'PREVIOUS_CONTEXTS_DIR',
    ],
  ];
  it.each(wrong)(
    'does not start %s',
    async (_name, env, reason) => {
      await expect(env().then(start)).rejects.toThrow(reason);
    },
    LIMIT_MS,
  );
});
