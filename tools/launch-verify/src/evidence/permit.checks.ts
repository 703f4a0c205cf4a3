import { canonicalKeccak, canonicalSha256, CHAIN_ID } from '@launch/contracts';
import { recoverPermitSigner, type Hex, type LaunchPermit, type RouterIdentity } from '@launch/evm';
import type { Checks } from '../checks.js';
import type { AnyEvidence } from './evidence.types.js';

/** The router of the bundle's own context. */
export const routerOfEvidence = ({ context }: AnyEvidence): RouterIdentity => ({
  chainId: BigInt(CHAIN_ID),
  router: context.chainDeployment.router.address,
});

/** The hand-off is the one that the bundle names, and the context the one that the hand-off names. */
export function checkBindings(checks: Checks, { launch, context, handoff, finalityPolicyId }: AnyEvidence): void {
  checks.equal('launch.handoffSha256', canonicalSha256(handoff), launch.handoffSha256);
  for (const name of ['requestSha256', 'requestHash', 'contextHash', 'artifactHash', 'permitDigest'] as const)
    checks.equal(`launch.${name}`, handoff[name], launch[name]);
  checks.equal('handoff.contextHash', canonicalKeccak(context), handoff.contextHash);
  checks.equal('launch.finalityPolicyId', context.providerProfile.finalityPolicyId, finalityPolicyId);
}

/** What the calldata carries, and what it comes to. */
export interface SaidPermit {
  readonly permit: LaunchPermit;
  readonly signature: Hex;
  readonly digest: Hex;
  readonly artifactHash: Hex;
}

/** The hand-off says what its permit says, and a permit authority of the context signed that. */
export function checkPermit(
  checks: Checks,
  evidence: AnyEvidence,
  { permit, signature, digest, artifactHash }: SaidPermit,
): void {
  const { context, handoff } = evidence;
  const { walletTransaction } = handoff;
  checks.equal('handoff.requestHash', permit.requestHash, handoff.requestHash);
  checks.equal('permit.contextHash', canonicalKeccak(context), permit.contextHash);
  checks.equal('handoff.permitDigest', digest, handoff.permitDigest);
  checks.equal('handoff.artifactHash', artifactHash, handoff.artifactHash);
  checks.equal('handoff.from', permit.controller, walletTransaction.from);
  checks.equal('handoff.to', routerOfEvidence(evidence).router, walletTransaction.to);
  checks.equal('handoff.value', permit.value.toString(), walletTransaction.value);
  checks.equal('handoff.validAfter', permit.validAfter.toString(), handoff.validAfter);
  checks.equal('handoff.deadline', permit.deadline.toString(), handoff.deadline);
  const signer = checks.attempt('permit.signature', '65 bytes, low s, v of 27 or 28', () =>
    recoverPermitSigner(digest, signature),
  );
  const { permitAuthorities } = context.chainBindings;
  if (signer !== null)
    checks.holds(
      'permit.signer',
      `one of ${permitAuthorities.join(', ')}`,
      permitAuthorities.includes(signer) ? null : signer,
    );
}
