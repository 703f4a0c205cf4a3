import type { Abi } from 'viem';
import type { Hex } from '../encoding/hex.js';
import { eventCodec } from '../events/event-codec.js';

/** A log as a receipt holds it. */
export interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: number;
  readonly removed?: boolean;
}

/** A router's own event of one launch, decoded; values as on the wire but integers, addresses lowercase. */
export interface DecodedStamp {
  readonly event: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads and writes the stamp events of one router. */
export interface StampLogs<Stamp extends DecodedStamp> {
  /** One log of the router; `null` unless it is exactly one of its stamp events, canonically encoded. */
  decode(log: Pick<ReceiptLog, 'topics' | 'data'>): Stamp | null;
  /** The topics and data with which the router emits a stamp event. */
  encode(stamp: Stamp): { topics: Hex[]; data: Hex };
}

/** The codec of those events of an ABI that are stamps. */
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
