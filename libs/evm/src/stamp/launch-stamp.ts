import { decodeAbiParameters, encodeAbiParameters, encodeEventTopics, toEventSelector } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { ROUTER_V2_ABI } from '../launch-call/router-v2.abi.js';

/** A log as a receipt holds it. */
export interface ReceiptLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: number;
  readonly removed?: boolean;
}

/** The router's own events of one launch, decoded; values as on the wire but integers, addresses lowercase. */
export type StampEvent =
  | {
      readonly event: 'MultiRolePermitConsumedV2';
      readonly fields: Readonly<Record<'permitDigest' | 'controller' | 'nonce', string>>;
    }
  | {
      readonly event: 'MultiRoleRouteStampedV2';
      readonly fields: Readonly<
        Record<'launchId' | 'contextHash' | 'requestHash' | 'economicsHash' | 'instructionPolicyHash', string>
      >;
    }
  | {
      readonly event: 'MultiRoleComponentStampedV2';
      readonly fields: Readonly<
        Record<'launchId' | 'component' | 'roleMask' | 'runtimeCodeHash' | 'scope' | 'resultIndex', string>
      >;
    }
  | {
      readonly event: 'MultiRoleLaunchStampedV2';
      readonly fields: Readonly<Record<'launchId' | 'token' | 'hook' | 'controller' | 'poolId' | 'graphHash', string>>;
    };

export type StampEventName = StampEvent['event'];

type EventAbi = Extract<(typeof ROUTER_V2_ABI)[number], { type: 'event'; name: StampEventName }>;

const STAMP_EVENTS: ReadonlyMap<Hex, EventAbi> = new Map(
  ROUTER_V2_ABI.filter((item): item is EventAbi => item.type === 'event' && item.name.startsWith('MultiRole')).map(
    (item) => [toEventSelector(item), item],
  ),
);

/** Reads one log of the router; `null` unless it is exactly one of the four stamp events, canonically encoded. */
export function decodeStampLog(log: Pick<ReceiptLog, 'topics' | 'data'>): StampEvent | null {
  const [selector, ...indexed] = log.topics;
  const abi = selector === undefined ? undefined : STAMP_EVENTS.get(selector);
  if (abi === undefined) return null;
  const indexedInputs = abi.inputs.filter((input) => 'indexed' in input && input.indexed);
  const plainInputs = abi.inputs.filter((input) => !('indexed' in input && input.indexed));
  if (indexed.length !== indexedInputs.length) return null;
  const fields: Record<string, string> = {};
  try {
    indexedInputs.forEach((input, index) => {
      fields[input.name] = plainText(decodeCanonical([input], indexed[index]!)[0]);
    });
    const values = decodeCanonical(plainInputs, log.data);
    plainInputs.forEach((input, index) => {
      fields[input.name] = plainText(values[index]);
    });
  } catch {
    return null;
  }
  return { event: abi.name, fields } as StampEvent;
}

/** The topics and data with which the router emits a stamp event. */
export function encodeStampLog(stamp: StampEvent): { topics: Hex[]; data: Hex } {
  const abi = ROUTER_V2_ABI.find((item): item is EventAbi => item.type === 'event' && item.name === stamp.event)!;
  const fields = stamp.fields as Readonly<Record<string, string>>;
  const plainInputs = abi.inputs.filter((input) => !('indexed' in input && input.indexed));
  const topics = encodeEventTopics({ abi: [abi], eventName: abi.name, args: fields } as never) as Hex[];
  return {
    topics,
    data: encodeAbiParameters(plainInputs as [], plainInputs.map((input) => fields[input.name]) as never),
  };
}

function decodeCanonical(inputs: readonly { type: string }[], data: Hex): readonly unknown[] {
  const values = decodeAbiParameters(inputs, data) as readonly unknown[];
  if (encodeAbiParameters(inputs, values as never) !== data) throw new EvmError('HEX_INVALID', 'data');
  return values;
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : String(value);
}
