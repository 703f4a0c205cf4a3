import type { Abi, AbiEvent } from 'viem';
import { decodeAbiParameters, encodeAbiParameters, encodeEventTopics, toEventSelector } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';

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
  const events = abi.filter((item): item is AbiEvent => item.type === 'event' && isStamp(item.name));
  const bySelector: ReadonlyMap<Hex, AbiEvent> = new Map(events.map((item) => [toEventSelector(item), item]));
  return {
    decode: ({ topics: [selector, ...indexed], data }) => {
      const event = selector === undefined ? undefined : bySelector.get(selector);
      const fields = event && fieldsOf(event, indexed, data);
      return event && fields ? ({ event: event.name, fields } as unknown as Stamp) : null;
    },
    encode: (stamp) => {
      const event = events.find(({ name }) => name === stamp.event)!;
      const { plain } = inputsOf(event);
      return {
        topics: encodeEventTopics({ abi: [event], eventName: event.name, args: stamp.fields } as never) as Hex[],
        data: encodeAbiParameters(plain as [], plain.map(({ name }) => stamp.fields[name!]) as never),
      };
    },
  };
}

function inputsOf({ inputs }: AbiEvent) {
  return { indexed: inputs.filter((input) => input.indexed), plain: inputs.filter((input) => !input.indexed) };
}

function fieldsOf(event: AbiEvent, topics: readonly Hex[], data: Hex): Record<string, string> | null {
  const { indexed, plain } = inputsOf(event);
  if (topics.length !== indexed.length) return null;
  const fields: Record<string, string> = {};
  try {
    indexed.forEach((input, index) => {
      fields[input.name!] = plainText(decodeCanonical([input], topics[index]!)[0]);
    });
    const values = decodeCanonical(plain, data);
    plain.forEach((input, index) => {
      fields[input.name!] = plainText(values[index]);
    });
  } catch {
    return null;
  }
  return fields;
}

function decodeCanonical(inputs: readonly { type: string }[], data: Hex): readonly unknown[] {
  const values = decodeAbiParameters(inputs, data) as readonly unknown[];
  if (encodeAbiParameters(inputs, values as never) !== data) throw new EvmError('HEX_INVALID', 'data');
  return values;
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : String(value);
}
