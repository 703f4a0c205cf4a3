/** Consecutive opcodes that are hashed together. */
const SHINGLE = 8;
/** Hashes that a sketch keeps. */
const SKETCH = 256;
/** A contract with fewer hashes is too small for a comparison. */
const SMALLEST = 24;

/**
 * Returns a sketch of a runtime for comparing contracts: the smallest 32-bit hashes (FNV-1a) of every eight consecutive
 * opcodes, ascending. Immediates do not count, so other constants and names leave the sketch unchanged.
 */
export function codeFingerprint(runtime: Uint8Array): number[] {
  const opcodes: number[] = [];
  const end = runtime.length - metadataBytes(runtime);
  for (let at = 0; at < end; at += 1) {
    const opcode = runtime[at]!;
    opcodes.push(opcode);
    if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
  }
  const hashes = new Set<number>();
  for (let from = 0; from + SHINGLE <= opcodes.length; from += 1) {
    let hash = 0x811c9dc5;
    for (let index = from; index < from + SHINGLE; index += 1) hash = Math.imul(hash ^ opcodes[index]!, 0x01000193);
    hashes.add(hash >>> 0);
  }
  return [...hashes].sort((a, b) => a - b).slice(0, SKETCH);
}

/**
 * Returns the length of solc's CBOR trailer, which contains a hash of the sources. The last two bytes give its length.
 */
function metadataBytes(runtime: Uint8Array): number {
  const length = runtime.length < 2 ? 0 : runtime.at(-2)! * 256 + runtime.at(-1)! + 2;
  // A map of one to four members.
  const first = runtime[runtime.length - length];
  return length > 2 && first !== undefined && first >= 0xa1 && first <= 0xa4 ? length : 0;
}

/**
 * Returns the similarity of two contracts, 0 to 1: the share of common hashes among the smallest of both (Broder's
 * min-wise estimate).
 */
export function similarity(a: readonly number[], b: readonly number[]): number {
  if (a.length < SMALLEST || b.length < SMALLEST) return 0;
  const size = Math.min(SKETCH, Math.max(a.length, b.length));
  let [inA, inB, seen, common] = [0, 0, 0, 0];
  // Both are ascending, so the loop meets the smallest hashes of the union in order.
  for (; seen < size && (inA < a.length || inB < b.length); seen += 1) {
    const [hashA, hashB] = [a[inA] ?? Infinity, b[inB] ?? Infinity];
    if (hashA === hashB) common += 1;
    if (hashA <= hashB) inA += 1;
    if (hashB <= hashA) inB += 1;
  }
  return common / seen;
}
