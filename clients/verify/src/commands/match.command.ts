import { finding, type Finding } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { LIMITS } from '@launch/contracts/primitives';
import { validateNames } from '@launch/contracts/validation';
import {
  CompilerError,
  createCompiler,
  PINNED_COMPILERS,
  type CompiledContract,
  type Compiler,
  type CompileVerdict,
  type ImmutableName,
} from '@launch/compiler';
import { matchBytecode, type BytecodeMatchResult, type BytecodeMismatch } from '@launch/evm';
import { verdictOf, type Verdict } from '../verdict.types.js';
import { VerifyError } from '../verify.error.js';
import { jsonFinding } from './json.finding.js';
import { matchCaseSchema, type MatchCase } from './match-case.schema.js';

/**
 * Returns a compiler with every pinned version. No process runs before the first compilation. All cases belong to the person
 * who runs the command.
 */
export const matchCompiler = (): Compiler =>
  createCompiler({ versions: PINNED_COMPILERS.map((one) => one.version), sharesProcesses: true });

/**
 * Compiles a case's sources with the pinned compiler and compares the given code with them, byte for byte.
 * @param shared A compiler for many cases, which stays open. Without it, the case starts its own.
 */
export async function verifyMatch(bytes: Uint8Array | null, shared?: Compiler): Promise<Verdict> {
  if (bytes === null)
    return verdictOf(
      'match',
      [finding('REQUEST_TOO_LARGE', '', { expected: `at most ${2 * LIMITS.requestBytes} bytes` })],
      {},
    );
  let value: JsonValue;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return verdictOf('match', [jsonFinding(error)], {});
  }
  const parsed = validateNames(matchCaseSchema, value);
  if (!parsed.ok) return verdictOf('match', parsed.findings, {});
  const compiler = shared ?? matchCompiler();
  try {
    return await matchCase(parsed.value, compiler);
  } finally {
    if (compiler !== shared) await compiler.close();
  }
}

async function matchCase(given: MatchCase, pinned: Compiler): Promise<Verdict> {
  const details = { compilerVersion: given.compilerVersion.version };
  const compiled = await compileCase(given, pinned);
  if (compiled.verdict === 'failed') return verdictOf('match', compiled.findings, details);
  const { compiler, contract, immutableNames } = compiled;
  const known = { ...details, compiler, target: given.target };
  if (contract === undefined) return verdictOf('match', [finding('COMPILER_TARGET_MISSING', '/target')], known);
  const { creationBytecode, constructorArgs, runtimeBytecode, address, immutables } = given;
  const result = matchBytecode({
    compiled: { abi: contract.abi, creation: contract.creation, runtime: contract.runtime },
    target: given.target,
    libraries: given.libraries ?? [],
    immutableNames,
    ...(creationBytecode === undefined ? {} : { creationBytecode }),
    ...(constructorArgs === undefined ? {} : { constructorArgs }),
    ...(runtimeBytecode === undefined ? {} : { runtimeBytecode }),
    ...(address === undefined ? {} : { address }),
    ...(immutables === undefined ? {} : { immutables }),
  });
  const { checked, transformations } = result;
  return verdictOf(
    'match',
    result.mismatches.map(mismatchFinding),
    { ...known, checked, transformations },
    unchecked(result),
    result.verdict,
  );
}

type CompiledCase =
  | Extract<CompileVerdict, { verdict: 'failed' }>
  | {
      readonly verdict: 'compiled';
      readonly compiler: string;
      readonly contract: CompiledContract | undefined;
      readonly immutableNames: readonly ImmutableName[];
    };

/** Compiles the target, and names its immutables if it has any. */
async function compileCase(
  { compilerVersion, standardJsonInput, target }: MatchCase,
  compiler: Compiler,
): Promise<CompiledCase> {
  const { version, commit } = compilerVersion;
  const pinned = PINNED_COMPILERS.find((one) => one.version === version);
  if (commit !== null && pinned !== undefined && pinned.commit !== commit) {
    return {
      verdict: 'failed',
      findings: [
        finding('COMPILER_VERSION_UNSUPPORTED', '/compilerVersion', {
          expected: `${version}+commit.${pinned.commit}`,
          actual: `${version}+commit.${commit}`,
        }),
      ],
    };
  }
  const input =
    typeof standardJsonInput === 'string'
      ? new TextEncoder().encode(standardJsonInput)
      : canonicalizeJson(standardJsonInput);
  const asked = { version, standardJsonInput: input, path: '/standardJsonInput' };
  try {
    const compiled = await compiler.compile({ ...asked, targets: [target] });
    if (compiled.verdict === 'failed') return compiled;
    const contract = compiled.output.contracts.find(
      ({ path, contract: name }) => path === target.path && name === target.contract,
    );
    const found = { verdict: 'compiled', compiler: compiled.output.compiler, contract } as const;
    if (contract === undefined || Object.keys(contract.runtime.immutableReferences).length === 0)
      return { ...found, immutableNames: [] };
    const named = await compiler.immutableNames(asked);
    return named.verdict === 'failed' ? named : { ...found, immutableNames: named.immutables };
  } catch (error) {
    if (error instanceof CompilerError)
      throw new VerifyError('VERIFY_COMPILER_UNAVAILABLE', `The compiler gave no verdict: ${error.code}.`);
    throw error;
  }
}

const PARTS: Readonly<Record<keyof BytecodeMatchResult['checked'], string>> = {
  creation: 'creationBytecode',
  constructorArguments: 'constructorArgs',
  runtime: 'runtimeBytecode',
  immutables: 'immutables',
};

/** Lists every absent part of the case by its name, and the rest of a partly given part. */
function unchecked({ checked, unchecked: { immutables, ownAddress } }: BytecodeMatchResult): string[] {
  const absent = (Object.keys(PARTS) as (keyof typeof PARTS)[])
    .filter((part) => !checked[part])
    .map((part) => PARTS[part]);
  return [
    ...absent,
    ...(checked.immutables ? immutables.map((name) => `immutables/${name}`) : []),
    ...(ownAddress ? ['address'] : []),
  ];
}

const POINTERS: Readonly<Record<BytecodeMismatch['code'], string>> = {
  CREATION_BYTECODE_MISMATCH: '/creationBytecode',
  RUNTIME_BYTECODE_MISMATCH: '/runtimeBytecode',
  CONSTRUCTOR_ARGUMENTS_MISMATCH: '/constructorArgs',
  LIBRARY_UNLINKED: '/libraries',
};

function mismatchFinding({ code, reason, offset, expectedLength, actualLength, subject }: BytecodeMismatch): Finding {
  const described = [reason, subject, offset === null ? null : `first at byte ${offset}`]
    .filter((part) => part !== null)
    .join(', ');
  return finding(code, POINTERS[code], {
    actual: actualLength === null ? described : `${described}, ${actualLength} bytes`,
    expected: expectedLength === null ? null : `${expectedLength} bytes`,
  });
}
