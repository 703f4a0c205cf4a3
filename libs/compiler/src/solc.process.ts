import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CompilerError } from './compiler.errors.js';
import { childAnswerSchema, type ChildAnswer } from './compiler.output.js';
import { soljsonPath, type PinnedCompiler } from './compiler.versions.js';
import { nicenessOf } from './niceness.rules.js';
import { StallWatch } from './stall-watch.js';

export type ProcessLimits = {
  /** WebAssembly memory, in pages of 64 KiB. */
  readonly memoryPages: number;
  /** Largest answer accepted, bytes. */
  readonly maxOutputBytes: number;
};

export type JobLimits = {
  /** Processor time, ms, as the child counts it. */
  readonly cpuMs: number;
  /** Ends a job that uses no processor time for so many ms. */
  readonly stallMs: number;
  /**
   * Processor time, in ms, that the job's request already used. The process yields more with more use and must serve no
   * other job, because it cannot raise its priority again. If absent, it keeps its priority.
   */
  readonly spentMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * A frame that is not a valid answer: not JSON, or JSON of another form. `reusable` tells whether the process is sound.
 */
type NoAnswer = { readonly kind: 'unexpected'; readonly reusable: boolean };
type Frame = ChildAnswer | NoAnswer | { readonly kind: 'too-large' };

/**
 * The end of a job: an answer, an invalid answer, a bound that was hit, or the end of the process, which the pool
 * judges.
 */
export type JobEnd =
  | { readonly kind: 'answer'; readonly answer: Exclude<ChildAnswer, { kind: 'ready' }> }
  | NoAnswer
  | { readonly kind: 'limit'; readonly limit: 'time' | 'output' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'died'; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null };

const START_TIMEOUT_MS = 60_000;
const JS_HEAP_MIB = 512;
const HEADER_BYTES = 8;
const LIFELINE = 3;
const REPORT_BYTES = 4;

/**
 * Flags that make the process harmless regardless of the compiler's actions. It may read two files, write none, start
 * no process and load no addon, and the engine bounds its WebAssembly memory. `--allow-worker` is for its own guard
 * thread. Node 24's permission model does not cover sockets. The compiler runs in a separate realm without Node
 * (`loadSoljson`), so it has no network. A deployment adds its own network policy.
 */
export function confinementFlags(readable: readonly string[], memoryPages: number): string[] {
  return [
    '--permission',
    '--allow-worker',
    ...readable.map((file) => `--allow-fs-read=${file}`),
    `--wasm-max-mem-pages=${memoryPages}`,
    `--max-old-space-size=${JS_HEAP_MIB}`,
    '--disallow-code-generation-from-strings',
    '--no-experimental-websocket',
    '--no-warnings',
  ];
}

/** The program of the child: the source if this runs from source, its build otherwise. */
const CHILD_PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './solc.child.ts' : './solc.child.js', import.meta.url),
);

const living = new Set<SolcProcess>();
// The guard thread ends a child whose parent is gone. This handler makes an orderly exit leave no child even briefly.
process.once('exit', () => living.forEach((child) => child.kill()));

/** One confined process with one loaded compiler and one job at a time. */
export class SolcProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #maxOutputBytes: number;
  readonly #exited: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #waiting: ((frame: Frame) => void) | undefined;
  #reports = Buffer.alloc(0);
  #onReport: ((cpuMs: number) => void) | undefined;

  private constructor(compiler: PinnedCompiler, limits: ProcessLimits) {
    const soljson = soljsonPath(compiler);
    this.#maxOutputBytes = limits.maxOutputBytes;
    this.#child = spawn(
      process.execPath,
      [...confinementFlags([CHILD_PROGRAM, soljson], limits.memoryPages), CHILD_PROGRAM, soljson, compiler.sha256],
      { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'ignore', 'pipe'] },
    ) as unknown as ChildProcessByStdio<Writable, Readable, null>;
    living.add(this);
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      this.#child.once('error', () => resolve({ exitCode: null, signal: null }));
    });
    void this.#exited.then(() => living.delete(this));
    // A broken pipe is the end of the process, and that is what `#exited` reports.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (chunk: Buffer) => this.#take(chunk));
    const lifeline = this.#child.stdio[LIFELINE] as Readable;
    lifeline.on('error', () => undefined);
    lifeline.on('data', (chunk: Buffer) => this.#takeReports(chunk));
  }

  /** Starts a process and waits until its compiler is loaded and reports the pinned version. */
  static async start(compiler: PinnedCompiler, limits: ProcessLimits): Promise<SolcProcess> {
    const started = new SolcProcess(compiler, limits);
    const timer = setTimeout(() => started.kill(), START_TIMEOUT_MS);
    try {
      const first = await Promise.race([started.#nextFrame(), started.#exited]);
      if ('kind' in first && first.kind === 'ready' && first.version === compiler.longVersion) return started;
      started.kill();
      throw new CompilerError('COMPILER_UNAVAILABLE', { version: compiler.version });
    } finally {
      clearTimeout(timer);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resolves once the process is gone. */
  async ended(): Promise<void> {
    await this.#exited;
  }

  /**
   * Compiles one prepared input. The child judges its own processor time. After anything that is not `reusable` the process must not be used again.
   */
  async run(input: Uint8Array, { cpuMs, stallMs, spentMs, signal }: JobLimits): Promise<JobEnd> {
    if (signal?.aborted === true) return { kind: 'aborted' };
    if (spentMs !== undefined) this.#yieldProcessor(nicenessOf(spentMs, input.byteLength));
    let watch: StallWatch | undefined;
    let onAbort: (() => void) | undefined;
    const interrupted = new Promise<JobEnd>((resolve, reject) => {
      const stall = (watch = new StallWatch(stallMs, () => resolve({ kind: 'stalled' })));
      this.#onReport = (usedMs) => {
        stall.observe(usedMs);
        try {
          if (spentMs !== undefined) this.#yieldProcessor(nicenessOf(spentMs + usedMs, input.byteLength));
        } catch (error) {
          reject(error);
        }
      };
      onAbort = () => resolve({ kind: 'aborted' });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      const frame = this.#nextFrame();
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUInt32BE(input.byteLength);
      header.writeUInt32BE(cpuMs, 4);
      this.#child.stdin.write(header);
      this.#child.stdin.write(input);
      const end = await Promise.race([
        frame.then((answer): JobEnd => {
          if (answer.kind === 'too-large') return { kind: 'limit', limit: 'output' };
          if (answer.kind === 'ready') return { kind: 'unexpected', reusable: false };
          return answer.kind === 'unexpected' ? answer : { kind: 'answer', answer };
        }),
        this.#exited.then(({ exitCode, signal: by }): JobEnd =>
          by === 'SIGVTALRM' ? { kind: 'limit', limit: 'time' } : { kind: 'died', exitCode, signal: by },
        ),
        interrupted,
      ]);
      if (end.kind !== 'answer' && !(end.kind === 'unexpected' && end.reusable)) this.kill();
      return end;
    } finally {
      this.#waiting = undefined;
      this.#onReport = undefined;
      watch?.stop();
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Lowers the priority of the compiling thread and never raises it, so it stays below a service that runs at low
   * priority.
   */
  #yieldProcessor(niceness: number): void {
    if (this.pid === undefined) return;
    try {
      if (getPriority(this.pid) < niceness) setPriority(this.pid, niceness);
    } catch (error) {
      // `#exited` reports the end of the process.
      if ((error as { readonly info?: { readonly code?: string } }).info?.code !== 'ESRCH') throw error;
    }
  }

  /** Forwards the latest processor time that the child reports. */
  #takeReports(chunk: Buffer): void {
    const reports = Buffer.concat([this.#reports, chunk]);
    const whole = reports.byteLength - (reports.byteLength % REPORT_BYTES);
    this.#reports = reports.subarray(whole);
    if (whole > 0) this.#onReport?.(reports.readUInt32BE(whole - REPORT_BYTES));
  }

  #nextFrame(): Promise<Frame> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #take(chunk: Buffer): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.byteLength;
    if (this.#pendingBytes < 4) return;
    if (this.#pending[0]!.byteLength < 4) this.#pending = [Buffer.concat(this.#pending)];
    const length = this.#pending[0]!.readUInt32BE(0);
    if (length > this.#maxOutputBytes) return this.#deliver({ kind: 'too-large' });
    if (this.#pendingBytes < 4 + length) return;
    const body = Buffer.concat(this.#pending).subarray(4, 4 + length);
    this.#deliver(parseAnswer(body));
  }

  #deliver(frame: Frame): void {
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#waiting?.(frame);
  }
}

function parseAnswer(body: Buffer): ChildAnswer | NoAnswer {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return { kind: 'unexpected', reusable: false };
  }
  const parsed = childAnswerSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  return { kind: 'unexpected', reusable: (value as { readonly reusable?: unknown } | null)?.reusable === true };
}
