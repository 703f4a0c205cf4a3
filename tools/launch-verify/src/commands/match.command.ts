import { finding, LIMITS, validate, type Finding } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { CompilerError, createCompiler, PINNED_COMPILER_VERSIONS, type CompileVerdict } from '@launch/compiler';
import { matchBytecode, type BytecodeMatchResult, type BytecodeMismatch } from '@launch/evm';
import { verdictOf, type Verdict } from '../verdict.types.js';
import { VerifyError } from '../verify.error.js';
import { jsonFinding } from './json.finding.js';
import { matchCaseSchema, type MatchCase } from './match-case.schema.js';

/** Compiles a case's sources with the pinned compiler and holds the given code against them, byte for byte. */
export async function verifyMatch(bytes: Uint8Array | null): Promise<Verdict> {
  if (bytes === null) return verdictOf('match', [finding('REQUEST_TOO_LARGE', '', { expected: `at most ${2 * LIMITS.requestBytes} bytes` })], {});
  let value: JsonValue;
  try {
    value = parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return verdictOf('match', [jsonFinding(error)], {});
  }
  const parsed = validate<MatchCase>(matchCaseSchema as never, value);
  return parsed.ok ? matchCase(parsed.value) : verdictOf('match', parsed.findings, {});
}

async function matchCase(given: MatchCase): Promise<Verdict> {
  const compiled = await compileCase(given);
  if (compiled.verdict === 'failed') return verdictOf('match', compiled.findings, { compilerVersion: given.compilerVersion });
  const { output } = compiled;
  const details = { compilerVersion: given.compilerVersion, compiler: output.compiler, target: given.target };
  const contract = output.contracts.find(({ path, contract: name }) => path === given.target.path && name === given.target.contract);
  if (contract === undefined) return verdictOf('match', [finding('COMPILER_TARGET_MISSING', '/target')], details);
  const result = matchBytecode({
    compiled: { abi: contract.abi, creation: contract.creation, runtime: contract.runtime },
    libraries: given.libraries ?? [],
    immutableNames: output.immutables,
    ...(given.creationBytecode === undefined ? {} : { creationBytecode: given.creationBytecode }),
    ...(given.constructorArgs === undefined ? {} : { constructorArgs: given.constructorArgs }),
    ...(given.runtimeBytecode === undefined ? {} : { runtimeBytecode: given.runtimeBytecode }),
    ...(given.immutables === undefined ? {} : { immutables: given.immutables }),
  });
  const { checked, transformations } = result;
  return verdictOf('match', result.mismatches.map(mismatchFinding), { ...details, checked, transformations }, unchecked(checked), result.verdict);
}

async function compileCase({ compilerVersion, standardJsonInput, target }: MatchCase): Promise<CompileVerdict> {
  const input = typeof standardJsonInput === 'string' ? new TextEncoder().encode(standardJsonInput) : canonicalizeJson(standardJsonInput);
  const compiler = createCompiler({ versions: [...PINNED_COMPILER_VERSIONS] });
  try {
    return await compiler.compile({ version: compilerVersion, standardJsonInput: input, targets: [target], path: '/standardJsonInput' });
  } catch (error) {
    if (error instanceof CompilerError) throw new VerifyError('VERIFY_COMPILER_UNAVAILABLE', `The compiler gave no verdict: ${error.code}.`);
    throw error;
  } finally {
    await compiler.close();
  }
}

const PARTS: Readonly<Record<keyof BytecodeMatchResult['checked'], string>> = {
  creation: 'creationBytecode',
  constructorArguments: 'constructorArgs',
  runtime: 'runtimeBytecode',
  immutables: 'immutables',
};

/** Every part of the case that was absent, by its name there. */
const unchecked = (checked: BytecodeMatchResult['checked']): string[] =>
  (Object.keys(PARTS) as (keyof typeof PARTS)[]).filter((part) => !checked[part]).map((part) => PARTS[part]);

const POINTERS: Readonly<Record<BytecodeMismatch['code'], string>> = {
  CREATION_BYTECODE_MISMATCH: '/creationBytecode',
  RUNTIME_BYTECODE_MISMATCH: '/runtimeBytecode',
  CONSTRUCTOR_ARGUMENTS_MISMATCH: '/constructorArgs',
  LIBRARY_UNLINKED: '/libraries',
};

function mismatchFinding({ code, reason, offset, expectedLength, actualLength, subject }: BytecodeMismatch): Finding {
  const told = [reason, subject, offset === null ? null : `first at byte ${offset}`].filter((part) => part !== null).join(', ');
  return finding(code, POINTERS[code], {
    actual: actualLength === null ? told : `${told}, ${actualLength} bytes`,
    expected: expectedLength === null ? null : `${expectedLength} bytes`,
  });
}
