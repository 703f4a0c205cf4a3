import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { capabilitiesSchema, type LaunchContext, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/evm';
import { createProgress, SERVICE_NAMES, startStack, type RunningStack, type ServiceName } from '@launch/start';
import { gatewayClient, type GatewayClient } from './gateway.client.js';

/** The running product and what a bench needs of it. */
export interface BenchStack {
  readonly running: RunningStack;
  readonly gateway: GatewayClient;
  readonly context: LaunchContext;
  readonly controller: Hex;
  /** The key of `gateway`, which may create and read. */
  readonly apiKey: string;
  /** The gateway for an author of modules, the stack's controller, and the key for that. */
  moduleAuthor(): Promise<{ readonly gateway: GatewayClient; readonly author: Hex; readonly apiKey: string }>;
  /** The gateway for plans of a key of their own. */
  planAuthor(): Promise<{ readonly gateway: GatewayClient; readonly apiKey: string }>;
  /** A second gateway beside the first, from now on. */
  secondGateway(): Promise<GatewayClient>;
  /** A second admission worker beside the first, until it rests. */
  secondAdmissionWorker(): Promise<{ rest(): Promise<void> }>;
  /** Connection string of the gateway's own database. */
  readonly gatewayDatabaseUrl: string;
  /** Connection string of a service's own database, whose role has the same name. */
  databaseUrl(database: string): Promise<string>;
  /** Connection string of the index, of its own role or of the one that may read what it publishes. */
  indexDatabaseUrl(role: 'launch_indexer' | 'launch_indexer_reader'): Promise<string>;
  readonly dir: string;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const LAUNCHER = 'custom-launch:create,custom-launch:read';

// A measurement sends in seconds what quotas spread over a month; the quotas' own work is still done.
export const PLENTY = { quantity: 1_000_000, windowSeconds: 1, burst: 1_000_000 };
/** Variables of a bench's gateway, which `restart` of the stack replaces. */
export const UNBOUNDED = {
  RATE_LIMITS: JSON.stringify({
    read: PLENTY,
    preflight: PLENTY,
    submit: PLENTY,
    create: PLENTY,
    hint: PLENTY,
    public: PLENTY,
    'module-submit': PLENTY,
    'module-create': PLENTY,
    storage: { quantity: 1_000_000_000, windowSeconds: 1, burst: 1_000_000_000 },
  }),
  UNFINISHED_LAUNCHES: '1000000',
  CONCURRENT_CREATES: '64',
};

export interface BenchStackOptions {
  /** Variables of every service. */
  readonly env?: Record<string, string>;
  /** Seconds from inclusion to an Ethereum-finalized checkpoint. */
  readonly finalitySeconds?: number;
  /** Services with a second process that rests until a bench asks for it. */
  readonly twins?: readonly ('api-gateway' | 'admission-worker')[];
}

/** The whole product in a folder of its own, which `stop` removes. */
export async function startBenchStack(
  progress: NodeJS.WritableStream,
  { env = {}, finalitySeconds, twins = ['api-gateway', 'admission-worker'] }: BenchStackOptions = {},
): Promise<BenchStack> {
  const dir = await mkdtemp(path.join(tmpdir(), 'launch-bench-'));
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const running = await startStack({
    dir,
    progress: createProgress(progress),
    serviceEnv: {
      ...(Object.fromEntries(SERVICE_NAMES.map((name) => [name, env])) as Record<ServiceName, Record<string, string>>),
      'api-gateway': { ...env, ...UNBOUNDED },
    },
    ...(finalitySeconds === undefined ? {} : { finalitySeconds }),
    twins,
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await running.stop();
    await remove();
  };
  try {
    await Promise.all(twins.map((name) => rest(running, `${name}-2`)));
    return await describe(running, dir, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

const rest = (running: RunningStack, twin: 'api-gateway-2' | 'admission-worker-2'): Promise<void> =>
  running.services.kill(twin, 'SIGTERM', { hold: true });

async function describe(running: RunningStack, dir: string, stop: () => Promise<void>): Promise<BenchStack> {
  const { stack } = running;
  if (stack.controller === null) throw new Error('the stack has no controller of its own');
  const { address } = stack.controller;
  const [file, ...first] = stack.adminCommand;
  const issueKey = async (scopes: string): Promise<string> => {
    const issue = ['keys', 'issue', '--wallet', address, '--scopes', scopes, '--json'];
    const { stdout } = await run(file as string, [...first, ...issue]);
    return (JSON.parse(stdout) as { key: string }).key;
  };
  const clients: GatewayClient[] = [];
  const clientOf = async (scopes: string): Promise<{ readonly gateway: GatewayClient; readonly apiKey: string }> => {
    const apiKey = await issueKey(scopes);
    const client = gatewayClient(stack.gateway, apiKey);
    clients.push(client);
    return { gateway: client, apiKey };
  };
  const { gateway, apiKey: key } = await clientOf(LAUNCHER);
  const { context } = capabilitiesSchema.parse(await gateway.read(`${MULTI_ROLE_BASE_PATH}/capabilities`));
  if (context === null) throw new Error('the gateway publishes no context');
  const { DATABASE_URL } = parseEnv(await readFile(path.join(dir, 'launch-admin.env'), 'utf8'));
  if (DATABASE_URL === undefined) throw new Error('the stack does not say where its database is');
  const urlFor = async (role: string, database: string): Promise<string> => {
    const password = (await readFile(path.join(dir, 'secrets', `password-${role}`), 'utf8')).trim();
    return Object.assign(new URL(DATABASE_URL), { username: role, password, pathname: `/${database}` }).toString();
  };
  return {
    running,
    gateway,
    moduleAuthor: async () => ({ ...(await clientOf('modules:submit,modules:read')), author: address }),
    planAuthor: () => clientOf(LAUNCHER),
    secondGateway: async () => {
      await running.services.resume('api-gateway-2');
      const url = running.services.url('api-gateway-2');
      if (url === undefined) throw new Error('the second gateway does not run');
      const second = gatewayClient(url, key);
      clients.push(second);
      return second;
    },
    secondAdmissionWorker: async () => {
      await running.services.resume('admission-worker-2');
      return { rest: () => rest(running, 'admission-worker-2') };
    },
    context,
    controller: address,
    apiKey: key,
    gatewayDatabaseUrl: DATABASE_URL,
    databaseUrl: (database) => urlFor(database, database),
    indexDatabaseUrl: (role) => urlFor(role, 'launch_indexer'),
    dir,
    stop: async () => {
      for (const client of clients) client.close();
      await stop();
    },
  };
}
