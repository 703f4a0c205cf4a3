import { customLaunchSubjectOf } from '@launch/contracts/custom-launch';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import { launchPermitV1Of, launchV1Commitments, permitV1Encoding, permitV1FromWire, permitV1ToWire } from '@launch/evm';
import { CustodyError } from '../custody.error.js';
import type { PinnedCustomLaunchContexts } from '../pinned-contexts.js';
import { judgeCustomLaunch } from './judge-custom-launch.js';
import type { PermitFamily } from './permit-family.js';

/**
 * Creates the family of custom launches or plans: the request names its context by hash, the permit is router V1's. A
 * plan has one permit for all of its steps. Both families take their nonces at the same router.
 */
export const customLaunchFamily = (family: CustomLaunchFamily, pinned: PinnedCustomLaunchContexts): PermitFamily => ({
  family,
  currentHash: pinned.currentHash,
  acceptedHashes: pinned.acceptedHashes,
  contextPath: '/contextHash',
  judge(bytes, circumstances) {
    const judgement = judgeCustomLaunch(family, bytes, pinned, circumstances);
    if (judgement.kind === 'no-request' || judgement.kind === 'price-unread') return judgement;
    const { request, requestHash } = judgement;
    const { launchWallet: controller, nonce } = request;
    const subject = { requestHash, router: pinned.router.router, controller, nonce };
    if (judgement.kind === 'unacceptable') return { kind: 'unacceptable', subject, findings: judgement.findings };
    const { context, economicsHash } = judgement;
    return {
      kind: 'acceptable',
      subject,
      receipt: {
        family,
        requestHash,
        contextHash: request.contextHash,
        instructionPolicyHash: context.profile.instructionPolicy.policyHash,
        artifactHash: launchV1Commitments(request, context).artifactHash,
        economicsHash,
      },
      permit: permitV1ToWire(launchPermitV1Of(request, context, { requestHash, economicsHash })),
    };
  },
  subjectOf(bytes) {
    const subject = customLaunchSubjectOf(bytes);
    if (subject === null) return null;
    // Any named context will do, even a withdrawn one, because this custody knows one router of these families.
    const { requestHash, controller, nonce } = subject;
    return { requestHash, controller, nonce, router: pinned.router.router };
  },
  encodingOf(permit) {
    if (!('stepsHash' in permit)) throw new CustodyError('DIGEST_MISMATCH');
    return permitV1Encoding(pinned.router, permitV1FromWire(permit));
  },
});
