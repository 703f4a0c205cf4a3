import { finding, type Finding } from '@launch/contracts';
import type { SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { launchCommitments, launchPermitOf, permitDigest, permitFromWire, permitToWire } from '@launch/evm';
import { failpoint } from '@launch/platform';
import type { PermitSigner } from '@launch/signer';
import type { ReadBytes } from '../bytes.reader.js';
import { CustodyError } from '../custody.error.js';
import type { DecisionRepository, DecisionSubject, StoredDecision } from '../decision/decision.repository.js';
import type { PinnedContexts } from '../pinned-contexts.js';
import type { AdmissionVerifier } from '../receipt/admission.verifier.js';
import { receiptFindings } from '../receipt/receipt.findings.js';
import { judgeRequest } from './judge-request.js';

export interface SignPermitDependencies {
  readonly read: ReadBytes;
  readonly decisions: DecisionRepository;
  readonly admission: AdmissionVerifier;
  readonly signer: PermitSigner;
  readonly pinned: PinnedContexts;
  readonly now: () => Date;
}

/** The answer goes into a workflow history, whose values are small; admission has listed everything before. */
const MAX_FINDINGS = 32;

type Digest = Extract<StoredDecision, { kind: 'digest' }>;

/**
 * Signs the one permit of a launch, or refuses the launch for ever.
 *
 * The order is the safety: the digest is committed, then signed, then the signature is stored, and only the stored one
 * is answered. Whatever is killed in between, a repetition finds the committed digest and signs that same one again.
 * Until a decision stands nothing irreversible has happened; once one stands the request is not looked at again.
 */
export function createSignPermit(deps: SignPermitDependencies): (input: SignPermitInput) => Promise<SignPermitResult> {
  const { read, decisions, admission, signer, pinned, now } = deps;

  return async function signPermit(input) {
    const standing = (await decisions.find(input.launchId)) ?? (await decide(input));
    if (standing.kind === 'undecided') return { kind: 'refused', findings: standing.findings };
    if (standing.requestSha256 !== input.requestSha256) throw new CustodyError('LAUNCH_CONFLICT');
    if (standing.kind === 'refusal') return { kind: 'refused', findings: standing.findings, decided: true };
    return complete(standing);
  };

  /** Judges the launch and writes the decision; what stands afterwards, its own or a concurrent caller's. */
  async function decide(
    input: SignPermitInput,
  ): Promise<StoredDecision | { readonly kind: 'undecided'; readonly findings: readonly Finding[] }> {
    const bytes = await read(input.requestSha256);
    const judgement = judgeRequest(bytes, pinned, Math.floor(now().getTime() / 1_000));
    const { request, requestHash } = judgement;
    // Bytes that are no request name no nonce to decide about; the same bytes give the same answer for ever.
    if (request === null)
      return {
        kind: 'undecided',
        findings: judgement.kind === 'unacceptable' ? judgement.findings.slice(0, MAX_FINDINGS) : [],
      };
    const subject: DecisionSubject = {
      launchId: input.launchId,
      requestSha256: input.requestSha256,
      requestHash,
      router: pinned.router.router,
      controller: request.launchWallet,
      nonce: request.nonce,
    };
    if (judgement.kind === 'unacceptable') return refuse(subject, judgement.findings);

    const { contextHash, economicsHash } = judgement;
    const expected = {
      launchId: input.launchId,
      requestSha256: input.requestSha256,
      requestHash,
      contextHash,
      instructionPolicyHash: request.contextCommitments.instructionPolicyHash,
      artifactHash: launchCommitments(request).artifactHash,
      economicsHash,
    };
    const doubts = receiptFindings(admission.receipt(await read(input.receiptSha256)), expected);
    if (doubts.length > 0) return refuse(subject, doubts);

    const permit = launchPermitOf(request, { requestHash, economicsHash });
    await decisions.insertDigest(subject, permitDigest(pinned.router, permit), permitToWire(permit));
    const standing = await decisions.find(input.launchId);
    if (standing !== null) return standing;
    switch (await decisions.takenBy(subject)) {
      case 'nonce':
        return refuse(subject, [finding('NONCE_IN_USE', '/nonce', { actual: request.nonce })]);
      case 'request':
        return refuse(subject, [
          finding('PERMIT_REFUSED', '', { detail: 'Another launch of these exact bytes holds the permit.' }),
        ]);
      case null:
        throw new CustodyError('DECISION_UNSETTLED');
    }
  }

  async function refuse(subject: DecisionSubject, findings: readonly Finding[]): Promise<StoredDecision> {
    await decisions.insertRefusal(subject, findings.slice(0, MAX_FINDINGS));
    const standing = await decisions.find(subject.launchId);
    if (standing === null) throw new CustodyError('DECISION_UNSETTLED');
    return standing;
  }

  /** From a committed digest to its stored signature, however often and by however many at once. */
  async function complete(decision: Digest): Promise<SignPermitResult> {
    const { launchId, permit } = decision;
    let stored = await decisions.findSignature(launchId);
    if (stored === null) {
      failpoint('custody.after-digest');
      // Committed under a release that was withdrawn since: the digest keeps its nonce, and no signature leaves any more.
      if (!pinned.acceptedHashes.has(permit.contextHash)) {
        return {
          kind: 'refused',
          findings: [
            finding('CONTEXT_NOT_CURRENT', '/context', { expected: pinned.currentHash, actual: permit.contextHash }),
          ],
          decided: true,
        };
      }
      const digest = permitDigest(pinned.router, permitFromWire(permit));
      if (digest !== decision.permitDigest) throw new CustodyError('DIGEST_MISMATCH');
      const signature = await signer.signDigest(digest);
      failpoint('custody.after-sign');
      await decisions.insertSignature(launchId, { permitDigest: digest, signer: signer.address, signature });
      failpoint('custody.after-store');
      stored = await decisions.findSignature(launchId);
    }
    if (stored === null) throw new CustodyError('DECISION_UNSETTLED');
    if (stored.permitDigest !== decision.permitDigest) throw new CustodyError('DIGEST_MISMATCH');
    return { kind: 'signed', permitDigest: decision.permitDigest, permit, signature: stored.signature };
  }
}
