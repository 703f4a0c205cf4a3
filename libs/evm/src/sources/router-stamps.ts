import type { IndexSource, LaunchRecord, SourceVersion, TokenMetadata } from '@launch/contracts/index';
import type { Hex } from '../encoding/hex.js';
import { fail, fault, firstFault, recordPlace } from './judging.js';
import type { Answers, Candidate, Fault, SourceReceipt, Verdict } from './source-adapter.js';
import { tokenIdentity } from './token-display.js';

/** A launch that a router's logs name, and the chain's answers about it. */
export interface RouterCase {
  readonly source: IndexSource;
  readonly receipt: SourceReceipt;
  readonly candidate: Candidate;
  readonly answers: Answers;
}

/** The members of a router's record that its generation of stamps provides. */
export interface StampedMembers extends Pick<
  LaunchRecord,
  'launchId' | 'launchKind' | 'creator' | 'poolManager' | 'poolId' | 'stampHash'
> {
  readonly token: Hex;
  readonly hook: Hex;
}

/** The rules by which one generation of routers reads, checks and records a stamp. */
export interface StampRules<Stamp extends object> {
  readonly sourceVersion: SourceVersion;
  readonly stampOf: (logs: Candidate['logs']) => Stamp | Fault;
  /** The checks in order: a later check may depend on an earlier one. */
  readonly checks: (stamp: Stamp) => readonly (() => Fault | null)[];
  readonly members: (stamp: Stamp) => StampedMembers;
  /** Returns what the token says of itself. */
  readonly metadata: (stamp: Stamp) => TokenMetadata;
}

const isFault = (stamp: object): stamp is Fault => 'reason' in stamp;

/** Judges a launch that a router stamped: its receipt, the events of its stamp, then each check of the generation. */
export function judgeStamp<Stamp extends object>(one: RouterCase, rules: StampRules<Stamp>): Verdict {
  const { source, receipt, candidate, answers } = one;
  if (receipt.status !== 'success') return fail(fault('RECEIPT_NOT_SUCCESSFUL', receipt.transactionHash));
  const stamp = rules.stampOf(candidate.logs);
  if (isFault(stamp)) return fail(stamp);
  const found = firstFault(rules.checks(stamp));
  if (found !== null) return fail(found);
  const { token, hook, ...members } = rules.members(stamp);
  return {
    kind: 'pass',
    launch: {
      record: {
        ...recordPlace(rules.sourceVersion, source, receipt, candidate),
        ...members,
        tokenAddress: token,
        hookAddress: hook,
        recipeHash: null,
        runtime: null,
        launchKey: null,
        modulePackageIds: [],
        moduleFamilyIds: [],
        ...tokenIdentity(token, answers),
        routerAddress: source.address,
      },
      metadata: rules.metadata(stamp),
    },
  };
}
