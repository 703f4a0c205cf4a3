import { hexToBytes } from 'viem/utils';
import { isHex, lowerHex } from '../encoding/hex.js';
import type {
  BytecodeMatchInput,
  BytecodeMatchResult,
  BytecodeMismatch,
  CodeRange,
  CodeTransformation,
  LinkReferences,
} from './bytecode-match.types.js';
import { mismatch } from './mismatch.js';

const ADDRESS_BYTES = 20;

/**
 * Reports libraries that are referenced without a declared address, declared twice, declared with an invalid address or
 * declared without a reference. Returns whether the code can be linked at all.
 */
export function libraryFaults(
  input: BytecodeMatchInput,
  checked: BytecodeMatchResult['checked'],
  mismatches: BytecodeMismatch[],
): boolean {
  const { creation, runtime } = input.compiled;
  const referenced = new Set([...librariesOf(creation.linkReferences), ...librariesOf(runtime.linkReferences)]);
  const needed = new Set([
    ...(checked.creation ? librariesOf(creation.linkReferences) : []),
    ...(checked.runtime ? librariesOf(runtime.linkReferences) : []),
  ]);
  const before = mismatches.length;
  const declared = new Set<string>();
  for (const { path, name, address } of input.libraries) {
    const library = `${path}:${name}`;
    const fault = declared.has(library)
      ? 'library-declared-twice'
      : !isHex(address, ADDRESS_BYTES)
        ? 'library-address-invalid'
        : !referenced.has(library)
          ? 'library-unreferenced'
          : null;
    if (fault !== null) mismatches.push(mismatch('LIBRARY_UNLINKED', fault, { subject: library }));
    declared.add(library);
  }
  for (const library of needed) {
    if (!declared.has(library))
      mismatches.push(mismatch('LIBRARY_UNLINKED', 'library-undeclared', { subject: library }));
  }
  return mismatches.length === before;
}

/** Returns the compiled code with its libraries linked, or `null` if a reference does not fit the code. */
export function linkCode(
  input: BytecodeMatchInput,
  part: 'creation' | 'runtime',
  transformations: CodeTransformation[],
): Uint8Array | null {
  const { object, linkReferences } = input.compiled[part];
  if (!isHex(object)) return null;
  const code = hexToBytes(object);
  const addresses = new Map(input.libraries.map(({ path, name, address }) => [`${path}:${name}`, lowerHex(address)]));
  for (const [path, libraries] of Object.entries(linkReferences)) {
    for (const [name, ranges] of Object.entries(libraries)) {
      const library = `${path}:${name}`;
      const address = addresses.get(library);
      if (
        address === undefined ||
        !rangesAreUsable(ranges, code.length) ||
        ranges.some(({ length }) => length !== ADDRESS_BYTES)
      )
        return null;
      const bytes = hexToBytes(address);
      for (const { start } of ranges) code.set(bytes, start);
      transformations.push({ kind: 'library', part, library, address, offsets: ranges.map(({ start }) => start) });
    }
  }
  return code;
}

/** Reports whether ranges lie inside a code of that length and do not overlap. */
export function rangesAreUsable(ranges: readonly CodeRange[], codeLength: number): boolean {
  const sorted = [...ranges].sort((left, right) => left.start - right.start);
  let free = 0;
  for (const { start, length } of sorted) {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length) || start < free || length < 1) return false;
    free = start + length;
  }
  return free <= codeLength;
}

function librariesOf(references: LinkReferences): string[] {
  return Object.entries(references).flatMap(([path, libraries]) =>
    Object.keys(libraries).map((name) => `${path}:${name}`),
  );
}
