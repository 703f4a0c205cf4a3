import { createInterface } from 'node:readline';
import { spawnGuarded, stopChild } from '@launch/platform/processes';

export interface ServiceProcessOptions {
  /** Arguments of `node`: the script and its own. */
  args: readonly string[];
  /** The whole environment of the process except PATH. */
  env: Record<string, string>;
  readyTimeoutMs?: number;
}

export interface ServiceProcess {
  pid: number;
  /** The `{"msg":"ready",…}` line. */
  ready: Record<string, unknown> & { port: number };
  /** Every line so far, at most the last 2,000. */
  lines(): readonly string[];
  /** Resolves with the exit code and the signal. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends SIGTERM, then SIGKILL. */
  stop(): Promise<void>;
}

const KEPT_LINES = 2_000;

/**
 * Starts a service and waits for its ready line.
 * @throws Error with the last lines if it ends before, or is not ready in time.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const child = spawnGuarded(process.execPath, [...options.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
  });
  const lines: string[] = [];
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const keep = (line: string) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
  };
  const ready = new Promise<ServiceProcess['ready']>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        keep(line);
        const parsed = readyLine(line);
        if (parsed !== undefined) resolve(parsed);
      });
    }
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>(
    (resolve) => (timer = setTimeout(() => resolve(undefined), options.readyTimeoutMs ?? 120_000)),
  );
  const first = await Promise.race([ready, exited.then(() => undefined), timeout]);
  clearTimeout(timer);
  if (first === undefined) {
    await stopChild(child, { signal: 'SIGKILL' });
    throw new Error(`${options.args.join(' ')} did not get ready:\n${lines.slice(-30).join('\n')}`);
  }
  return {
    pid: child.pid ?? 0,
    ready: first,
    lines: () => lines,
    exited,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await exited;
    },
    stop: () => stopChild(child),
  };
}

function readyLine(line: string): ServiceProcess['ready'] | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const parsed = JSON.parse(line) as Record<string, unknown>;
    return parsed['msg'] === 'ready' && typeof parsed['port'] === 'number'
      ? (parsed as ServiceProcess['ready'])
      : undefined;
  } catch {
    // The line is not JSON of a service.
    return undefined;
  }
}
