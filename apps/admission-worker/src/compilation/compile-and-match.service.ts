import type { Compiler, CompilerOutput, CompileRequest, CompileTarget } from '@launch/compiler';
import { finding, type Finding, type AnyFinding } from '@launch/contracts/errors';
import { givenName } from '@launch/contracts/json';
import type { ComponentCompilation, JudgedRequest } from '@launch/contracts/launch';
import { implementedHookCallbacks, matchBytecode, type BytecodeMatchInput, type BytecodeMismatch } from '@launch/evm';
import type { JudgedLaunch } from '../families/judged-launch.js';
import { CompileSpending, type CompileLane } from './compile-spending.js';
import type { CompiledLaunch } from './compiled-launch.schema.js';

export interface CompileOutcome<Found = AnyFinding> {
  readonly findings: readonly Found[];
  readonly compiled: CompiledLaunch | null;
}

const UNITS = '/compilerVerification/compilationUnits';

/** The place in the request that declares the value of each kind of mismatch. */
const FIELDS: Readonly<Record<BytecodeMismatch['code'], string>> = {
  CREATION_BYTECODE_MISMATCH: 'creationBytecode',
  RUNTIME_BYTECODE_MISMATCH: 'expectedRuntimeCode',
  CONSTRUCTOR_ARGUMENTS_MISMATCH: 'constructorArgs',
  LIBRARY_UNLINKED: 'creationBytecode',
};

const mismatchFinding = (index: number, mismatch: BytecodeMismatch): Finding =>
  finding(mismatch.code, `/graphBundle/components/${index}/${FIELDS[mismatch.code]}`, {
    expected: mismatch.expectedLength === null ? null : `${mismatch.expectedLength} bytes as compiled`,
    actual: [
      mismatch.reason,
      mismatch.subject === null ? null : givenName(mismatch.subject),
      mismatch.offset === null ? null : `first difference at byte ${mismatch.offset}`,
      mismatch.actualLength === null ? null : `${mismatch.actualLength} bytes`,
    ]
      .filter((part) => part !== null)
      .join(', '),
  });

/** Returns the contracts to match. Only these are generated, which saves most of the compiler's work. */
function targetsOf(request: JudgedRequest, unitId: string): CompileTarget[] {
  return request.compilerVerification.components
    .filter((component) => component.target.compilationUnitId === unitId)
    .map(({ target }) => ({ path: target.path, contract: target.contract }));
}

/** A compilation unit's output, and a function that reads the names of its immutables, which only a mismatch needs. */
interface CompiledUnit {
  readonly output: CompilerOutput;
  readonly nameImmutables: () => Promise<NonNullable<BytecodeMatchInput['immutableNames']>>;
}

async function matchComponent(
  request: JudgedRequest,
  index: number,
  compilation: ComponentCompilation,
  unit: CompiledUnit,
): Promise<{ findings: Finding[]; abi: readonly unknown[] }> {
  const component = request.graphBundle.components[index];
  const { path, contract } = compilation.target;
  const compiled = unit.output.contracts.find((entry) => entry.path === path && entry.contract === contract);
  if (component === undefined || compiled === undefined) {
    return {
      findings: [
        finding('COMPILER_TARGET_MISSING', `/graphBundle/components/${index}/componentId`, {
          expected: `${contract} in ${givenName(path)}`,
        }),
      ],
      abi: [],
    };
  }
  const input: BytecodeMatchInput = {
    compiled,
    libraries: compilation.runtimeMaterialization.libraries.map((library) => ({
      ...library,
      address: library.address,
    })),
    creationBytecode: component.creationBytecode,
    constructorArgs: component.constructorArgs,
    runtimeBytecode: component.expectedRuntimeCode,
    address: component.predictedAddress,
  };
  let result = matchBytecode(input);
  if (result.mismatches.some(({ reason }) => reason === 'immutable-inconsistent')) {
    result = matchBytecode({ ...input, immutableNames: await unit.nameImmutables() });
  }
  return {
    findings: result.verdict === 'pass' ? [] : result.mismatches.map((mismatch) => mismatchFinding(index, mismatch)),
    abi: compiled.abi,
  };
}

/** Checks that a request's sources have their declared bytes and compile to the declared bytecode. */
export async function compileAndMatch(
  launch: JudgedLaunch,
  compiler: Compiler,
  lane: CompileLane,
  signal: AbortSignal,
): Promise<CompileOutcome | 'unfinished'> {
  const declared = launch.source();
  if (declared.length > 0) return { findings: declared, compiled: null };
  const outcome = await compileDeclared(launch.request, compiler, lane, signal);
  return outcome === 'unfinished'
    ? outcome
    : { findings: launch.reportedFindings(outcome.findings), compiled: outcome.compiled };
}

/**
 * Compiles every unit in order with the pinned solc that it names, and matches each component's creation bytecode,
 * constructor arguments and runtime exactly. The first exhausted limit, of a unit or of the request's budget, ends the
 * compilation.
 * @returns `unfinished` if the attempt's time ends before the budget.
 */
export async function compileDeclared(
  request: JudgedRequest,
  compiler: Compiler,
  lane: CompileLane,
  signal: AbortSignal,
): Promise<CompileOutcome<Finding> | 'unfinished'> {
  const units = new Map<string, CompiledUnit>();
  const findings: Finding[] = [];
  const spending = new CompileSpending(lane);
  for (const [index, unit] of request.compilerVerification.compilationUnits.entries()) {
    const asked: CompileRequest = {
      version: unit.compilerVersion,
      standardJsonInput: Buffer.from(unit.standardJsonInputBase64, 'base64'),
      targets: targetsOf(request, unit.compilationUnitId),
      path: `${UNITS}/${index}/standardJsonInputBase64`,
      signal,
    };
    const verdict = await compiler.compileWithin(asked, spending.left);
    spending.add(verdict);
    if (verdict.verdict === 'unfinished' && verdict.by === 'attempt') return 'unfinished';
    if (verdict.verdict === 'unfinished') {
      findings.push(budgetFinding(index, unit.compilationUnitId, lane.budgetMs));
      break;
    }
    if (verdict.verdict === 'failed') {
      findings.push(...verdict.findings);
      if (verdict.findings.some(({ code }) => code === 'COMPILER_LIMIT_EXCEEDED')) break;
    } else
      units.set(unit.compilationUnitId, {
        output: verdict.output,
        nameImmutables: once(() => namesOrNone(compiler, asked, spending)),
      });
  }
  if (findings.length > 0) return { findings, compiled: null };

  const components: CompiledLaunch['components'] = [];
  for (const [index, { componentId }] of request.graphBundle.components.entries()) {
    const compilation = request.compilerVerification.components.find((entry) => entry.componentId === componentId);
    const unit = compilation === undefined ? undefined : units.get(compilation.target.compilationUnitId);
    if (compilation === undefined || unit === undefined) {
      findings.push(
        finding('COMPILER_TARGET_MISSING', `/graphBundle/components/${index}/componentId`, {
          expected: 'a declared compilation unit',
        }),
      );
      continue;
    }
    const matched = await matchComponent(request, index, compilation, unit);
    findings.push(...matched.findings);
    components.push({ componentId, hookCallbacks: implementedHookCallbacks(matched.abi) });
  }
  return findings.length > 0
    ? { findings, compiled: null }
    : { findings: [], compiled: { schemaVersion: 'service.compiled-launch.v1', components } };
}

function budgetFinding(index: number, unitId: string, budgetMs: number): Finding {
  const seconds = budgetMs / 1_000;
  return finding('COMPILE_BUDGET_EXCEEDED', `${UNITS}/${index}`, {
    expected: `at most ${seconds} s of processor time for all compilation units together`,
    actual: `the budget ended at compilation unit ${unitId}`,
    detail: `The units up to ${unitId} need more than the ${seconds} s of processor time that a request has. Give the compiler less to do, with fewer sources, fewer targets or a cheaper optimizer, and submit a deliberate new request.`,
  });
}

/** Components of one unit share the names of its immutables. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => (asked ??= ask());
}

/** Without names a finding uses AST ids. The sources compile, so only a bound can prevent the names. */
async function namesOrNone(
  compiler: Compiler,
  asked: CompileRequest,
  spending: CompileSpending,
): ReturnType<CompiledUnit['nameImmutables']> {
  const { budgetMs, attemptMs } = spending.left;
  const limitMs = Math.min(budgetMs, attemptMs);
  if (limitMs <= 0) return [];
  const verdict = await compiler.immutableNames({ ...asked, limitMs });
  spending.add(verdict);
  return verdict.verdict === 'named' ? verdict.immutables : [];
}
