import { hexToBytes } from 'viem/utils';
import { isHex, type Hex, lowerHex } from '../encoding/hex.js';
import type {
  BytecodeMatchInput,
  BytecodeMatchResult,
  BytecodeMismatch,
  BytecodeMismatchCode,
  CodeTransformation,
} from './bytecode-match.types.js';
import { argumentsAreConfirmed } from './confirmed-arguments.js';
import { constructorArgumentsFault } from './constructor-arguments.js';
import { immutableKeysAreKnown, matchImmutables, uncomparedImmutables } from './immutable-values.js';
import { linkCode, libraryFaults, rangesAreUsable } from './library-linking.js';
import { mismatch } from './mismatch.js';
import { matchOwnAddress, ownAddressRanges } from './own-address.js';

/** The most mismatches that a result lists. */
export const MAX_LISTED_MISMATCHES = 32;

/**
 * Matches given bytecode against compiled bytecode, byte for byte.
 *
 * Creation bytecode must be exact. Constructor arguments must be the canonical encoding for the constructor; they count
 * as checked only if immutables of the runtime confirm each of them. The runtime must be exact except in three places:
 * linked libraries take their declared addresses; an immutable takes any value that is the same at all of its offsets;
 * a library's own address is the given one. Metadata is treated as code, without tolerance. A contract without code (an
 * interface or an abstract contract) matches nothing.
 */
export function matchBytecode(input: BytecodeMatchInput): BytecodeMatchResult {
  const mismatches: BytecodeMismatch[] = [];
  const transformations: CodeTransformation[] = [];
  const { creationBytecode, constructorArgs, runtimeBytecode, immutables } = input;
  const given = {
    creation: creationBytecode !== undefined,
    constructorArguments: constructorArgs !== undefined,
    runtime: runtimeBytecode !== undefined,
    immutables: runtimeBytecode !== undefined && immutables !== undefined,
  };

  let compared: ReadonlySet<string> = new Set();
  const deployable = input.compiled.creation.object !== '0x';
  if (!deployable) mismatches.push(...notDeployable(given));
  const linkable = libraryFaults(input, given, mismatches) && deployable;
  if (creationBytecode !== undefined && linkable) matchCreation(input, creationBytecode, transformations, mismatches);
  if (constructorArgs !== undefined && deployable) matchArguments(input, constructorArgs, transformations, mismatches);
  if (runtimeBytecode !== undefined && linkable)
    compared = matchRuntime(input, runtimeBytecode, transformations, mismatches);

  const checked = {
    ...given,
    constructorArguments:
      constructorArgs !== undefined && argumentsAreChecked(input, constructorArgs, transformations, mismatches),
  };
  const anything = checked.creation || checked.constructorArguments || checked.runtime;
  const verdict = mismatches.length > 0 ? 'fail' : anything ? 'pass' : 'indeterminate';
  const unchecked = {
    immutables: checked.runtime ? uncomparedImmutables(input, compared) : [],
    ownAddress: checked.runtime && input.address === undefined && ownAddressRanges(input.compiled).length > 0,
  };
  return { verdict, checked, unchecked, transformations, mismatches: mismatches.slice(0, MAX_LISTED_MISMATCHES) };
}

/** Reports whether the arguments were found wrong, or whether a matching runtime confirms them. */
function argumentsAreChecked(
  input: BytecodeMatchInput,
  args: Hex,
  transformations: readonly CodeTransformation[],
  mismatches: readonly BytecodeMismatch[],
): boolean {
  if (mismatches.some(({ code }) => code === 'CONSTRUCTOR_ARGUMENTS_MISMATCH')) return true;
  if (mismatches.length > 0) return false;
  return argumentsAreConfirmed(input, args, transformations);
}

/** A contract without code cannot have been deployed, so each given part is wrong. */
function notDeployable(checked: BytecodeMatchResult['checked']): BytecodeMismatch[] {
  return [
    ...(checked.creation ? [mismatch('CREATION_BYTECODE_MISMATCH', 'not-deployable')] : []),
    ...(checked.constructorArguments ? [mismatch('CONSTRUCTOR_ARGUMENTS_MISMATCH', 'not-deployable')] : []),
    ...(checked.runtime ? [mismatch('RUNTIME_BYTECODE_MISMATCH', 'not-deployable')] : []),
  ];
}

function matchCreation(
  input: BytecodeMatchInput,
  given: Hex,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): void {
  const code = 'CREATION_BYTECODE_MISMATCH';
  const actual = bytesOf(given, code, mismatches);
  const expected = linkCode(input, 'creation', transformations);
  if (expected === null) mismatches.push(mismatch(code, 'reference-invalid'));
  else if (actual !== null) compareCode(code, expected, actual, mismatches);
}

/** Returns the AST ids of the immutables whose value was compared. */
function matchRuntime(
  input: BytecodeMatchInput,
  given: Hex,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): ReadonlySet<string> {
  const code = 'RUNTIME_BYTECODE_MISMATCH';
  const actual = bytesOf(given, code, mismatches);
  const expected = linkCode(input, 'runtime', transformations);
  const { immutableReferences, linkReferences } = input.compiled.runtime;
  const ranges = [
    ...Object.values(immutableReferences),
    ...Object.values(linkReferences).flatMap((libraries) => Object.values(libraries)),
  ];
  let compared: ReadonlySet<string> = new Set();
  if (expected === null || !immutableKeysAreKnown(input) || !rangesAreUsable(ranges.flat(), expected.length)) {
    mismatches.push(mismatch(code, 'reference-invalid'));
    return compared;
  }
  if (actual === null) return compared;
  if (actual.length === expected.length) {
    matchOwnAddress(input, expected, actual, transformations, mismatches);
    compared = matchImmutables(input, expected, actual, transformations, mismatches);
  }
  compareCode(code, expected, actual, mismatches);
  return compared;
}

function matchArguments(
  input: BytecodeMatchInput,
  given: Hex,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): void {
  const code = 'CONSTRUCTOR_ARGUMENTS_MISMATCH';
  const actual = bytesOf(given, code, mismatches);
  if (actual === null) return;
  const fault = constructorArgumentsFault(input.compiled.abi, given);
  if (fault !== null) mismatches.push(mismatch(code, fault, { actualLength: actual.length }));
  else if (actual.length > 0) {
    const offset = input.compiled.creation.object.length / 2 - 1;
    transformations.push({ kind: 'constructor-arguments', offset, value: lowerHex(given) });
  }
}

function bytesOf(hex: Hex, code: BytecodeMismatchCode, mismatches: BytecodeMismatch[]): Uint8Array | null {
  if (isHex(hex)) return hexToBytes(hex);
  mismatches.push(mismatch(code, 'not-hex'));
  return null;
}

function compareCode(
  code: BytecodeMismatchCode,
  expected: Uint8Array,
  actual: Uint8Array,
  mismatches: BytecodeMismatch[],
): void {
  const shorter = Math.min(expected.length, actual.length);
  let offset = 0;
  while (offset < shorter && expected[offset] === actual[offset]) offset += 1;
  if (offset === expected.length && offset === actual.length) return;
  const reason = expected.length === actual.length ? 'bytes' : 'length';
  mismatches.push(mismatch(code, reason, { offset, expectedLength: expected.length, actualLength: actual.length }));
}
