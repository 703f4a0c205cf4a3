import { cp, readFile, symlink } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, spawnGuarded, stopChild } from '@launch/platform/processes';
import { gateRpc } from './gated-rpc.js';
import type { IndexServers } from './index-servers.js';
import { PONDER_SCHEMA, ponderRows } from './launched-rows.js';
import type { FollowingSide, SideOptions } from './own-indexer.js';
import { ponderTrades } from './traded-rows.js';

const PEER = fileURLToPath(new URL('../../peers/ponder/', import.meta.url));
/** Laid over the other's files: what trades need besides. */
const SWAPS_PEER = fileURLToPath(new URL('../../peers/ponder-swaps/', import.meta.url));
const FILES = [
  'ponder.config.ts',
  'ponder.schema.ts',
  'launch.schema.ts',
  'foundation.abi.ts',
  'src',
  'package.json',
] as const;
const KEPT_LINES = 40;

/** Installs the peer's own lock where that was not done before: nothing of it is a dependency of ours. */
export async function installPonder(say: (text: string) => void): Promise<void> {
  const lock = async (file: string): Promise<string | null> => {
    const text = await readFile(path.join(PEER, file), 'utf8').catch(() => null);
    return text === null
      ? null
      : (JSON.parse(text) as { packages: Record<string, { version: string }> }).packages['node_modules/ponder']!
          .version;
  };
  if ((await lock('node_modules/.package-lock.json')) === (await lock('package-lock.json'))) return;
  say('indexing: installing Ponder, without scripts');
  // `npm ci` refuses a lock that lists the optional packages of one platform alone, as npm itself wrote this one.
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', args, { cwd: PEER });
}

/** Ponder as a process of its own over a copy of its project: it writes into the folder that it runs in. */
export async function startPonder(servers: IndexServers, options: SideOptions): Promise<FollowingSide> {
  const folder = await servers.folder(options.name);
  for (const file of FILES) await cp(path.join(PEER, file), path.join(folder, file), { recursive: true });
  if (options.withTrades === true) await cp(SWAPS_PEER, folder, { recursive: true });
  await symlink(path.join(PEER, 'node_modules'), path.join(folder, 'node_modules'));
  const [database, rpc, port] = await Promise.all([servers.database(false), gateRpc(servers.chain.url, 1), freePort()]);
  const { factory, custody, poolManager } = servers.chain.contracts;
  const child = spawnGuarded(
    process.execPath,
    [
      path.join(PEER, 'node_modules/ponder/dist/esm/bin/ponder.js'),
      'start',
      '--schema',
      PONDER_SCHEMA,
      '--port',
      String(port),
    ],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'production',
        PONDER_TELEMETRY_DISABLED: 'true',
        DATABASE_URL: database.url,
        RPC_URL: rpc.urls[0],
        POLL_MS: String(options.pollMs),
        FACTORY: factory,
        CUSTODY: custody,
        POOL_MANAGER: poolManager,
        START_BLOCK: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
      });
  const ofDatabase = ponderRows(database.client);
  const trades = ponderTrades(database.client);
  const asked = <T>(question: () => Promise<T>) => {
    if (child.exitCode !== null) throw new Error(`Ponder ended:\n${lines.join('\n')}`);
    return question();
  };
  return {
    rpc,
    rows: {
      name: ofDatabase.name,
      read: async () => asked(() => ofDatabase.read()),
      count: async () => asked(() => ofDatabase.count()),
    },
    trades: {
      read: async () => asked(() => trades.read()),
      count: async () => asked(() => trades.count()),
    },
    async stop() {
      await stopChild(child);
      await rpc.close();
      await database.close();
    },
  };
}
