import type { Abi, AbiEvent } from 'viem';
import { encodeAbiParameters, encodeEventTopics, toEventSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { bytesForText, decodeCanonical, type AbiValue } from './abi-values.js';

/** The part of a log that its contract chose. */
export interface LogBody {
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** An event with its arguments by name; texts as their bytes. */
export interface DecodedEvent {
  readonly event: string;
  readonly args: Readonly<Record<string, AbiValue>>;
}

/** Encodes and decodes some events of one contract. */
export interface EventCodec<Event extends DecodedEvent> {
  /** Returns null unless the log is exactly one of these events, canonically encoded. */
  decode(log: LogBody): Event | null;
  /** Returns the topics and data with which the contract emits an event. */
  encode(event: Event): { topics: Hex[]; data: Hex };
  /** Returns topic 0 of an event by its name. */
  topicOf(name: Event['event']): Hex;
}

/** Creates the codec of the named events of an ABI. */
export function eventCodec<Event extends DecodedEvent>(
  abi: Abi,
  isWanted: (name: string) => boolean,
): EventCodec<Event> {
  const events = abi.filter((item): item is AbiEvent => item.type === 'event' && isWanted(item.name));
  const bySelector: ReadonlyMap<Hex, AbiEvent> = new Map(events.map((item) => [toEventSelector(item), item]));
  const named = (name: string): AbiEvent => {
    const event = events.find((item) => item.name === name);
    if (event === undefined) throw new TypeError(`no event ${name} in this ABI`);
    return event;
  };
  return {
    decode: ({ topics: [selector, ...indexed], data }) => {
      const event = selector === undefined ? undefined : bySelector.get(selector);
      const args = event && argumentsOf(event, indexed, data);
      return event && args ? ({ event: event.name, args } as unknown as Event) : null;
    },
    encode: ({ event: name, args }) => {
      const event = named(name);
      const plain = bytesForText(inputsOf(event).plain);
      return {
        topics: encodeEventTopics({ abi: [event], eventName: event.name, args } as never) as Hex[],
        data: encodeAbiParameters(plain, plain.map((input) => args[input.name!]) as never),
      };
    },
    topicOf: (name) => toEventSelector(named(name)),
  };
}

const inputsOf = ({ inputs }: AbiEvent) => ({
  indexed: inputs.filter((input) => input.indexed),
  plain: inputs.filter((input) => !input.indexed),
});

function argumentsOf(event: AbiEvent, topics: readonly Hex[], data: Hex): Record<string, AbiValue> | null {
  const { indexed, plain } = inputsOf(event);
  if (topics.length !== indexed.length) return null;
  const args: Record<string, AbiValue> = {};
  for (const [index, input] of indexed.entries()) {
    const values = decodeCanonical([input], topics[index]!);
    if (values === null) return null;
    args[input.name!] = values[0]!;
  }
  const values = decodeCanonical(plain, data);
  if (values === null) return null;
  plain.forEach((input, index) => {
    args[input.name!] = values[index]!;
  });
  return args;
}
