import type { Hex } from '../encoding/hex.js';
import type { ExpectedStamp } from './expected-stamp.js';
import { decodeStampLog } from './launch-stamp.js';
import type { DecodedStamp, ReceiptLog, StampLogs } from './stamp-log.js';

export type StampDeviationCode =
  | 'STAMP_LOG_REMOVED'
  | 'STAMP_LOG_ORDER_INVALID'
  | 'STAMP_LOG_UNDECODABLE'
  | 'STAMP_EVENT_MISSING'
  | 'STAMP_EVENT_UNEXPECTED'
  | 'STAMP_EVENT_OUT_OF_ORDER'
  | 'STAMP_FIELD_MISMATCH';

/** A difference between a receipt and the expected stamp. `position` counts the router's own logs from 0. */
export interface StampDeviation {
  readonly code: StampDeviationCode;
  readonly position: number;
  readonly event: string | null;
  readonly field: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
}

export type StampResult =
  | { readonly verdict: 'pass'; readonly firstLogIndex: number; readonly lastLogIndex: number }
  | { readonly verdict: 'fail'; readonly deviations: readonly StampDeviation[] };

/** The most deviations that a result lists. */
export const MAX_STAMP_DEVIATIONS = 64;

/**
 * Compares the router's logs in a receipt with the stamp that the signed launch must leave: exactly these events, in
 * exactly this order, with every field equal, and no other log of the router.
 *
 * Ignores logs of other contracts, which may lie between the router's. Deviations are in log order.
 * @param decode decodes the router's stamp events; defaults to those of router V2.
 */
export function compareStamp(
  router: Hex,
  logs: readonly ReceiptLog[],
  expected: { readonly events: readonly DecodedStamp[] },
  decode: StampLogs<DecodedStamp>['decode'] = decodeStampLog,
): StampResult {
  const own = logs.filter(({ address }) => address.toLowerCase() === router.toLowerCase());
  const deviations: StampDeviation[] = [];
  const report = (code: StampDeviationCode, position: number, detail: Partial<StampDeviation> = {}): void => {
    if (deviations.length < MAX_STAMP_DEVIATIONS) {
      deviations.push({ code, position, event: null, field: null, expected: null, actual: null, ...detail });
    }
  };

  own.forEach((log, position) => {
    if (log.removed === true) report('STAMP_LOG_REMOVED', position);
    const previous = own[position - 1];
    if (previous !== undefined && log.logIndex <= previous.logIndex) {
      report('STAMP_LOG_ORDER_INVALID', position, { expected: `>${previous.logIndex}`, actual: String(log.logIndex) });
    }
  });
  const events = own.map(decode);
  const positions = Math.max(events.length, expected.events.length);
  for (let position = 0; position < positions; position += 1) {
    const wanted = expected.events[position];
    const found = events[position];
    if (found === undefined) report('STAMP_EVENT_MISSING', position, { event: wanted!.event });
    else if (found === null) report('STAMP_LOG_UNDECODABLE', position, { event: wanted?.event ?? null });
    else if (wanted === undefined)
      report('STAMP_EVENT_UNEXPECTED', position, { event: found.event, actual: found.event });
    else if (found.event !== wanted.event) {
      report('STAMP_EVENT_OUT_OF_ORDER', position, {
        event: wanted.event,
        expected: wanted.event,
        actual: found.event,
      });
    } else
      compareFields(wanted, found, (field, left, right) => {
        report('STAMP_FIELD_MISMATCH', position, { event: wanted.event, field, expected: left, actual: right });
      });
  }
  if (deviations.length > 0) return { verdict: 'fail', deviations };
  return { verdict: 'pass', firstLogIndex: own[0]!.logIndex, lastLogIndex: own[own.length - 1]!.logIndex };
}

function compareFields(
  wanted: DecodedStamp,
  found: DecodedStamp,
  differ: (field: string, expected: string, actual: string) => void,
): void {
  for (const [field, value] of Object.entries(wanted.fields)) {
    if (found.fields[field] !== value) differ(field, value, found.fields[field] ?? '');
  }
}

/** The answers of the router's getters about a launch, read by an observer at one block. */
export interface ObservedGetters {
  readonly nonceUsed: boolean;
  readonly permitUsed: boolean;
  readonly launchStamp: {
    readonly controller: Hex;
    readonly token: Hex;
    readonly hook: Hex;
    readonly poolId: Hex;
    readonly permitDigest: Hex;
  };
  readonly stampProof: Hex;
  readonly launchIdByToken: Hex;
  readonly launchIdByPool: Hex;
  /** One entry for each of `expected.accounts`, in that order. */
  readonly accounts: readonly { readonly componentProof: Hex; readonly launchIdByComponent: Hex }[];
}

/**
 * A getter whose answer differs from the expected one; `index` is the position in `expected.accounts`, if it has one.
 */
export interface GetterDeviation {
  readonly code: 'STAMP_GETTER_MISMATCH';
  readonly getter: string;
  readonly index: number | null;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Compares the answers of the getters with the values that the launch must have stored. Externals belong to no launch.
 */
export function compareGetters(controller: Hex, observed: ObservedGetters, expected: ExpectedStamp): GetterDeviation[] {
  const deviations: GetterDeviation[] = [];
  const check = (getter: string, wanted: string, actual: string, index: number | null = null): void => {
    if (wanted.toLowerCase() !== actual.toLowerCase()) {
      deviations.push({ code: 'STAMP_GETTER_MISMATCH', getter, index, expected: wanted, actual });
    }
  };
  const { launchStamp } = observed;
  check('nonceUsed', 'true', String(observed.nonceUsed));
  check('permitUsed', 'true', String(observed.permitUsed));
  check('launchStamp.controller', controller, launchStamp.controller);
  check('launchStamp.token', expected.token, launchStamp.token);
  check('launchStamp.hook', expected.hook, launchStamp.hook);
  check('launchStamp.poolId', expected.poolId, launchStamp.poolId);
  check('launchStamp.permitDigest', expected.permitDigest, launchStamp.permitDigest);
  check('stampProof', expected.stampProof, observed.stampProof);
  check('launchIdByToken', expected.launchId, observed.launchIdByToken);
  check('launchIdByPool', expected.launchId, observed.launchIdByPool);
  check('accounts.length', String(expected.accounts.length), String(observed.accounts.length));
  expected.accounts.forEach((account, index) => {
    const answer = observed.accounts[index];
    if (answer === undefined) return;
    check('componentProof', account.proof, answer.componentProof, index);
    if (account.scope !== 2) check('launchIdByComponent', expected.launchId, answer.launchIdByComponent, index);
  });
  return deviations;
}
