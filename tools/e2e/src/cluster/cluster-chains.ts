import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { manifestFileIn, startDevnet } from '@launch/devnet';
import type { OperatedChains } from '../deployed/operator-files.js';
import { runProgram } from '../deployed/run-program.js';

/** A bridge of this machine with an address for each observer, which pods reach by their default route. */
const BRIDGE = 'launch-chains';
/** The two observers of a chain are on hosts of their own, and all listen on the port that the network policy opens. */
const HOSTS = { '4663': ['10.98.0.1', '10.98.0.2'], '1': ['10.98.0.3', '10.98.0.4'] } as const;
const PORT = 8545;

const ip = (...args: string[]): Promise<string> => runProgram(['ip', ...args], { cwd: path.resolve('/') });

function forwardTo(port: number, host: string): Promise<Server> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const end = (): void => void (client.destroy(), upstream.destroy());
    client.on('error', end).on('close', end).pipe(upstream).on('error', end).on('close', end).pipe(client);
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(PORT, host, () => resolve(server)));
}

export interface ClusterChains extends OperatedChains {
  stop(): Promise<void>;
}

/** Starts the chains on loopback, and ways to their providers at addresses that pods reach. Needs root. */
export async function startClusterChains(folder: string, finalitySeconds: number): Promise<ClusterChains> {
  // Chains of an earlier run have its launches in each of their states, which makes them slow.
  const dir = path.join(folder, 'chains');
  const devnet = await startDevnet({ dir, fresh: true, finalitySeconds, idleBlockMs: 1_000 });
  await ip('link', 'delete', BRIDGE).catch(() => undefined);
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('link', 'set', BRIDGE, 'up');
  const servers: Server[] = [];
  const observersOf = async (chain: '4663' | '1'): Promise<string> => {
    const named: string[] = [];
    for (const [index, { id, url }] of devnet.rpc[chain].entries()) {
      const host = HOSTS[chain][index] ?? '';
      await ip('address', 'add', `${host}/32`, 'dev', BRIDGE);
      servers.push(await forwardTo(Number(new URL(url).port), host));
      named.push(`${id}=http://${host}:${PORT}`);
    }
    return named.join(',');
  };
  const chains: OperatedChains = {
    devnet: devnet.description,
    manifestFile: manifestFileIn(dir),
    observers: { '4663': await observersOf('4663'), '1': await observersOf('1') },
  };
  await writeFile(chainsFileIn(folder), JSON.stringify(chains, null, 2), { mode: 0o600 });
  return {
    ...chains,
    async stop() {
      for (const server of servers) server.close();
      await devnet.stop();
      await ip('link', 'delete', BRIDGE);
    },
  };
}

/** Returns the file that describes running chains. */
export const chainsFileIn = (folder: string): string => path.join(folder, 'chains.json');
