import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { DevnetError } from '../devnet.errors.js';
import type { Hardfork } from '../journal/journal.records.js';

const START_TIMEOUT_MS = 30_000;
const KEPT_OUTPUT = 4096;

/**
 * Holds one anvil by a pipe. In whatever way the devnet process ends, `kill -9` included, the operating system closes
 * the pipe, `cat` returns and the chain is killed. The first line on stdout is anvil's process id.
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
  /** Where states older than anvil's memory limit are spilled. */
  readonly cacheDir: string;
  /** Number of the genesis block. */
  readonly genesisNumber: number;
  /** Unix seconds. */
  readonly genesisTimestamp: number;
  /** Wei. */
  readonly genesisBaseFee: number;
  /** `genesis.json` with the accounts that the chain begins with. */
  readonly genesisFile: string;
}

export interface AnvilProcess {
  readonly url: string;
  readonly pid: number;
  /** Settles when the chain ends; `unexpected` unless `stop` asked for it. */
  readonly exited: Promise<{ readonly unexpected: boolean }>;
  /** Ends it at once: the journal has every block that is to be kept. */
  stop(): Promise<void>;
}

/** The platform package's own binary: the npm launcher would be one more process to outlive us. */
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
    // Blocks are made by the devnet's own producer, which can pause for a reorg; anvil's interval cannot be set below a second.
    ...['--no-mining', '--hardfork', options.hardfork, '--gas-limit', String(options.gasLimit)],
    ...['--code-size-limit', '98304', '--no-request-size-limit', '--slots-in-an-epoch', '100000'],
    // All that a block's hash depends on is given, so that the same transactions make the same chain again.
    ...[
      '--number',
      String(options.genesisNumber),
      '--timestamp',
      String(options.genesisTimestamp),
      '--init',
      options.genesisFile,
    ],
    ...['--block-base-fee-per-gas', String(options.genesisBaseFee), '--order', 'fifo'],
    // Anvil never takes back a spilled state: `StateCache` does.
    ...['--cache-path', options.cacheDir, '--max-persisted-states', String(2 ** 31)],
  ];
}

/** Starts one chain on a free loopback port. @throws DevnetError `ANVIL_NOT_INSTALLED`, `ANVIL_START_FAILED`. */
export async function startAnvil(options: AnvilOptions): Promise<AnvilProcess> {
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'anvil-guard', anvilBinary(), ...argumentsOf(options)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Its own process group: an interrupt from the terminal is ours to turn into an orderly stop.
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
      // The process drains anvil's further output, a line a request, unread.
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
