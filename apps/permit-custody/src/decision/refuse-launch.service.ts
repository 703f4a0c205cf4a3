import { ERROR_CODES, finding, type ErrorCode, type Finding } from '@launch/contracts';
import type { RefuseLaunchInput, RefuseLaunchResult } from '@launch/contracts/orchestration';
import { CustodyError } from '../custody.error.js';
import type { DecisionRepository } from './decision.repository.js';

/**
 * Records that a launch never gets a permit, which is what releases its nonce, unless a digest was committed first:
 * then the nonce stays taken for ever and the digest is named. Repetitions answer what stands.
 */
export function createRefuseLaunch(decisions: DecisionRepository): (input: RefuseLaunchInput) => Promise<RefuseLaunchResult> {
  return async function refuseLaunch({ reasonCodes, ...subject }) {
    await decisions.insertRefusal(subject, findingsOf(reasonCodes));
    const standing = await decisions.find(subject.launchId);
    if (standing === null) throw new CustodyError('DECISION_UNSETTLED');
    if (standing.requestSha256 !== subject.requestSha256) throw new CustodyError('LAUNCH_CONFLICT');
    return standing.kind === 'digest' ? { kind: 'digest-exists', permitDigest: standing.permitDigest } : { kind: 'refused' };
  };
}

function findingsOf(reasonCodes: readonly string[]): Finding[] {
  const known = reasonCodes.filter((code): code is ErrorCode => (ERROR_CODES as readonly string[]).includes(code));
  return (known.length > 0 ? known : (['PERMIT_REFUSED'] as const)).map((code) => finding(code, ''));
}
