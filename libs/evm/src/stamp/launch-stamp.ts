import { ROUTER_V2_ABI } from '../launch-call/router-v2.abi.js';
import { stampLogs } from './stamp-log.js';

/** The router's events of one launch, decoded; values as on the wire except integers, addresses lowercase. */
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

const V2_LOGS = stampLogs<StampEvent>(ROUTER_V2_ABI, (name) => name.startsWith('MultiRole'));

/**
 * Decodes one log of the router. Returns `null` unless it is exactly one of the four stamp events, canonically encoded.
 */
export const decodeStampLog = V2_LOGS.decode;

/** Returns the topics and data with which the router emits a stamp event. */
export const encodeStampLog = V2_LOGS.encode;
