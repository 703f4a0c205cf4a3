import { finding, type AnyFinding } from '@launch/contracts/errors';
import type { SignPermitInput, SignPermitResult } from '@launch/contracts/orchestration';
import { familyOf } from '@launch/contracts/states';
import { failpoint } from '@launch/platform';
import type { PermitSigner } from '@launch/signer';
import { keccak256 } from 'viem/utils';
import type { ReadBytes } from '../bytes.reader.js';
import { CustodyError } from '../custody.error.js';
import type { DecisionRepository, DecisionSubject, StoredDecision } from '../decision/decision.repository.js';
import type { AdmissionVerifier } from '../receipt/admission.verifier.js';
import { receiptFindings } from '../receipt/receipt.findings.js';
import type { PermitFamilies } from './permit-family.js';

export interface SignPermitDependencies {
  readonly read: ReadBytes;
  readonly decisions: DecisionRepository;
  readonly admission: AdmissionVerifier;
  readonly signer: PermitSigner;
  readonly families: PermitFamilies;
  readonly now: () => Date;
}

/** Bounds the findings in a workflow history, whose values must be small; admission has listed all of them before. */
const MAX_FINDINGS = 32;

type Digest = Extract<StoredDecision, { kind: 'digest' }>;
/** Nothing was written, so any caller may retry. */
type Undecided =
  | { readonly kind: 'undecided'; readonly findings: readonly AnyFinding[] }
  | { readonly kind: 'usd-reference-stale' };

/**
 * Signs the one permit of a launch, or refuses the launch permanently.
 *
 * The order makes this safe: the digest is committed, then signed, then the signature is stored, and only the stored
 * one is returned. After a crash at any point, a repetition finds the committed digest and signs the same one again. A
 * signer may give the same digest two signatures; the first stored one counts.
 * Before a decision nothing irreversible has happened; after it the request is not judged again.
 */
export function createSignPermit(deps: SignPermitDependencies): (input: SignPermitInput) => Promise<SignPermitResult> {
  const { read, decisions, admission, signer, families, now } = deps;

  return async function signPermit(input) {
    const decision = (await decisions.find(input.launchId)) ?? (await decide(input));
    if (decision.kind === 'usd-reference-stale') return decision;
    if (decision.kind === 'undecided') return { kind: 'refused', findings: decision.findings };
    if (decision.requestSha256 !== input.requestSha256 || decision.family !== familyOf(input))
      throw new CustodyError('LAUNCH_CONFLICT');
    if (decision.kind === 'refusal') return { kind: 'refused', findings: decision.findings, decided: true };
    return complete(decision);
  };

  /** Judges the launch and writes the decision. Returns the resulting decision, its own or a concurrent caller's. */
  async function decide(input: SignPermitInput): Promise<StoredDecision | Undecided> {
    const { launchId, requestSha256, receiptSha256, usdReferenceSha256 } = input;
    const family = families[familyOf(input)];
    if (family === undefined) throw new CustodyError('FAMILY_NOT_SERVED');
    const judgement = family.judge(await read(requestSha256), {
      launchId,
      nowSeconds: Math.floor(now().getTime() / 1_000),
      usdReference: usdReferenceSha256 === undefined ? null : admission.usdReference(await read(usdReferenceSha256)),
    });
    if (judgement.kind === 'no-request')
      return { kind: 'undecided', findings: judgement.findings.slice(0, MAX_FINDINGS) };
    if (judgement.kind === 'price-unread') return { kind: 'usd-reference-stale' };
    const subject: DecisionSubject = { launchId, family: family.family, requestSha256, ...judgement.subject };
    if (judgement.kind === 'unacceptable') return refuse(subject, judgement.findings);

    const { permit, receipt } = judgement;
    const admitted = admission.receipt(await read(receiptSha256), family.family);
    const doubts = receiptFindings(admitted, { launchId, requestSha256, ...receipt });
    if (doubts.length > 0) return refuse(subject, doubts);

    await decisions.insertDigest(subject, keccak256(family.encodingOf(permit)), permit);
    const decision = await decisions.find(launchId);
    if (decision !== null) return decision;
    switch (await decisions.takenBy(subject)) {
      case 'nonce':
        return refuse(subject, [finding('NONCE_IN_USE', '/nonce', { actual: subject.nonce })]);
      case 'request':
        return refuse(subject, [
          finding('PERMIT_REFUSED', '', { detail: 'Another launch of these exact bytes holds the permit.' }),
        ]);
      case null:
        throw new CustodyError('DECISION_UNSETTLED');
    }
  }

  async function refuse(subject: DecisionSubject, findings: readonly AnyFinding[]): Promise<StoredDecision> {
    await decisions.insertRefusal(subject, findings.slice(0, MAX_FINDINGS));
    const decision = await decisions.find(subject.launchId);
    if (decision === null) throw new CustodyError('DECISION_UNSETTLED');
    return decision;
  }

  /** Completes a committed digest to its stored signature, idempotently and for concurrent callers. */
  async function complete(decision: Digest): Promise<SignPermitResult> {
    const { launchId, permit } = decision;
    let stored = await decisions.findSignature(launchId);
    if (stored === null) {
      failpoint('custody.after-digest');
      // Committed under a release that was withdrawn since: the digest keeps its nonce, and custody returns no further
      // signature.
      const family = families[decision.family];
      if (family === undefined) throw new CustodyError('FAMILY_NOT_SERVED');
      if (!family.acceptedHashes.has(permit.contextHash)) {
        return {
          kind: 'refused',
          findings: [
            finding('CONTEXT_NOT_CURRENT', family.contextPath, {
              expected: family.currentHash,
              actual: permit.contextHash,
            }),
          ],
          decided: true,
        };
      }
      const encoding = family.encodingOf(permit);
      const digest = keccak256(encoding);
      if (digest !== decision.permitDigest) throw new CustodyError('DIGEST_MISMATCH');
      const signature = await signer.signPermit(encoding);
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
