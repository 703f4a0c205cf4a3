import { spawn } from 'node:child_process';
import type { BlobLocation } from '@launch/blob-store';
import type { ReviewerPolicy } from '@launch/contracts/modules';
import type { BuildInput } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { BuildError } from './build.error.js';
import type { BuildEvidence, EvidenceVerdict } from './build-evidence.service.js';

/** The argument with which this service's program builds one plan instead of serving. */
export const BUILD_ARGUMENT = 'build-one';

/** The request to a build's process, on standard input. */
export interface BuildQuestion {
  readonly input: BuildInput;
  readonly blobs: BlobLocation;
  readonly results: BlobLocation;
  readonly policy: { readonly document: ReviewerPolicy; readonly digest: Sha256Digest };
  readonly sourceCommit: string;
  /** Processor time of the process itself, without its compilers. */
  readonly cpuMs: number;
}

/** Its answer on standard output. `fault`: an error without a code of this product, by its name. */
export type BuildAnswer =
  | { readonly kind: 'verdict'; readonly verdict: EvidenceVerdict }
  | {
      readonly kind: 'error';
      readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean };
    }
  | { readonly kind: 'fault'; readonly name: string };

export interface BuildProcessOptions extends Pick<BuildQuestion, 'blobs' | 'results' | 'policy' | 'sourceCommit'> {
  /** This service's own program. */
  readonly program: string;
  /** Processor time, default 120,000. */
  readonly cpuMs?: number;
  /** Heap of the process, default 1,024. */
  readonly memoryMb?: number;
  /**
   * Wall clock, for a machine that gives the process no processor time; default 18 minutes, below the activity's
   * timeout.
   */
  readonly wallMs?: number;
}

const DEFAULTS = { cpuMs: 120_000, memoryMb: 1_024, wallMs: 18 * 60_000 } as const;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Builds each plan in a separate process. A package that is expensive to read does not delay this process: the builder
 * heartbeats, answers its health checks and accepts other builds. The process has no signing key, and is ended by its processor
 * time, its memory, or the caller's signal. The first two are verdicts about the module.
 */
export function createBuildProcess(options: BuildProcessOptions): BuildEvidence {
  const { program, blobs, results, policy, sourceCommit } = options;
  const { cpuMs, memoryMb, wallMs } = { ...DEFAULTS, ...options };
  return async (input, signal) => {
    signal.throwIfAborted();
    const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program, BUILD_ARGUMENT], {
      env: [blobs, results].some(({ kind }) => kind === 's3') ? credentialsOf(process.env) : {},
      stdio: ['pipe', 'pipe', 'ignore'],
      // It leads a group of its own, so that its compilers end with it.
      detached: true,
    });
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid);
    };
    const timer = setTimeout(kill, wallMs);
    signal.addEventListener('abort', kill, { once: true });
    process.once('exit', kill);
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) kill();
    });
    // A broken pipe means that the process ended, which its exit reports.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify({ input, blobs, results, policy, sourceCommit, cpuMs } satisfies BuildQuestion));
    try {
      const ended = await new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, by) => resolve({ code, by }));
      });
      signal.throwIfAborted();
      return verdictOf(ended, Buffer.concat(chunks).toString('utf8'));
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      process.off('exit', kill);
    }
  };
}

/** Returns the variables by which the AWS SDK finds credentials: the process reads and writes blobs itself. */
const credentialsOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_') || name === 'HOME'));

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The process ended a moment ago.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function verdictOf(
  { code, by }: { readonly code: number | null; readonly by: NodeJS.Signals | null },
  text: string,
): EvidenceVerdict {
  if (by === 'SIGVTALRM') return { status: 'failed', code: 'COMPILER_TIMEOUT', place: 'analysis' };
  // V8 aborts where its heap is full.
  if (by === 'SIGABRT') return { status: 'failed', code: 'COMPILER_OUT_OF_MEMORY', place: 'analysis' };
  if (code !== 0) throw new BuildError('BUILD_PROCESS_LOST', `the process of a build ended by ${by ?? code}`);
  const answer = JSON.parse(text) as BuildAnswer;
  switch (answer.kind) {
    case 'verdict':
      return answer.verdict;
    case 'error':
      throw Object.assign(new Error(answer.error.message), answer.error);
    case 'fault':
      throw new TypeError(`the process of a build failed: ${answer.name}`);
  }
}
