import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { freePort, spawnGuarded, stopChild } from '@launch/platform/processes';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../../..');
const BUILDS_WITHIN_MS = 30 * 60_000;
const READY_WITHIN_MS = 120_000;

// Nx's own parser: nothing else in the repository writes YAML.
const require = createRequire(import.meta.url);
const { parse, stringify } = createRequire(require.resolve('nx/package.json'))('yaml') as {
  parse: (text: string) => Record<string, unknown>;
  stringify: (value: unknown) => string;
};

/** Returns the path of Temporal's server, built from Go modules by the version that docker-compose.yml pins. */
async function serverProgram(): Promise<string> {
  const [, version] =
    /temporalio\/server:(\d+\.\d+\.\d+)/.exec(await readFile(path.join(root, 'docker-compose.yml'), 'utf8')) ?? [];
  const folder = path.join(homedir(), '.cache', 'launch', `temporal-server-${version}`);
  const program = path.join(folder, 'server');
  if (existsSync(program)) return program;
  await run('go', ['install', '-trimpath', '-ldflags=-s -w', `go.temporal.io/server/cmd/server@v${version}`], {
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' },
    timeout: BUILDS_WITHIN_MS,
  });
  return program;
}

export interface AuthorizingServer {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts the server by the configuration of the deployment, with its authorizer. Its state is in memory, and its ports
 * are free ones.
 * @param folder of the configuration and the log.
 * @param keySet file of the public keys of tokens.
 */
export async function startAuthorizingServer(folder: string, keySet: string): Promise<AuthorizingServer> {
  const program = await serverProgram();
  const config = parse(await readFile(path.join(root, 'deploy/temporal/server.yaml'), 'utf8')) as {
    persistence: Record<string, unknown>;
    global: { authorization: { jwtKeyProvider: Record<string, unknown> }; metrics?: unknown };
    services: Record<string, { rpc: Record<string, unknown> }>;
    clusterMetadata: { clusterInformation: { active: Record<string, unknown> } };
    dynamicConfigClient: Record<string, unknown>;
  };
  const sql = {
    pluginName: 'sqlite',
    databaseName: 'default',
    connectAddr: 'localhost',
    connectProtocol: 'tcp',
    connectAttributes: { mode: 'memory', cache: 'private' },
    maxConns: 1,
    maxIdleConns: 1,
    maxConnLifetime: '1h',
  };
  config.persistence = {
    defaultStore: 'default',
    visibilityStore: 'default',
    numHistoryShards: 1,
    datastores: { default: { sql } },
  };
  delete config.global.metrics;
  config.global.authorization.jwtKeyProvider['keySourceURIs'] = [`file://${keySet}`];
  for (const { rpc } of Object.values(config.services)) {
    for (const port of Object.keys(rpc).filter((key) => key.endsWith('Port'))) rpc[port] = await freePort();
    delete rpc['bindOnIP'];
    rpc['bindOnLocalHost'] = true;
  }
  const address = `127.0.0.1:${String(config.services['frontend']?.rpc['grpcPort'])}`;
  config.clusterMetadata.clusterInformation.active['rpcAddress'] = address;
  config.dynamicConfigClient['filepath'] = path.join(root, 'deploy/temporal/dynamic-config.yaml');

  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'server.yaml');
  await writeFile(file, stringify(config));
  const [, services = ''] =
    /TEMPORAL_SERVICES: '([^']+)'/.exec(await readFile(path.join(root, 'docker-compose.yml'), 'utf8')) ?? [];
  let log = '';
  const child = spawnGuarded(program, ['start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { TEMPORAL_SERVER_CONFIG_FILE_PATH: file, TEMPORAL_SERVICES: services, HOME: folder, USER: 'temporal' },
    stop: { signal: 'SIGTERM', graceMs: 10_000 },
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (log = (log + data.toString()).slice(-8_000)));
  const stop = (): Promise<void> => stopChild(child, { signal: 'SIGTERM', graceMs: 10_000 });
  const connection = Connection.lazy({ address, tls: false });
  try {
    for (const until = Date.now() + READY_WITHIN_MS; ; await sleep(500)) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start: ${log}`);
      try {
        await connection.withDeadline(Date.now() + 2_000, () => connection.workflowService.getSystemInfo({}));
        return { address, stop };
      } catch {
        // Not ready yet.
      }
    }
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await connection.close();
  }
}
