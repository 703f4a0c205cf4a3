import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import * as contracts from '@launch/contracts/activities';
import {
  CUSTODY_ENDPOINT,
  CUSTODY_SERVICE,
  NAMESPACES,
  TASK_QUEUES,
  WORKFLOW_TYPES,
  type CustodyOperations,
  type RefuseLaunchInput,
} from '@launch/contracts/orchestration';
import { locateTemporal } from '@launch/temporal-server';
import { Operations } from '@launch/worker';
import { connectWorkers, createServiceWorker, installTemporalRuntime } from '@launch/worker/scripted';
import { startAuthorizingServer, type AuthorizingServer } from './authorizing-server.js';
import { callFrom, endOfOperation, takeTask, type OperationCall } from './raw-workflow.js';

/** Temporal's own authorizer by the deployment's configuration, with the tokens that `launch-deploy make-secrets` issues. */
const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../../..');
const LIMIT_MS = 600_000;
const TOKEN = 'temporal-token-';
const HOOKS = path.join(root, 'tools/source-hooks.mjs');
const SOURCES = ['--no-warnings', '--conditions=@launch/source', '--import', pathToFileURL(HOOKS).href];

/** Makes the secrets of a deployment; returns its tokens by holder. */
async function makeTokens(secrets: string): Promise<ReadonlyMap<string, string>> {
  const program = path.join(root, 'deploy/cli/src/main.ts');
  await run(process.execPath, [...SOURCES, program, 'make-secrets', '--folder', secrets]);
  const files = (await readdir(secrets)).filter((file) => file.startsWith(TOKEN) && !file.endsWith('.pem'));
  const tokens = files.map(async (file): Promise<[string, string]> => [
    file.slice(TOKEN.length),
    (await readFile(path.join(secrets, file), 'utf8')).trim(),
  ]);
  return new Map(await Promise.all(tokens));
}

let folder: string;
let server: AuthorizingServer;
let tokens: ReadonlyMap<string, string>;
const connections = new Map<string, Connection>();
let stopCustody: () => Promise<void> = async () => undefined;
const tokenOf = (holder: string): string => tokens.get(holder)!;
const as = (holder: string): Connection => connections.get(holder)!;

const REFUSED = 7;
const UNKNOWN_TO_SERVER = 12;
/** Returns the gRPC status that a call ends with; 0 for an answer. */
const statusOf = (called: Promise<unknown>): Promise<unknown> =>
  called.then(
    () => 0,
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  );

const REFUSAL: RefuseLaunchInput = {
  launchId: randomUUID(),
  requestSha256: `sha256:${'1'.repeat(64)}`,
  refusalSha256: null,
};
const CALL: OperationCall = {
  endpoint: CUSTODY_ENDPOINT,
  service: CUSTODY_SERVICE,
  operation: 'refuseLaunch',
  input: REFUSAL,
};

beforeAll(async () => {
  installTemporalRuntime({ trace() {}, debug() {}, info() {}, warn() {}, error() {} });
  folder = await mkdtemp(path.join(tmpdir(), 'launch-authorizer-'));
  const secrets = path.join(folder, 'secrets');
  tokens = await makeTokens(secrets);
  expect(tokens.size).toBe(11);
  server = await startAuthorizingServer(folder, path.join(secrets, 'temporal-jwks.json'));
  const { program } = await locateTemporal();
  await run('sh', [path.join(root, 'deploy/temporal/namespace.sh')], {
    env: {
      PATH: `${path.dirname(program)}:${process.env['PATH']}`,
      HOME: folder,
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_TLS: 'false',
      TEMPORAL_API_KEY_FILE: path.join(secrets, `${TOKEN}operator`),
    },
    timeout: LIMIT_MS / 2,
  });
  for (const holder of tokens.keys())
    connections.set(holder, await Connection.connect({ address: server.address, tls: false, apiKey: tokenOf(holder) }));

  const target = {
    address: server.address,
    namespace: NAMESPACES.custody,
    tls: false,
    apiKey: tokenOf('permit-custody'),
  };
  const connection = await connectWorkers(target);
  const { handler } = new Operations<CustodyOperations>(
    CUSTODY_SERVICE,
    contracts.custodyInputs,
    { signPermit: () => Promise.reject(new Error('not asked here')), refuseLaunch: async () => ({ kind: 'refused' }) },
    { callers: NAMESPACES.launches, failures: { outage: 'AWAY', fault: 'BROKEN' }, onTrouble: () => undefined },
  );
  const worker = await createServiceWorker({
    connection,
    namespace: target.namespace,
    taskQueue: TASK_QUEUES.custody,
    service: 'permit-custody',
    operations: handler,
  });
  const running = worker.run();
  stopCustody = async () => {
    await worker.shutdown();
    await running;
    await connection.close();
  };
}, LIMIT_MS);
afterAll(async () => {
  await stopCustody();
  for (const connection of connections.values()) await connection.close();
  await server?.stop();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}, LIMIT_MS);

/** Every call of Temporal's service, by its name in the SDK. */
const { methods } = proto.temporal.api.workflowservice.v1.WorkflowService as unknown as { readonly methods: object };
const CALLS = Object.keys(methods).map((name) => `${name.charAt(0).toLowerCase()}${name.slice(1)}`);
type AnyCall = (request: object) => Promise<unknown>;
const send = (holder: string, name: string, request: object): Promise<unknown> => {
  const { workflowService } = as(holder);
  return as(holder).withDeadline(Date.now() + 10_000, () =>
    (workflowService as unknown as Record<string, AnyCall>)[name]!.call(workflowService, request),
  );
};

/** Every activity and operation of the contracts, so that a new one is attempted as well. */
const ACTIVITIES = Object.entries(contracts)
  .filter(([name]) => name.endsWith('Inputs'))
  .flatMap(([, inputs]) => Object.keys(inputs));
const FOREIGN = [NAMESPACES.launches, NAMESPACES.custody];

describe('The token of the builder', () => {
  it('works in the namespace of modules', async () => {
    const { taskToken } = await takeTask(as('module-builder'), NAMESPACES.modules);
    expect(taskToken.length).toBeGreaterThan(0);
  });

  it.each([NAMESPACES.launches, NAMESPACES.custody])(
    'is refused every call in the namespace %s: it starts, signals, reads, polls, completes and ends nothing',
    async (namespace) => {
      expect(CALLS.length).toBeGreaterThan(80);
      const answered: unknown[] = [];
      for (const name of CALLS) {
        const status = await statusOf(send('module-builder', name, { namespace }));
        if (status !== REFUSED && status !== UNKNOWN_TO_SERVER) answered.push([name, status]);
      }
      // Which features the server has.
      expect(answered).toEqual([['getSystemInfo', 0]]);
    },
    LIMIT_MS,
  );

  it.each(Object.values(TASK_QUEUES))('polls no queue %s of launches, whatever its activities are', async (name) => {
    const request = { namespace: NAMESPACES.launches, taskQueue: { name }, identity: 'builder' };
    for (const poll of ['pollActivityTaskQueue', 'pollWorkflowTaskQueue', 'pollNexusTaskQueue'])
      expect([poll, await statusOf(send('module-builder', poll, request))]).toEqual([poll, REFUSED]);
  });

  it.each(Object.values(WORKFLOW_TYPES))(
    'starts, signals and ends no workflow %s of another namespace',
    async (name) => {
      for (const namespace of FOREIGN)
        for (const queue of Object.values(TASK_QUEUES)) {
          const workflowId = randomUUID();
          const execution = { namespace, workflowExecution: { workflowId }, identity: 'builder' };
          const start = {
            namespace,
            workflowId,
            workflowType: { name },
            taskQueue: { name: queue },
            requestId: randomUUID(),
            identity: 'builder',
          };
          for (const [call, request] of [
            ['startWorkflowExecution', start],
            ['signalWithStartWorkflowExecution', { ...start, signalName: 'any' }],
            ['signalWorkflowExecution', { ...execution, signalName: 'any' }],
            ['terminateWorkflowExecution', execution],
          ] as const)
            expect([call, await statusOf(send('module-builder', call, request))]).toEqual([call, REFUSED]);
        }
    },
  );

  it('is tried with the activities of every service', () => {
    expect(ACTIVITIES).toEqual(
      expect.arrayContaining(['recordHandoff', 'recordPlanSteps', 'observeStep', 'signPermit']),
    );
    expect(ACTIVITIES.length).toBeGreaterThan(40);
  });

  it.each([...new Set(ACTIVITIES)])('starts, completes and fails no activity %s of another namespace', async (name) => {
    for (const namespace of FOREIGN) {
      const task = { namespace, workflowId: randomUUID(), activityId: name, identity: 'builder' };
      for (const call of [
        'respondActivityTaskCompletedById',
        'respondActivityTaskFailedById',
        'respondActivityTaskCanceledById',
        'recordActivityTaskHeartbeatById',
      ])
        expect([call, await statusOf(send('module-builder', call, task))]).toEqual([call, REFUSED]);
      for (const queue of Object.values(TASK_QUEUES)) {
        const start = { namespace, activityId: name, activityType: { name }, taskQueue: { name: queue } };
        const status = await statusOf(send('module-builder', 'startActivityExecution', start));
        expect([queue, status]).toEqual([queue, REFUSED]);
      }
    }
  });

  it('answers no task of launches in the name of its own namespace', async () => {
    const { taskToken } = await takeTask(as('admission-worker'), NAMESPACES.launches);
    const request = { namespace: NAMESPACES.modules, taskToken, identity: 'builder', commands: [] };
    expect(await statusOf(send('module-builder', 'respondWorkflowTaskCompleted', request))).not.toBe(0);
    const own = { ...request, namespace: NAMESPACES.launches };
    expect(await statusOf(send('admission-worker', 'respondWorkflowTaskCompleted', own))).toBe(0);
  });

  it('changes no endpoint', async () => {
    const { operatorService } = as('module-builder');
    expect(await statusOf(operatorService.listNexusEndpoints({}))).toBe(REFUSED);
    const target = { worker: { namespace: NAMESPACES.modules, taskQueue: 'own' } };
    expect(await statusOf(operatorService.createNexusEndpoint({ spec: { name: 'own', target } }))).toBe(REFUSED);
  });
});

describe('Custody', () => {
  it('is polled with its own token alone', async () => {
    const request = { namespace: NAMESPACES.custody, taskQueue: { name: TASK_QUEUES.custody }, identity: 'other' };
    for (const holder of [...tokens.keys()].filter((one) => one !== 'permit-custody' && one !== 'operator'))
      expect([holder, await statusOf(send(holder, 'pollNexusTaskQueue', request))]).toEqual([holder, REFUSED]);
  });

  it('answers a workflow of launches, whose service has no token for its namespace', async () => {
    const { workflowId, taskToken } = await takeTask(as('admission-worker'), NAMESPACES.launches);
    await callFrom(as('admission-worker'), NAMESPACES.launches, taskToken, CALL);
    expect(await endOfOperation(as('admission-worker'), NAMESPACES.launches, workflowId)).toEqual({ kind: 'refused' });
  });

  it.each(Object.keys(contracts.custodyInputs))(
    'refuses the call of %s by a workflow of modules, which the server lets through',
    async (operation) => {
      const { workflowId, taskToken } = await takeTask(as('module-builder'), NAMESPACES.modules);
      await callFrom(as('module-builder'), NAMESPACES.modules, taskToken, { ...CALL, operation });
      expect(await endOfOperation(as('module-builder'), NAMESPACES.modules, workflowId)).toBe('CALLER_REFUSED');
    },
  );

  it('is not reached by a workflow of modules that names another caller', async () => {
    const { taskToken } = await takeTask(as('module-builder'), NAMESPACES.modules);
    const link = `<temporal:///namespaces/${NAMESPACES.launches}/workflows/a/b/history>; type="temporal.api.common.v1.Link.WorkflowEvent"`;
    await expect(
      callFrom(as('module-builder'), NAMESPACES.modules, taskToken, { ...CALL, header: { 'Nexus-Link': link } }),
    ).rejects.toThrow(/disallowed header key/);
  });
});

it('Without a token, and with one of another key, nothing is answered but what the server is.', async () => {
  const others = await makeTokens(path.join(folder, 'others'));
  for (const options of [{}, { apiKey: others.get('operator')! }]) {
    const connection = Connection.lazy({ address: server.address, tls: false, ...options });
    const { workflowService } = connection;
    expect(await statusOf(workflowService.describeNamespace({ namespace: NAMESPACES.launches }))).toBe(REFUSED);
    await connection.close();
  }
});
