const PUSH1 = 0x60;
const PUSH32 = 0x7f;

/** The least a correct scan of every instruction does: skip push data, look one byte up, count. */
export function tableScan(runtime: Uint8Array, forbidden: readonly number[]): number {
  const table = new Uint8Array(256);
  for (const opcode of forbidden) table[opcode] = 1;
  let hits = 0;
  for (let counter = 0; counter < runtime.length; counter += 1) {
    const opcode = runtime[counter] as number;
    if (opcode >= PUSH1 && opcode <= PUSH32) counter += opcode - PUSH1 + 1;
    else hits += table[opcode] as number;
  }
  return hits;
}

/** The naive scan: finds each forbidden byte at any position, data included, by the runtime's own search. */
export function indexOfScan(runtime: Uint8Array, forbidden: readonly number[]): number {
  const buffer = Buffer.from(runtime.buffer, runtime.byteOffset, runtime.byteLength);
  let hits = 0;
  for (const opcode of forbidden) {
    for (let at = buffer.indexOf(opcode); at !== -1; at = buffer.indexOf(opcode, at + 1)) hits += 1;
  }
  return hits;
}
