import type { Abi } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { eventCodec } from '../events/event-codec.js';

/** A log as in a receipt. */
export interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: number;
  readonly removed?: boolean;
}

/** A router's event of one launch, decoded; values as on the wire except integers, addresses lowercase. */
export interface DecodedStamp {
  readonly event: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Encodes and decodes the stamp events of one router. */
export interface StampLogs<Stamp extends DecodedStamp> {
  /**
   * Decodes one log of the router. Returns `null` unless it is exactly one of its stamp events, canonically encoded.
   */
  decode(log: Pick<ReceiptLog, 'topics' | 'data'>): Stamp | null;
  /** Returns the topics and data with which the router emits a stamp event. */
  encode(stamp: Stamp): { topics: Hex[]; data: Hex };
}

/** Creates the codec of the events of an ABI that are stamps. */
export function stampLogs<Stamp extends DecodedStamp>(abi: Abi, isStamp: (name: string) => boolean): StampLogs<Stamp> {
  const codec = eventCodec(abi, isStamp);
  return {
    decode: (log) => {
      const decoded = codec.decode(log);
      if (decoded === null) return null;
      const fields = Object.entries(decoded.args).map(([name, value]) => [name, String(value)]);
      return { event: decoded.event, fields: Object.fromEntries(fields) as Stamp['fields'] } as Stamp;
    },
    encode: ({ event, fields }) => codec.encode({ event, args: fields }),
  };
}
