import path from 'node:path';
import { manifestFileIn, startDevnet, type Devnet } from '@launch/devnet';
import type { OperatedChains } from '../deployed/operator-files.js';
import { runProgram } from '../deployed/run-program.js';

/** Development chains whose providers containers reach. */
export interface ExposedChains extends OperatedChains {
  readonly devnet: Devnet;
  stop(): Promise<void>;
}

/** Two observers need two hosts, so each has the address of this machine on a network of its own. */
const NETWORKS = ['launch-test-observer-a', 'launch-test-observer-b'] as const;

const docker = (...args: string[]): Promise<string> => runProgram(['docker', ...args], { cwd: path.resolve('/') });

async function addressOn(network: string): Promise<string> {
  await docker('network', 'inspect', network).catch(() => docker('network', 'create', network));
  return (await docker('network', 'inspect', network, '--format', '{{(index .IPAM.Config 0).Gateway}}')).trim();
}

/** Starts the chains on all interfaces of this machine. Their keys are worth nothing, and the controls stay on loopback. */
export async function startExposedChains(folder: string, finalitySeconds: number): Promise<ExposedChains> {
  const addresses: string[] = [];
  for (const network of NETWORKS) addresses.push(await addressOn(network));
  const devnet = await startDevnet({ dir: folder, host: '0.0.0.0', finalitySeconds, idleBlockMs: 1_000 });
  const observersOf = (chain: '4663' | '1'): string =>
    devnet.rpc[chain]
      .map(({ id, url }, index) => `${id}=http://${addresses[index] ?? ''}:${new URL(url).port}`)
      .join(',');
  return {
    devnet,
    manifestFile: manifestFileIn(folder),
    observers: { '4663': observersOf('4663'), '1': observersOf('1') },
    async stop() {
      await devnet.stop();
      for (const network of NETWORKS) await docker('network', 'rm', network);
    },
  };
}
