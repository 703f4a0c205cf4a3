import { readFileSync } from 'node:fs';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectTemporal, parsePayloadKeys, temporalTarget, type TemporalTarget } from '@launch/temporal';
import { sharedTemporal, uniqueName } from '@launch/testing';
import { bundleWorkflows, type WorkflowBundle } from '../bundle/bundle-workflows.js';
import { installTemporalRuntime } from './runtime.js';
import { connectWorkers, createServiceWorker } from './service-worker.js';

const TESTDATA = path.resolve(import.meta.dirname, '../testdata');
const pem = (name: string): string => readFileSync(path.join(TESTDATA, 'tls', name), 'utf8');
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

let plain: TemporalTarget;
let bundle: WorkflowBundle;
beforeAll(async () => {
  installTemporalRuntime(silent);
  [plain, bundle] = await Promise.all([sharedTemporal(), bundleWorkflows(path.join(TESTDATA, 'probe.bundle.ts'))]);
});

/** Runs `work` beside a worker with the probe's workflows and one activity. */
async function withWorker(target: TemporalTarget, work: (taskQueue: string) => Promise<void>): Promise<void> {
  const connection = await connectWorkers(target);
  const taskQueue = uniqueName('probe');
  const { namespace, payloadKeys } = target;
  const worker = await createServiceWorker({
    connection,
    namespace,
    payloadKeys,
    taskQueue,
    service: 'probe',
    workflowBundle: bundle,
    activities: { echo: async (value: string) => value },
  });
  const running = worker.run();
  try {
    await work(taskQueue);
  } finally {
    await worker.shutdown();
    await running;
    await connection.close();
  }
}

const workflow = (taskQueue: string, value: string) => ({
  taskQueue,
  workflowId: uniqueName('probe'),
  args: [value] as [string],
  memo: { note: value },
});

describe('A namespace with payload keys', () => {
  let protectedTarget: TemporalTarget;
  beforeAll(() => {
    protectedTarget = { ...plain, payloadKeys: parsePayloadKeys(`one=${'12'.repeat(32)}`) };
  });

  it('runs a workflow whose history and memo show none of its values', async () => {
    const owner = await connectTemporal(protectedTarget);
    await withWorker(protectedTarget, async (taskQueue) => {
      const options = workflow(taskQueue, 'confidential');
      const handle = await owner.client.workflow.start('probe', options);
      expect(await handle.result()).toBe('confidential');
      expect((await handle.describe()).memo).toEqual({ note: 'confidential' });
      const history = JSON.stringify(await handle.fetchHistory());
      expect(history).toContain(Buffer.from('binary/encrypted').toString('base64'));
      expect(history).not.toContain(Buffer.from('"confidential"').toString('base64').slice(0, 16));
    });
    await owner.close();
  });

  it('lets no client without the keys start work or read a result, and the worker continues', async () => {
    const [owner, stranger] = await Promise.all([connectTemporal(protectedTarget), connectTemporal(plain)]);
    await withWorker(protectedTarget, async (taskQueue) => {
      const forged = await stranger.client.workflow.start('probe', workflow(taskQueue, 'forged'));
      expect(await owner.client.workflow.execute('probe', workflow(taskQueue, 'honest'))).toBe('honest');
      const history = await forged.fetchHistory();
      expect(history.events!.some((event) => event.activityTaskScheduledEventAttributes)).toBe(false);
      await forged.terminate();
      const honest = await owner.client.workflow.start('probe', workflow(taskQueue, 'read'));
      await honest.result();
      await expect(stranger.client.workflow.getHandle(honest.workflowId).result()).rejects.toThrow(/encoding/i);
    });
    await Promise.all([owner.close(), stranger.close()]);
  });
});

describe('A Temporal server that requires client certificates', () => {
  /** Ends TLS in front of the real server, and forwards the bytes of clients with a certificate of the authority. */
  let proxy: ReturnType<typeof createServer>;
  let variables: Parameters<typeof temporalTarget>[0];
  const revealed = (text: string) => ({ reveal: () => text });

  beforeAll(async () => {
    const [host, port] = plain.address.split(':') as [string, string];
    proxy = createServer(
      {
        key: pem('server.key'),
        cert: pem('server.pem'),
        ca: pem('ca.pem'),
        requestCert: true,
        rejectUnauthorized: true,
        ALPNProtocols: ['h2'],
      },
      (socket) => {
        const upstream = connectTcp(Number(port), host);
        const end = (): void => void (socket.destroy(), upstream.destroy());
        socket.on('error', end).on('close', end).pipe(upstream).on('error', end).on('close', end).pipe(socket);
      },
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    variables = {
      TEMPORAL_ADDRESS: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      TEMPORAL_NAMESPACE: plain.namespace,
      TEMPORAL_TLS: true,
      TEMPORAL_SERVER_NAME: 'temporal.test',
      TEMPORAL_CA_FILE: pem('ca.pem'),
    };
  });
  afterAll(() => void proxy.close());

  it('serves a client and a worker with the certificate', async () => {
    const target = temporalTarget({
      ...variables,
      TEMPORAL_CLIENT_CERT_FILE: pem('client.pem'),
      TEMPORAL_CLIENT_KEY_FILE: revealed(pem('client.key')),
    });
    const client = await connectTemporal(target);
    await withWorker(target, async (taskQueue) => {
      expect(await client.client.workflow.execute('probe', workflow(taskQueue, 'trusted'))).toBe('trusted');
    });
    await client.close();
  });

  it('refuses a client and a worker without one', async () => {
    const target = temporalTarget(variables);
    await expect(connectTemporal(target)).rejects.toThrow();
    await expect(connectWorkers(target)).rejects.toThrow();
  });

  it('is refused by a client that expects another name', async () => {
    const target = temporalTarget({
      ...variables,
      TEMPORAL_SERVER_NAME: 'other.test',
      TEMPORAL_CLIENT_CERT_FILE: pem('client.pem'),
      TEMPORAL_CLIENT_KEY_FILE: revealed(pem('client.key')),
    });
    await expect(connectTemporal(target)).rejects.toThrow();
  });

  it.each([
    ['a certificate without its key', { TEMPORAL_CLIENT_CERT_FILE: 'pem' }, /must both be set/],
    ['certificates without TLS', { TEMPORAL_TLS: false }, /need TEMPORAL_TLS=true/],
  ])('cannot be configured by %s', (_name, wrong, message) => {
    expect(() => temporalTarget({ ...variables, ...wrong })).toThrow(message);
  });
});
