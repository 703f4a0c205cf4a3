import type { WalletHandoff } from '@launch/contracts/multi-role';
import { canonicalKeccak, canonicalSha256, CHAIN_ID } from '@launch/contracts/primitives';
import { recoverPermitSigner, type Hex, type LaunchPermit, type RouterIdentity } from '@launch/evm';
import type { Checks } from '../checks.js';
import type { AnyEvidence, LaunchEvidence } from './evidence.types.js';

/** Returns the router of the bundle's own context. */
export const routerOfEvidence = ({ context }: AnyEvidence): RouterIdentity => ({
  chainId: BigInt(CHAIN_ID),
  router: context.chainDeployment.router.address,
});

/** Checks that the bundle names the hand-off and the hand-off names the context. */
export function checkBindings(checks: Checks, { launch, context, handoff, finalityPolicyId }: LaunchEvidence): void {
  checks.equal('launch.handoffSha256', canonicalSha256(handoff), launch.handoffSha256);
  for (const name of ['requestSha256', 'requestHash', 'contextHash', 'artifactHash', 'permitDigest'] as const)
    checks.equal(`launch.${name}`, handoff[name], launch[name]);
  checks.equal('handoff.contextHash', canonicalKeccak(context), handoff.contextHash);
  checks.equal('launch.finalityPolicyId', context.providerProfile.finalityPolicyId, finalityPolicyId);
}

/** The permit of the calldata, with its hashes. */
export interface SaidPermit {
  readonly permit: LaunchPermit;
  readonly signature: Hex;
  readonly digest: Hex;
  readonly artifactHash: Hex;
}

/** A call that carries the permit. */
export interface PermittedCall {
  /** Null if the wallet sends it inside a transaction of its own. */
  readonly from: Hex | null;
  readonly to: Hex;
  /** Wei, from the hand-off. */
  readonly value: string;
  /** Wei, from the permit. */
  readonly permitted: bigint;
}

export interface PermittedHandoff {
  readonly said: SaidPermit;
  readonly handoff: Pick<WalletHandoff, 'requestHash' | 'permitDigest' | 'artifactHash' | 'validAfter' | 'deadline'>;
  readonly calls: readonly PermittedCall[];
}

/** Returns the one call of a launch, with the permit's whole value. */
export const launchCallOf = (
  { walletTransaction: { from, to, value } }: Pick<WalletHandoff, 'walletTransaction'>,
  permit: LaunchPermit,
): PermittedCall => ({ from, to, value, permitted: permit.value });

/** Checks that the hand-off agrees with its permit, and that a permit authority of the context signed it. */
export function checkPermit(
  checks: Checks,
  context: AnyEvidence['context'],
  { said: { permit, signature, digest, artifactHash }, handoff, calls }: PermittedHandoff,
): void {
  checks.equal('handoff.requestHash', permit.requestHash, handoff.requestHash);
  checks.equal('permit.contextHash', canonicalKeccak(context), permit.contextHash);
  checks.equal('handoff.permitDigest', digest, handoff.permitDigest);
  checks.equal('handoff.artifactHash', artifactHash, handoff.artifactHash);
  for (const { from, to, value, permitted } of calls) {
    if (from !== null) checks.equal('handoff.from', permit.controller, from);
    checks.equal('handoff.to', context.chainDeployment.router.address, to);
    checks.equal('handoff.value', permitted.toString(), value);
  }
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
