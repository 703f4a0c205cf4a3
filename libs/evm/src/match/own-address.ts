import { bytesToHex } from 'viem/utils';
import { isHex, type Hex, lowerHex } from '../encoding/hex.js';
import type {
  BytecodeMatchInput,
  BytecodeMismatch,
  CodeRange,
  CodeTransformation,
  CompiledCode,
} from './bytecode-match.types.js';
import { mismatch } from './mismatch.js';

const CODE = 'RUNTIME_BYTECODE_MISMATCH';
const ADDRESS_BYTES = 20;

/** The key that solc's IR uses in immutableReferences for a word that holds the library's own address. */
export const OWN_ADDRESS_KEY = 'library_deploy_address';

/**
 * `PUSH20 0 ADDRESS EQ`, the prologue of every library from solc's legacy code generation: the creation code writes the
 * library's own address over the zeros. No other code begins this way, because solc pushes the number zero in one or
 * two bytes.
 */
const CALL_PROTECTION = `0x73${'00'.repeat(ADDRESS_BYTES)}3014`;
const CALL_PROTECTION_ADDRESS: CodeRange = { start: 1, length: ADDRESS_BYTES };

/**
 * Returns the positions of the library's own address in its runtime, which the deployment fills in and the template
 * leaves zero. The library uses it to distinguish a call from a DELEGATECALL. Empty for a contract that is not a
 * library.
 */
export function ownAddressRanges({ runtime }: CompiledCode): readonly CodeRange[] {
  const inIr = runtime.immutableReferences[OWN_ADDRESS_KEY];
  if (inIr !== undefined) return inIr;
  const linked = Object.values(runtime.linkReferences).flatMap((byName) => Object.values(byName).flat());
  const protectedByPush =
    runtime.object.startsWith(CALL_PROTECTION) && linked.every(({ start }) => start !== CALL_PROTECTION_ADDRESS.start);
  return protectedByPush ? [CALL_PROTECTION_ADDRESS] : [];
}

/**
 * Fills a library's own address into `expected` and compares `actual` with it. That is the given address or, without
 * one, any nonzero address that is the same in all places. Both codes have the same length and contain every range.
 */
export function matchOwnAddress(
  input: BytecodeMatchInput,
  expected: Uint8Array,
  actual: Uint8Array,
  transformations: CodeTransformation[],
  mismatches: BytecodeMismatch[],
): void {
  const ranges = ownAddressRanges(input.compiled);
  const [first] = ranges;
  if (first === undefined) return;
  const address = input.address === undefined ? addressAt(actual, first) : addressOf(input.address);
  for (const range of ranges) {
    const found = addressAt(actual, range);
    if (address === null || found !== address) mismatches.push(mismatch(CODE, 'own-address', { offset: range.start }));
    expected.set(actual.subarray(range.start, range.start + range.length), range.start);
  }
  if (address !== null)
    transformations.push({ kind: 'own-address', address, offsets: ranges.map(({ start }) => start) });
}

const addressOf = (given: Hex): Hex | null => (isHex(given, ADDRESS_BYTES) ? lowerHex(given) : null);

/**
 * Returns the address in a range, or `null` if there is none: no contract has address zero, and a word pads its address
 * with zeros.
 */
function addressAt(code: Uint8Array, { start, length }: CodeRange): Hex | null {
  const value = code.subarray(start, start + length);
  const padding = value.subarray(0, Math.max(0, length - ADDRESS_BYTES));
  const address = value.subarray(padding.length);
  return address.length === ADDRESS_BYTES && padding.every((byte) => byte === 0) && address.some((byte) => byte !== 0)
    ? bytesToHex(address)
    : null;
}
