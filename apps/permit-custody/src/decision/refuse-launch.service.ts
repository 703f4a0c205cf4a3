import {
  ERROR_CODES,
  finding,
  requestSubjectOf,
  type ErrorCode,
  type Finding,
  type Sha256Digest,
} from '@launch/contracts';
import type {
  RefuseLaunchInput,
  RefuseLaunchResult,
  SignedRefusalInput,
  UnsignedRefusalInput,
} from '@launch/contracts/orchestration';
import type { ReadBytes } from '../bytes.reader.js';
import { CustodyError } from '../custody.error.js';
import type { AdmissionVerifier } from '../receipt/admission.verifier.js';
import type { DecisionRepository, DecisionSubject, StoredDecision } from './decision.repository.js';

export interface RefuseLaunchDependencies {
  readonly read: ReadBytes;
  readonly decisions: DecisionRepository;
  readonly admission: AdmissionVerifier;
  /** Until when workflows that began before refusals were signed are still believed; null for never. */
  readonly unsignedUntil: Date | null;
  readonly now: () => Date;
}

/**
 * Records that a launch never gets a permit, which releases its nonce, unless a digest was committed first. Then the
 * nonce stays taken for ever and the digest is named. Repetitions answer what stands, and so does custody's own
 * refusal. Otherwise a launch is refused on admission's signed word alone, about a nonce that the request's own bytes
 * name.
 */
export function createRefuseLaunch(
  deps: RefuseLaunchDependencies,
): (input: RefuseLaunchInput) => Promise<RefuseLaunchResult> {
  const { read, decisions, admission, unsignedUntil, now } = deps;

  return async function refuseLaunch(input) {
    let standing = await decisions.find(input.launchId);
    if (standing === null) {
      if ('refusalSha256' in input) await refuseBySignature(input);
      else await refuseUnsigned(input);
      standing = await decisions.find(input.launchId);
    }
    if (standing === null) throw new CustodyError('DECISION_UNSETTLED');
    return answerOf(standing, input.requestSha256);
  };

  async function refuseBySignature({ launchId, requestSha256, refusalSha256 }: SignedRefusalInput): Promise<void> {
    if (refusalSha256 === null) throw new CustodyError('REFUSAL_UNSIGNED');
    const { codes, ...refusal } = admission.refusal(await read(refusalSha256));
    if (refusal.launchId !== launchId || refusal.requestSha256 !== requestSha256)
      throw new CustodyError('REFUSAL_MISMATCH');
    const subject = requestSubjectOf(await read(requestSha256));
    if (subject === null || !agrees(refusal, subject)) throw new CustodyError('REFUSAL_MISMATCH');
    await decisions.insertRefusal({ launchId, requestSha256, ...subject }, findingsOf(codes));
  }

  async function refuseUnsigned({ reasonCodes, ...subject }: UnsignedRefusalInput): Promise<void> {
    if (unsignedUntil === null || now() >= unsignedUntil) throw new CustodyError('REFUSAL_UNSIGNED');
    await decisions.insertRefusal(subject, findingsOf(reasonCodes));
  }
}

type Subject = Omit<DecisionSubject, 'launchId' | 'requestSha256'>;
const agrees = (said: Subject, own: Subject): boolean =>
  said.requestHash === own.requestHash &&
  said.controller === own.controller &&
  said.nonce === own.nonce &&
  said.router === own.router;

function answerOf(standing: StoredDecision, requestSha256: Sha256Digest): RefuseLaunchResult {
  if (standing.requestSha256 !== requestSha256) throw new CustodyError('LAUNCH_CONFLICT');
  return standing.kind === 'digest'
    ? { kind: 'digest-exists', permitDigest: standing.permitDigest }
    : { kind: 'refused' };
}

function findingsOf(reasonCodes: readonly string[]): Finding[] {
  const known = reasonCodes.filter((code): code is ErrorCode => (ERROR_CODES as readonly string[]).includes(code));
  return (known.length > 0 ? known : (['PERMIT_REFUSED'] as const)).map((code) => finding(code, ''));
}
