import { bytesToHex } from 'viem/utils';
import { isHex } from '../encoding/hex.js';
import type { BytecodeMatchInput, BytecodeMismatch, CodeRange, CodeTransformation } from './bytecode-match.types.js';
import { mismatch } from './mismatch.js';
import { OWN_ADDRESS_KEY } from './own-address.js';

const CODE = 'RUNTIME_BYTECODE_MISMATCH';

/** Reports whether every reference belongs to an immutable, by AST id, or to a library's own address. */
export function immutableKeysAreKnown({ compiled }: BytecodeMatchInput): boolean {
  return Object.keys(compiled.runtime.immutableReferences).every((key) => key === OWN_ADDRESS_KEY || /^\d+$/.test(key));
}

/**
 * Fills each immutable of `expected` with the value that `actual` holds at its first offset. All other offsets of the
 * same immutable must hold the same value, and a declared value must equal it. Both codes have the same length and
 * contain every range. Returns the AST ids of the immutables whose value was compared.
 */
export function matchImmutables(
  input: BytecodeMatchInput,
  expected: Uint8Array,
  actual: Uint8Array,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): ReadonlySet<string> {
  const names = namesOf(input);
  const found = new Map<string, { readonly hex: string; readonly offset: number }>();
  for (const [astId, ranges] of immutablesOf(input)) {
    const [first, ...others] = ranges;
    const name = names.get(astId) ?? null;
    const value = actual.slice(first.start, first.start + first.length);
    expected.set(value, first.start);
    for (const range of others) {
      const other = actual.subarray(range.start, range.start + range.length);
      if (!sameBytes(other, value)) {
        mismatches.push(mismatch(CODE, 'immutable-inconsistent', { offset: range.start, subject: name ?? astId }));
      }
      expected.set(other, range.start);
    }
    const hex = bytesToHex(value);
    found.set(astId, { hex, offset: first.start });
    transformations.push({ kind: 'immutable', astId, name, value: hex, offsets: ranges.map(({ start }) => start) });
  }
  const compared = new Set<string>();
  for (const [key, declared] of Object.entries(input.immutables ?? {})) {
    const [only, ...more] = [...found].filter(([astId]) => astId === key || names.get(astId) === key);
    if (only === undefined) mismatches.push(mismatch(CODE, 'immutable-unknown', { subject: key }));
    else if (more.length > 0) mismatches.push(mismatch(CODE, 'immutable-ambiguous', { subject: key }));
    else {
      const [astId, { hex, offset }] = only;
      compared.add(astId);
      if (!isHex(declared) || hex !== declared.toLowerCase())
        mismatches.push(mismatch(CODE, 'immutable-value', { offset, subject: key }));
    }
  }
  return compared;
}

/**
 * Returns the immutables of the code that were not compared: by name, or by AST id if several immutables share the
 * name.
 */
export function uncomparedImmutables(input: BytecodeMatchInput, compared: ReadonlySet<string>): string[] {
  const names = namesOf(input);
  const immutables = immutablesOf(input);
  const labels = immutables.map(([astId]) => names.get(astId) ?? astId);
  return immutables.flatMap(([astId], index) => {
    if (compared.has(astId)) return [];
    const name = labels[index]!;
    return [labels.indexOf(name) === labels.lastIndexOf(name) ? name : astId];
  });
}

function immutablesOf({
  compiled,
}: BytecodeMatchInput): [astId: string, ranges: readonly [CodeRange, ...CodeRange[]]][] {
  return Object.entries(compiled.runtime.immutableReferences).flatMap(([astId, [first, ...others]]) =>
    astId === OWN_ADDRESS_KEY || first === undefined ? [] : [[astId, [first, ...others]]],
  );
}

const namesOf = ({ immutableNames }: BytecodeMatchInput): ReadonlyMap<string, string> =>
  new Map((immutableNames ?? []).map(({ astId, name }) => [String(astId), name]));

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
