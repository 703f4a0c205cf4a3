import { bytesToHex } from 'viem/utils';
import { isHex } from '../encoding/hex.js';
import type { BytecodeMatchInput, BytecodeMismatch, CodeTransformation } from './bytecode-match.types.js';
import { mismatch } from './mismatch.js';

const CODE = 'RUNTIME_BYTECODE_MISMATCH';

/**
 * Fills each immutable of `expected` with the value that `actual` holds at its first offset. Other offsets of
 * the same immutable must hold the same value, and a declared value must be the one found.
 * Both codes have one length, and every range lies inside it.
 */
export function matchImmutables(
  input: BytecodeMatchInput,
  expected: Uint8Array,
  actual: Uint8Array,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): void {
  const names = new Map((input.immutableNames ?? []).map(({ astId, name }) => [String(astId), name]));
  const found = new Map<string, string>();
  for (const [astId, ranges] of Object.entries(input.compiled.runtime.immutableReferences)) {
    const [first, ...others] = ranges;
    if (first === undefined) continue;
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
    found.set(astId, hex);
    transformations.push({ kind: 'immutable', astId, name, value: hex, offsets: ranges.map(({ start }) => start) });
  }
  for (const [key, declared] of Object.entries(input.immutables ?? {})) {
    const ids = [...found.keys()].filter((astId) => astId === key || names.get(astId) === key);
    const [id] = ids;
    if (id === undefined) mismatches.push(mismatch(CODE, 'immutable-unknown', { subject: key }));
    else if (ids.length > 1) mismatches.push(mismatch(CODE, 'immutable-ambiguous', { subject: key }));
    else if (!isHex(declared) || found.get(id) !== declared.toLowerCase()) {
      const offset = input.compiled.runtime.immutableReferences[id]![0]!.start;
      mismatches.push(mismatch(CODE, 'immutable-value', { offset, subject: key }));
    }
  }
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
