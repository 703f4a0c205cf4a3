// Imports nothing but hash-wasm: a thread of the peer's loads no more than it needs.
import { createKeccak } from 'hash-wasm';

const ADDRESS_MASK = 0x3fff;
/** Where a CREATE2 preimage of the product's salts counts: its last four bytes of salt. */
const COUNTER_AT = 49;

/** Counters `from` to `to` of one task; `preimage` is CREATE2's 85 bytes. */
export interface Stripe {
  readonly preimage: Uint8Array;
  readonly flags: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Makes hash-wasm's keccak-256 ready to mine as it is used at its best: one instance for all tries, bytes in, bytes out.
 * What it gives mines a stripe: the first counter whose address ends in the flags, or -1.
 */
export async function hashWasmMiner(): Promise<(stripe: Stripe) => number> {
  const keccak = await createKeccak(256);
  return ({ preimage, flags, from, to }) => {
    const counter = new DataView(preimage.buffer, preimage.byteOffset);
    for (let tried = from; tried < to; tried += 1) {
      counter.setUint32(COUNTER_AT, tried);
      const digest = keccak.init().update(preimage).digest('binary');
      if (((((digest[30] as number) << 8) | (digest[31] as number)) & ADDRESS_MASK) === flags) return tried;
    }
    return -1;
  };
}
