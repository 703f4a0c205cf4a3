import { anyFinding, isAnyCode, type AnyFinding } from '@launch/contracts/errors';
import type { RequestSubject } from '@launch/contracts/multi-role';
import type { RefuseLaunchInput, RefuseLaunchResult } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { ReadBytes } from '../bytes.reader.js';
import { CustodyError } from '../custody.error.js';
import type { PermitFamilies } from '../permit/permit-family.js';
import type { AdmissionVerifier } from '../receipt/admission.verifier.js';
import type { DecisionRepository, StoredDecision } from './decision.repository.js';

export interface RefuseLaunchDependencies {
  readonly read: ReadBytes;
  readonly decisions: DecisionRepository;
  readonly admission: AdmissionVerifier;
  readonly families: PermitFamilies;
}

/**
 * Records that a launch never gets a permit, which releases its nonce, unless a digest was committed first. In that
 * case the nonce stays taken permanently and the answer names the digest. Repetitions return the existing decision, and
 * so does custody's own refusal. Otherwise custody requires admission's signed refusal, about the nonce in the
 * request's own bytes.
 */
export function createRefuseLaunch(
  deps: RefuseLaunchDependencies,
): (input: RefuseLaunchInput) => Promise<RefuseLaunchResult> {
  const { read, decisions, admission, families } = deps;

  return async function refuseLaunch(input) {
    let decision = await decisions.find(input.launchId);
    if (decision === null) {
      await refuseBySignature(input);
      decision = await decisions.find(input.launchId);
    }
    if (decision === null) throw new CustodyError('DECISION_UNSETTLED');
    return answerOf(decision, input.requestSha256);
  };

  async function refuseBySignature({ launchId, requestSha256, refusalSha256 }: RefuseLaunchInput): Promise<void> {
    if (refusalSha256 === null) throw new CustodyError('REFUSAL_UNSIGNED');
    const refusal = admission.refusal(await read(refusalSha256));
    if (refusal.launchId !== launchId || refusal.requestSha256 !== requestSha256)
      throw new CustodyError('REFUSAL_MISMATCH');
    const family = 'family' in refusal ? refusal.family : 'multi-role.v2';
    const own = families[family];
    if (own === undefined) throw new CustodyError('FAMILY_NOT_SERVED');
    const subject = own.subjectOf(await read(requestSha256));
    if (subject === null || !agrees(refusal, subject)) throw new CustodyError('REFUSAL_MISMATCH');
    await decisions.insertRefusal({ launchId, family, requestSha256, ...subject }, findingsOf(refusal.codes));
  }
}

const agrees = (said: RequestSubject, own: RequestSubject): boolean =>
  said.requestHash === own.requestHash &&
  said.controller === own.controller &&
  said.nonce === own.nonce &&
  said.router === own.router;

function answerOf(decision: StoredDecision, requestSha256: Sha256Digest): RefuseLaunchResult {
  if (decision.requestSha256 !== requestSha256) throw new CustodyError('LAUNCH_CONFLICT');
  return decision.kind === 'digest'
    ? { kind: 'digest-exists', permitDigest: decision.permitDigest }
    : { kind: 'refused' };
}

function findingsOf(reasonCodes: readonly string[]): AnyFinding[] {
  const known = reasonCodes.filter(isAnyCode);
  return (known.length > 0 ? known : (['PERMIT_REFUSED'] as const)).map((code) => anyFinding(code, ''));
}
