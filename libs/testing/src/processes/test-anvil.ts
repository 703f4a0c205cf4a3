import { createRequire } from 'node:module';
import { freePort, spawnGuarded, stopChild } from '@launch/platform/processes';

export interface AnvilOptions {
  chainId?: number;
  /** Additional arguments of the program. */
  args?: readonly string[];
}

export interface Anvil {
  url: string;
  chainId: number;
  pid: number;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 60_000;

/**
 * Starts an anvil on a free port, which ends with this process. It has ten funded accounts of the well-known test
 * mnemonic.
 */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const chainId = options.chainId ?? 31_337;
  const port = await freePort();
  const child = spawnGuarded(
    anvilProgram(),
    ['--port', String(port), '--chain-id', String(chainId), '--silent', ...(options.args ?? [])],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      stop: { graceMs: 2_000 },
    },
  );
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(-2_000)));
  const url = `http://127.0.0.1:${port}`;
  const until = Date.now() + READY_TIMEOUT_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stopChild(child, { signal: 'SIGKILL' });
      throw new Error(`anvil did not start: ${stderr.trim()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return { url, chainId, pid: child.pid ?? 0, stop: () => stopChild(child, { graceMs: 2_000 }) };
}

async function answers(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    return (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).ok;
  } catch {
    return false;
  }
}

/** Returns the platform package's program, because its launcher script would be one more process to end. */
function anvilProgram(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const require = createRequire(import.meta.url);
  const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
  return launcher.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`);
}
