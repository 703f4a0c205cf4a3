/**
 * A WebAssembly module that looks for a CREATE2 salt. Counter, keccak-f[1600] and comparison are one loop, so that a
 * try costs no call between the two worlds. Written here instruction by instruction: nothing is compiled or fetched.
 *
 * Exports `memory` and `mine(from: u32, to: u32): u32`, the first counter of [from, to) that fits, or `NOT_FOUND`.
 * Memory at 0: the padded 136-byte block with a zero counter. At 136 the wanted 16 bits, at 144 their mask, each as a
 * 64-bit word; at 256 the round constants.
 */
export const MEMORY_BYTES = 256;
export const NOT_FOUND = 0xffff_ffff;
export const BLOCK_BYTES = 136;
export const WANTED_AT = 136;
export const MASK_AT = 144;
const CONSTANTS_AT = MEMORY_BYTES;
/** Bytes 49 to 52 of the preimage, big-endian: bits 8 to 39 of lane 6. */
const COUNTER_LANE = 6;
/** The last two bytes of the digest, the address's last two, are bits 48 to 63 of lane 3. */
const ADDRESS_LANE = 3;
const LANES = 25;
const BLOCK_LANES = BLOCK_BYTES / 8;

/** Rotation of each lane in rho, by lane (x + 5y). */
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14];
/** Where pi moves a lane: from (x, y) to (y, 2x + 3y). */
const piTarget = (lane: number): number => Math.floor(lane / 5) + 5 * ((2 * (lane % 5) + 3 * Math.floor(lane / 5)) % 5);

/** The round constants, from keccak's own shift register. */
function roundConstants(): bigint[] {
  let register = 1;
  const bit = (): bigint => {
    const out = BigInt(register & 1);
    register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    return out;
  };
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let power = 0; power <= 6; power += 1) constant |= bit() << (2n ** BigInt(power) - 1n);
    return constant;
  });
}

type Code = readonly number[];
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
/** Signed LEB128 of a 32-bit value. */
const signed = (value: number): number[] => {
  const rest = value >> 7;
  const done = (rest === 0 && (value & 0x40) === 0) || (rest === -1 && (value & 0x40) !== 0);
  return done ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(rest)];
};
const sized = (bytes: Code): number[] => [...unsigned(bytes.length), ...bytes];
const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const section = (id: number, bytes: Code): number[] => [id, ...sized(bytes)];

const I32 = 0x7f;
const I64 = 0x7e;
const get = (local: number): Code => [0x20, ...unsigned(local)];
const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
const i32 = (value: number): Code => [0x41, ...signed(value)];
const i64 = (value: number): Code => [0x42, ...signed(value)];
const load = (address: Code, offset: number): Code => [...address, 0x29, 0x03, ...unsigned(offset)];
const binary =
  (opcode: number) =>
  (left: Code, right: Code): Code => [...left, ...right, opcode];
const add32 = binary(0x6a);
const lessUnsigned32 = binary(0x49);
const and32 = binary(0x71);
const or32 = binary(0x72);
const rotl32 = binary(0x77);
const equal64 = binary(0x51);
const and64 = binary(0x83);
const or64 = binary(0x84);
const xor64 = binary(0x85);
const shl64 = binary(0x86);
const shr64 = binary(0x88);
const rotl64 = binary(0x89);
const extend = (value: Code): Code => [...value, 0xad];
const not64 = (value: Code): Code => xor64(value, i64(-1));
const loop = (body: Code): Code => [0x03, 0x40, ...body, 0x0b];
const when = (condition: Code, body: Code): Code => [...condition, 0x04, 0x40, ...body, 0x0b];
const repeatIf = (condition: Code): Code => [...condition, 0x0d, 0x00];
const RETURN = 0x0f;

// Locals: the two parameters, the round's offset, then 64-bit lanes.
const FROM = 0;
const TO = 1;
const ROUND = 2;
const state = (lane: number): number => 3 + lane;
const moved = (lane: number): number => 3 + LANES + lane;
const column = (x: number): number => 3 + 2 * LANES + (x % 5);
const parity = (x: number): number => 3 + 2 * LANES + 5 + (x % 5);
const LOCALS_64 = 2 * LANES + 10;

const COLUMNS = [0, 1, 2, 3, 4];
const ALL_LANES = Array.from({ length: LANES }, (_, lane) => lane);

function round(): Code {
  const theta = [
    ...COLUMNS.flatMap((x) =>
      set(column(x), [5, 10, 15, 20].map((y) => get(state(x + y))).reduce(xor64, get(state(x)))),
    ),
    ...COLUMNS.flatMap((x) => set(parity(x), xor64(get(column(x + 4)), rotl64(get(column(x + 1)), i64(1))))),
  ];
  const rhoPi = ALL_LANES.flatMap((lane) => {
    const mixed = xor64(get(state(lane)), get(parity(lane % 5)));
    return set(moved(piTarget(lane)), ROTATIONS[lane] === 0 ? mixed : rotl64(mixed, i64(ROTATIONS[lane]!)));
  });
  const chi = ALL_LANES.flatMap((lane) => {
    const [x, row] = [lane % 5, lane - (lane % 5)];
    const next = and64(not64(get(moved(row + ((x + 1) % 5)))), get(moved(row + ((x + 2) % 5))));
    return set(state(lane), xor64(get(moved(lane)), next));
  });
  const iota = set(state(0), xor64(get(state(0)), load(get(ROUND), CONSTANTS_AT)));
  return [...theta, ...rhoPi, ...chi, ...iota];
}

/** Big-endian bytes of the counter as they stand in a little-endian lane. */
const swapped = (value: Code): Code =>
  or32(and32(rotl32(value, i32(8)), i32(0x00ff00ff)), and32(rotl32(value, i32(24)), i32(0xff00ff00 | 0)));

function mineBody(): Code {
  const absorb = ALL_LANES.flatMap((lane) => {
    if (lane >= BLOCK_LANES) return set(state(lane), i64(0));
    const word = load(i32(0), lane * 8);
    return set(state(lane), lane === COUNTER_LANE ? or64(word, shl64(extend(swapped(get(FROM))), i64(8))) : word);
  });
  const permute = [
    ...set(ROUND, i32(0)),
    ...loop([...round(), ...set(ROUND, add32(get(ROUND), i32(8))), ...repeatIf(lessUnsigned32(get(ROUND), i32(192)))]),
  ];
  const tail = and64(shr64(get(state(ADDRESS_LANE)), i64(48)), load(i32(0), MASK_AT));
  const judge = when(equal64(tail, load(i32(0), WANTED_AT)), [...get(FROM), RETURN]);
  const next = [...set(FROM, add32(get(FROM), i32(1))), ...repeatIf(lessUnsigned32(get(FROM), get(TO)))];
  return [...loop([...absorb, ...permute, ...judge, ...next]), ...i32(-1), 0x0b];
}

function littleEndian(words: readonly bigint[]): number[] {
  return words.flatMap((word) => Array.from({ length: 8 }, (_, byte) => Number((word >> BigInt(8 * byte)) & 0xffn)));
}

const text = (value: string): number[] => sized([...new TextEncoder().encode(value)]);

interface Instance {
  readonly exports: {
    readonly memory: { readonly buffer: ArrayBuffer };
    readonly mine: (from: number, to: number) => number;
  };
}
/** The runtime's own, as far as it is needed; no library of types that we use declares it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Module: new (bytes: Uint8Array) => object; Instance: new (module: object) => Instance };
};

/** A compiled module, which threads can be given, and an instance of it that mines over `memory`. */
export interface KeccakMiner {
  readonly module: object;
  /** The first counter of [from, to) that fits, or `NOT_FOUND`; `from` must be below `to`. */
  readonly mine: (from: number, to: number) => number;
}

/** Compiles the module and makes it ready on this thread. `memory` is laid out as the head of this file says. */
export function keccakMiner(memory: Uint8Array): KeccakMiner {
  const module = new WebAssembly.Module(moduleBytes());
  const { exports } = new WebAssembly.Instance(module);
  new Uint8Array(exports.memory.buffer).set(memory);
  return { module, mine: (from, to) => exports.mine(from, to) >>> 0 };
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const locals = vector([
    [1, I32],
    [LOCALS_64, I64],
  ]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([[0x60, ...vector([[I32], [I32]]), ...vector([[I32]])]])),
    ...section(3, vector([[0]])),
    ...section(5, vector([[0x00, 1]])),
    ...section(
      7,
      vector([
        [...text('memory'), 0x02, 0],
        [...text('mine'), 0x00, 0],
      ]),
    ),
    ...section(10, vector([sized([...locals, ...mineBody()])])),
    ...section(11, vector([[0x00, ...i32(CONSTANTS_AT), 0x0b, ...sized(littleEndian(roundConstants()))]])),
  ]);
}
