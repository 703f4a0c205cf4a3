import { requestSubjectOf, type CreateRequest, type RequestSubject } from '@launch/contracts/multi-role';
import { launchCommitments, launchPermitOf, permitEncoding, permitFromWire, permitToWire } from '@launch/evm';
import type { PinnedContexts } from '../pinned-contexts.js';
import { judgeRequest } from './judge-request.js';
import type { PermitFamily } from './permit-family.js';

/** Creates the family of multi-role launches: the request contains the context, the permit is router V2's. */
export const multiRoleFamily = (pinned: PinnedContexts): PermitFamily => ({
  family: 'multi-role.v2',
  currentHash: pinned.currentHash,
  acceptedHashes: pinned.acceptedHashes,
  contextPath: '/context',
  judge(bytes, { nowSeconds }) {
    const judgement = judgeRequest(bytes, pinned, nowSeconds);
    const { requestHash } = judgement;
    const subjectOf = ({ launchWallet: controller, nonce }: CreateRequest): RequestSubject => ({
      requestHash,
      router: pinned.router.router,
      controller,
      nonce,
    });
    if (judgement.kind === 'unacceptable') {
      const { findings } = judgement;
      return judgement.request === null
        ? { kind: 'no-request', findings }
        : { kind: 'unacceptable', subject: subjectOf(judgement.request), findings };
    }
    const { request, contextHash, economicsHash } = judgement;
    return {
      kind: 'acceptable',
      subject: subjectOf(request),
      receipt: {
        requestHash,
        contextHash,
        instructionPolicyHash: request.contextCommitments.instructionPolicyHash,
        artifactHash: launchCommitments(request).artifactHash,
        economicsHash,
      },
      permit: permitToWire(launchPermitOf(request, { requestHash, economicsHash })),
    };
  },
  subjectOf: requestSubjectOf,
  encodingOf: (permit) => permitEncoding(pinned.router, permitFromWire(permit)),
});
