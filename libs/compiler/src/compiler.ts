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
  /** Versions this deployment offers, of the pinned ones; an unpinned one throws a RangeError at once. */
  readonly versions: readonly string[];
  /** Folder for remembered results, or a cache of one's own; neither: nothing is remembered. */
  readonly cacheDir?: string;
  readonly cache?: CompileCache;
  /** Processor time of one compilation, ms. Default 60,000. */
  readonly timeoutMs?: number;
  /** WebAssembly memory in pages of 64 KiB. Default 8,192: 512 MiB. */
  readonly memoryPages?: number;
  readonly maxOutputBytes?: number;
  readonly jobsPerProcess?: number;
  /**
   * Lets compilations share warm processes; default false: each has a process that served no other. A hostile source may
   * harm a process for those that follow, so only for the sources of one person, and never with a cache.
   */
  readonly sharesProcesses?: boolean;
  /** Compilations at once, of one version or of several. Default 2. Processes are no more than that or one a version. */
  readonly concurrency?: number;
  readonly maxQueued?: number;
  readonly idleMs?: number;
  /** Told when a result could not be remembered; the compilation itself is answered. */
  readonly onCacheFailure?: (error: unknown) => void;
};

export type CompileRequest = {
  /** Compared with the offered versions, never used as a path. */
  readonly version: string;
  readonly standardJsonInput: Uint8Array;
  /** Only these contracts' bytecode is generated (much faster); every contract when absent. */
  readonly targets?: readonly CompileTarget[];
  /** RFC 6901 pointer into the request that findings of this input carry. Default "". */
  readonly path?: string;
  /** Processor time, ms, where it is less than the compiler's own limit. */
  readonly limitMs?: number;
  /** Aborting kills the compilation at once. */
  readonly signal?: AbortSignal;
};

/** A request whose targets are all of what is to be generated. */
export type BuildRequest = Pick<CompileRequest, 'version' | 'standardJsonInput' | 'signal'> & {
  readonly targets: readonly CompileTarget[];
};

export type CompileVerdict =
  | { readonly verdict: 'compiled'; readonly output: CompilerOutput }
  | { readonly verdict: 'failed'; readonly findings: readonly Finding[] };

/** Processor time of a call, ms. */
export type Spent = Pick<BoundedOutcome, 'costMs' | 'usedMs'>;

/** `unfinished`: the compilation needs more than what is left of the budget, or more than this attempt may use. */
export type AllowedVerdict = Spent & (CompileVerdict | { readonly verdict: 'unfinished'; readonly by: AllowanceBound });

export type ImmutableNamesVerdict =
  | { readonly verdict: 'named'; readonly immutables: readonly ImmutableName[] }
  | Extract<CompileVerdict, { verdict: 'failed' }>;

/** Why an input gave no build. `input`: it has what the box does not accept. `errors`: solc refuses the sources. */
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
   * What the input did wrong is a verdict: `COMPILER_VERSION_UNSUPPORTED`, `COMPILER_INPUT_INVALID`, `COMPILER_ERROR`
   * (one finding an error: solc's type, code and place, never its text) and `COMPILER_LIMIT_EXCEEDED`. The bounds are
   * of the input, not of the machine: its own processor time, WebAssembly memory, stack, output size. Hitting one is a
   * refusal that a retry would only repeat. What the machine did is a CompilerError and no verdict. Such are a process
   * killed from outside, no processor time used for a minute, a full queue, and the caller's abort. So is
   * `COMPILER_DEFECT`, the one that trying again cannot mend.
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
   * Compiles as `compile` does, with storage layout, metadata and what the compiler says beside it. Nothing is remembered
   * or taken from what is, and the process has this one job: two builds of one input share nothing but the machine.
   * Bounds and errors are those of `compile`.
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

/** Starts no process yet: each version's is started by its first compilation, and kept warm. */
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
    throw new RangeError('a result is remembered only of a process that served no other compilation');
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
          // No target is a contract of the sources: nothing was generated.
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

/** `<type> <code> at <file>:<start>-<end>`, byte offsets; what solc did not say is left out. */
function describe({ type, errorCode, sourceLocation }: CompileErrorPlace): string {
  const name = errorCode === null ? type : `${type} ${errorCode}`;
  if (sourceLocation === null) return name;
  const { start, end } = sourceLocation;
  const file = givenName(sourceLocation.file);
  return start < 0 ? `${name} in ${file}` : `${name} at ${file}:${start}-${end}`;
}

/** Everything that decides an outcome but its time: the compiler's own bytes, the input's bytes, what we ask for, and the bounds of its process. */
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
