import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { DevnetError } from '../devnet.errors.js';
import type { Hardfork } from '../journal/journal.records.js';

const START_TIMEOUT_MS = 30_000;
const KEPT_OUTPUT = 4096;

/**
 * Holds one anvil by a pipe. However the devnet process ends, `kill -9` included, the operating system closes the pipe, `cat`
 * returns and the chain is killed. The first line on stdout is anvil's process id.
 */
const GUARD_SCRIPT = `
exec 3<&0
"$@" </dev/null 3<&- &
anvil=$!
echo "anvil-pid $anvil"
{ cat <&3; kill -KILL "$anvil"; } >/dev/null 2>&1 &
watch=$!
wait "$anvil"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
`;

export interface AnvilOptions {
  readonly chainId: number;
  readonly hardfork: Hardfork;
  readonly gasLimit: bigint;
  /** Folder for states older than anvil's memory limit. */
  readonly cacheDir: string;
  /** Number of the genesis block. */
  readonly genesisNumber: number;
  /** Unix seconds. */
  readonly genesisTimestamp: number;
  /** Wei. */
  readonly genesisBaseFee: number;
  /** `genesis.json` with the initial accounts of the chain. */
  readonly genesisFile: string;
}

export interface AnvilProcess {
  readonly url: string;
  readonly pid: number;
  /** Settles when the chain ends; `unexpected` unless `stop` asked for it. */
  readonly exited: Promise<{ readonly unexpected: boolean }>;
  /** Ends the chain at once: the journal has every block to keep. */
  stop(): Promise<void>;
}

/** Returns the platform package's own binary. The npm launcher would be one more process that could outlive the devnet. */
function anvilBinary(): string {
  const require = createRequire(import.meta.url);
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const extension = process.platform === 'win32' ? '.exe' : '';
  try {
    const launcher = createRequire(require.resolve('@foundry-rs/anvil/package.json'));
    return launcher.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil${extension}`);
  } catch (cause) {
    throw new DevnetError(
      'ANVIL_NOT_INSTALLED',
      'the anvil package for this platform is not installed',
      { platform: process.platform, arch },
      { cause },
    );
  }
}

function argumentsOf(options: AnvilOptions): string[] {
  return [
    ...['--port', '0', '--host', '127.0.0.1', '--chain-id', String(options.chainId), '--accounts', '0'],
    // The devnet's own producer makes blocks, because it can pause for a reorg; anvil's interval cannot be below a second.
    ...['--no-mining', '--hardfork', options.hardfork, '--gas-limit', String(options.gasLimit)],
    ...['--code-size-limit', '98304', '--no-request-size-limit', '--slots-in-an-epoch', '100000'],
    // Every input of a block's hash is given, so that the same transactions make the same chain again.
    ...[
      '--number',
      String(options.genesisNumber),
      '--timestamp',
      String(options.genesisTimestamp),
      '--init',
      options.genesisFile,
    ],
    ...['--block-base-fee-per-gas', String(options.genesisBaseFee), '--order', 'fifo'],
    // Anvil never deletes a spilled state; `StateCache` does.
    ...['--cache-path', options.cacheDir, '--max-persisted-states', String(2 ** 31)],
  ];
}

/** Starts one chain on a free loopback port. @throws DevnetError `ANVIL_NOT_INSTALLED`, `ANVIL_START_FAILED`. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'anvil-guard', anvilBinary(), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group: the devnet turns an interrupt from the terminal into an orderly stop.
    detached: true,
    env: { HOME: options.cacheDir, PATH: process.env['PATH'] ?? '' },
  });
  guard.stdin?.on('error', () => undefined);
  const { pid, port } = await readStart(guard, options.chainId);
  let stopping = false;
  const exited = once(guard, 'exit').then(() => {
    guard.stdin?.destroy();
    return { unexpected: !stopping };
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    exited,
    async stop() {
      stopping = true;
      guard.stdin?.destroy();
      if (guard.exitCode === null && guard.signalCode === null) await exited;
    },
  };
}

async function readStart(guard: ChildProcess, chainId: number): Promise<{ pid: number; port: number }> {
  let output = '';
  const started = new Promise<{ pid: number; port: number }>((resolve, reject) => {
    const fail = (message: string, cause?: unknown): void =>
      reject(
        new DevnetError('ANVIL_START_FAILED', message, { chainId, output: output.slice(-KEPT_OUTPUT) }, { cause }),
      );
    const timer = setTimeout(() => fail('anvil did not listen in time'), START_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT * 4);
      const pid = /anvil-pid (\d+)/.exec(output);
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(output);
      if (pid === null || port === null) return;
      clearTimeout(timer);
      guard.stdout?.off('data', read);
      // Drains anvil's further output, a line per request, without reading it.
      guard.stdout?.resume();
      resolve({ pid: Number(pid[1]), port: Number(port[1]) });
    };
    guard.stdout?.on('data', read);
    guard.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-KEPT_OUTPUT * 4);
    });
    guard.once('error', (error) => fail('anvil could not be spawned', error));
    guard.once('exit', (code) => fail(`anvil ended at start with code ${code}`));
  });
  try {
    return await started;
  } catch (error) {
    guard.stdin?.destroy();
    throw error;
  }
}
