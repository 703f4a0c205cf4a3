import { createHash } from 'node:crypto';
import { finding, type Finding } from '@launch/contracts/errors';
import { givenName } from '@launch/contracts/json';
import {
  BoundedCompilation,
  UNBOUNDED,
  type AllowanceBound,
  type BoundedOutcome,
  type CompileAllowance,
} from './bounded-compilation.js';
import { createFileCompileCache, type CompileCache } from './compile.cache.js';
import { CompilerError } from './compiler.errors.js';
import {
  type BuildOutput,
  type CompileErrorPlace,
  type CompileLimit,
  type CompilerOutput,
  type ImmutableName,
  type RememberedOutcome,
} from './compiler.output.js';
import { findPinnedCompiler, type PinnedCompiler } from './compiler.versions.js';
import { SolcPool, type PoolOutcome } from './solc.pool.js';
import type { ProcessLimits } from './solc.process.js';
import {
  outputSelectionFor,
  prepareStandardJson,
  type CompilePurpose,
  type CompileTarget,
} from './standard-json.rules.js';

export type CompilerOptions = {
  /** Pinned versions that this deployment offers; an unpinned one throws a RangeError immediately. */
  readonly versions: readonly string[];
  /** Folder for remembered results, or a custom cache; without either nothing is remembered. */
  readonly cacheDir?: string;
  readonly cache?: CompileCache;
  /** Processor time of one compilation, ms. Default 60,000. */
  readonly timeoutMs?: number;
  /** WebAssembly memory in pages of 64 KiB. Default 8,192: 512 MiB. */
  readonly memoryPages?: number;
  readonly maxOutputBytes?: number;
  readonly jobsPerProcess?: number;
  /**
   * Lets compilations share warm processes; defaults to false, with a new process for each. A hostile source can harm
   * later compilations of its process, so share only among sources of one person, and never with a cache.
   */
  readonly sharesProcesses?: boolean;
  /**
   * Concurrent compilations over all versions; defaults to 2. There are at most as many processes, or one per version.
   */
  readonly concurrency?: number;
  readonly maxQueued?: number;
  readonly idleMs?: number;
  /** Called when a result could not be remembered; the compilation still returns. */
  readonly onCacheFailure?: (error: unknown) => void;
};

export type CompileRequest = {
  /** Only compared with the offered versions, never used as a path. */
  readonly version: string;
  readonly standardJsonInput: Uint8Array;
  /** The contracts to generate bytecode for, which is much faster than all; absent for every contract. */
  readonly targets?: readonly CompileTarget[];
  /** RFC 6901 pointer of this input in the request, for its findings. Defaults to "". */
  readonly path?: string;
  /** Processor time in ms, if less than the compiler's own limit. */
  readonly limitMs?: number;
  /** Aborting kills the compilation immediately. */
  readonly signal?: AbortSignal;
};

/** A request that generates only its targets. */
export type BuildRequest = Pick<CompileRequest, 'version' | 'standardJsonInput' | 'signal'> & {
  readonly targets: readonly CompileTarget[];
};

export type CompileVerdict =
  | { readonly verdict: 'compiled'; readonly output: CompilerOutput }
  | { readonly verdict: 'failed'; readonly findings: readonly Finding[] };

/** Processor time of a call, ms. */
export type Spent = Pick<BoundedOutcome, 'costMs' | 'usedMs'>;

/** `unfinished`: the compilation needs more than the remaining budget or the time of this attempt. */
export type AllowedVerdict = Spent & (CompileVerdict | { readonly verdict: 'unfinished'; readonly by: AllowanceBound });

export type ImmutableNamesVerdict =
  | { readonly verdict: 'named'; readonly immutables: readonly ImmutableName[] }
  | Extract<CompileVerdict, { verdict: 'failed' }>;

/**
 * Reasons why an input has no build. `input`: it has a feature that the confined compiler does not accept. `errors`:
 * solc refuses the sources.
 */
export type BuildRefusal =
  | { readonly kind: 'input'; readonly findings: readonly Finding[] }
  | { readonly kind: 'errors'; readonly errors: readonly CompileErrorPlace[] }
  | { readonly kind: 'limit'; readonly limit: CompileLimit };

export type BuildVerdict =
  | { readonly verdict: 'built'; readonly output: BuildOutput }
  | { readonly verdict: 'refused'; readonly refusal: BuildRefusal };

export interface Compiler {
  /**
   * Compiles a Standard JSON input with one pinned solc in a confined process.
   *
   * A fault of the input is a verdict: `COMPILER_VERSION_UNSUPPORTED`, `COMPILER_INPUT_INVALID`, `COMPILER_ERROR` (one
   * finding an error: solc's type, code and place, never its text) and `COMPILER_LIMIT_EXCEEDED`. The bounds are of the
   * input, not of the machine: its own processor time, WebAssembly memory, stack, output size. Hitting one is a refusal
   * that a retry would repeat. A fault of the machine is a CompilerError without a verdict: a process killed from
   * outside, a minute without processor time, a full queue, or the caller's abort. `COMPILER_DEFECT` is the only one
   * that a retry cannot fix.
   */
  compile(request: CompileRequest): Promise<CompileVerdict>;
  /** Compiles as `compile` does, within an allowance. */
  compileWithin(request: CompileRequest, allowance: CompileAllowance): Promise<AllowedVerdict>;
  /**
   * Names the immutables of an input's sources, by the AST ids that a compilation of the same input writes in its
   * immutableReferences. Analyses and generates nothing. Verdicts and errors are those of `compile`.
   */
  immutableNames(request: Omit<CompileRequest, 'targets'>): Promise<ImmutableNamesVerdict & Spent>;
  /**
   * Compiles like `compile`, with storage layout, metadata and the compiler's diagnostics. It neither reads nor writes
   * remembered results, and the process runs only this job, so two builds of one input share only the machine. Bounds
   * and errors are those of `compile`.
   * @throws RangeError for a version that is not offered.
   */
  build(request: BuildRequest): Promise<BuildVerdict>;
  /** Ends every compiler process; nothing runs afterwards. */
  close(): Promise<void>;
}

const LIMIT_TEXT: Readonly<Record<CompileLimit, string>> = {
  time: 'the processor time of one compilation',
  memory: "the compiler's memory",
  stack: "the compiler's stack",
  output: 'the size of the output',
};

/** Creates a compiler without processes. The first compilation of a version starts its process, which stays warm. */
export function createCompiler(options: CompilerOptions): Compiler {
  const offered = new Map<string, PinnedCompiler>();
  for (const version of options.versions) {
    const compiler = findPinnedCompiler(version);
    if (compiler === undefined) throw new RangeError(`solc ${version} is not pinned by this build`);
    offered.set(version, compiler);
  }
  const { timeoutMs = 60_000, memoryPages = 8_192, maxOutputBytes = 32 * 1024 * 1024 } = options;
  const cache =
    options.cache ?? (options.cacheDir === undefined ? undefined : createFileCompileCache(options.cacheDir));
  const { concurrency = 2, sharesProcesses = false } = options;
  if (sharesProcesses && cache !== undefined)
    throw new RangeError('results can be remembered only from processes that served no other compilation');
  const pool = new SolcPool({
    memoryPages,
    maxOutputBytes,
    jobsPerProcess: options.jobsPerProcess ?? 32,
    concurrency,
    maxProcesses: Math.max(concurrency, offered.size),
    maxQueued: options.maxQueued ?? 32,
    idleMs: options.idleMs ?? 600_000,
  });

  const bounded = new BoundedCompilation({
    pool,
    process: sharesProcesses ? 'shared' : 'own-with-spare',
    cache,
    onCacheFailure: options.onCacheFailure,
  });

  async function run(
    { version, standardJsonInput, path = '', limitMs = timeoutMs, signal }: CompileRequest,
    purpose: CompilePurpose,
    allowance: CompileAllowance = UNBOUNDED,
  ): Promise<Run> {
    const compiler = offered.get(version);
    if (compiler === undefined) {
      return failed([finding('COMPILER_VERSION_UNSUPPORTED', path, { expected: [...offered.keys()].join(', ') })]);
    }
    const prepared = prepareStandardJson(standardJsonInput, purpose, path);
    if (!prepared.ok) return failed(prepared.findings);
    const key = cacheKey(compiler, standardJsonInput, purpose, { memoryPages, maxOutputBytes });
    const job = { compiler, input: prepared.bytes, key, limitMs: Math.min(limitMs, timeoutMs), signal };
    const { outcome, costMs, usedMs } = await bounded.run(job, allowance);
    const spent = { costMs, usedMs };
    switch (outcome.kind) {
      case 'errors':
        return failed(
          outcome.errors.map((error) => finding('COMPILER_ERROR', path, { actual: describe(error) })),
          spent,
        );
      case 'limit':
        return failed([finding('COMPILER_LIMIT_EXCEEDED', path, { actual: LIMIT_TEXT[outcome.limit] })], spent);
      case 'unfinished':
        return { verdict: 'unfinished', by: outcome.by, ...spent };
      default:
        return { verdict: 'done', compiler, outcome, ...spent };
    }
  }

  async function compileWithin(request: CompileRequest, allowance?: CompileAllowance): Promise<AllowedVerdict> {
    const ran = await run(request, { kind: 'code', targets: request.targets }, allowance);
    if (ran.verdict !== 'done') return ran;
    const { compiler, outcome, costMs, usedMs } = ran;
    if (outcome.kind !== 'compiled') throw new CompilerError('COMPILER_DEFECT', { version: request.version });
    const output = { compiler: compiler.longVersion, contracts: outcome.contracts };
    return { verdict: 'compiled', output, costMs, usedMs };
  }

  return {
    async compile(request) {
      const ran = await compileWithin(request);
      switch (ran.verdict) {
        case 'compiled':
          return { verdict: 'compiled', output: ran.output };
        case 'failed':
          return { verdict: 'failed', findings: ran.findings };
        case 'unfinished':
          throw new CompilerError('COMPILER_DEFECT', { version: request.version });
      }
    },
    compileWithin,
    async immutableNames(request) {
      const ran = await run(request, { kind: 'immutable-names' });
      if (ran.verdict === 'failed') return ran;
      if (ran.verdict === 'unfinished' || ran.outcome.kind !== 'named')
        throw new CompilerError('COMPILER_DEFECT', { version: request.version });
      const { outcome, costMs, usedMs } = ran;
      return { verdict: 'named', immutables: outcome.immutables, costMs, usedMs };
    },
    async build({ version, standardJsonInput, targets, signal }) {
      const compiler = offered.get(version);
      if (compiler === undefined) throw new RangeError(`solc ${version} is not offered`);
      const prepared = prepareStandardJson(standardJsonInput, { kind: 'build', targets }, '');
      if (!prepared.ok) return refused({ kind: 'input', findings: prepared.findings });
      const outcome = await pool.run({ compiler, input: prepared.bytes, cpuMs: timeoutMs, process: 'own', signal });
      switch (outcome.kind) {
        case 'errors':
          return refused({ kind: 'errors', errors: outcome.errors });
        case 'limit':
          return refused({ kind: 'limit', limit: outcome.limit });
        case 'built':
          return { verdict: 'built', output: { compiler: compiler.longVersion, ...builtOf(outcome) } };
        case 'compiled':
          // No target is a contract of the sources, so nothing was generated.
          return { verdict: 'built', output: { compiler: compiler.longVersion, contracts: [], diagnostics: [] } };
        case 'named':
          throw new CompilerError('COMPILER_DEFECT', { version });
      }
    },
    close: () => pool.close(),
  };
}

const refused = (refusal: BuildRefusal): BuildVerdict => ({ verdict: 'refused', refusal });

const builtOf = ({ contracts, diagnostics }: Extract<PoolOutcome, { kind: 'built' }>) => ({ contracts, diagnostics });

type Run = Spent &
  (
    | Extract<CompileVerdict, { verdict: 'failed' }>
    | { readonly verdict: 'unfinished'; readonly by: AllowanceBound }
    | {
        readonly verdict: 'done';
        readonly compiler: PinnedCompiler;
        readonly outcome: Exclude<RememberedOutcome, { kind: 'errors' | 'limit' }>;
      }
  );

function failed(
  findings: readonly Finding[],
  spent: Spent = { costMs: 0, usedMs: 0 },
): Extract<Run, { verdict: 'failed' }> {
  return { verdict: 'failed', findings, ...spent };
}

/** Formats `<type> <code> at <file>:<start>-<end>` with byte offsets; omits parts that solc did not report. */
function describe({ type, errorCode, sourceLocation }: CompileErrorPlace): string {
  const name = errorCode === null ? type : `${type} ${errorCode}`;
  if (sourceLocation === null) return name;
  const { start, end } = sourceLocation;
  const file = givenName(sourceLocation.file);
  return start < 0 ? `${name} in ${file}` : `${name} at ${file}:${start}-${end}`;
}

/**
 * Returns the digest of everything that decides an outcome, except its time: the compiler's bytes, the input's bytes,
 * the requested output, and the bounds of the process.
 */
function cacheKey(compiler: PinnedCompiler, input: Uint8Array, purpose: CompilePurpose, bounds: ProcessLimits): string {
  const parts = [
    'solc-result-v3',
    compiler.sha256,
    createHash('sha256').update(input).digest('hex'),
    JSON.stringify(outputSelectionFor(purpose)),
    `${bounds.memoryPages} ${bounds.maxOutputBytes}`,
  ];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
