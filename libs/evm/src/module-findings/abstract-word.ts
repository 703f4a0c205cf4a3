/**
 * A word of the machine as far as it is known: a constant, or its dependency on the caller. `derived`: it is computed
 * from CALLER. `perhaps`: it may be, through another contract or through memory at an unknown offset.
 */
export type Word = bigint | 'unknown' | 'derived' | 'perhaps';

const MASK = (1n << 256n) - 1n;
const SIGN = 1n << 255n;
const signed = (word: bigint): bigint => (word >= SIGN ? word - (MASK + 1n) : word);
const truth = (holds: boolean): bigint => (holds ? 1n : 0n);

type Binary = (a: bigint, b: bigint) => bigint;

/** Instructions of two words; the first is the top of the stack. */
const BINARY: ReadonlyMap<number, Binary> = new Map<number, Binary>([
  [0x01, (a, b) => a + b],
  [0x02, (a, b) => a * b],
  [0x03, (a, b) => a - b],
  [0x04, (a, b) => (b === 0n ? 0n : a / b)],
  [0x06, (a, b) => (b === 0n ? 0n : a % b)],
  [0x10, (a, b) => truth(a < b)],
  [0x11, (a, b) => truth(a > b)],
  [0x12, (a, b) => truth(signed(a) < signed(b))],
  [0x13, (a, b) => truth(signed(a) > signed(b))],
  [0x14, (a, b) => truth(a === b)],
  [0x16, (a, b) => a & b],
  [0x17, (a, b) => a | b],
  [0x18, (a, b) => a ^ b],
  [0x1b, (a, b) => (a > 255n ? 0n : b << a)],
  [0x1c, (a, b) => (a > 255n ? 0n : b >> a)],
]);
const ISZERO = 0x15;
const NOT = 0x19;

/**
 * Returns the knowledge about a word that is computed from these: a dependency on the caller outweighs an unknown
 * value.
 */
export function mix(words: readonly Word[]): Word {
  if (words.includes('derived')) return 'derived';
  return words.includes('perhaps') ? 'perhaps' : 'unknown';
}

/** Returns the result of a computing instruction over its operands from the top of the stack. */
export function compute(opcode: number, operands: readonly Word[]): Word {
  const [a, b] = operands;
  if (typeof a === 'bigint') {
    if (opcode === ISZERO) return truth(a === 0n);
    if (opcode === NOT) return ~a & MASK;
    const binary = typeof b === 'bigint' ? BINARY.get(opcode) : undefined;
    if (binary !== undefined) return binary(a, b as bigint) & MASK;
  }
  return mix(operands);
}
