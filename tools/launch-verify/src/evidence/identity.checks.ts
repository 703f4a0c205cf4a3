import {
  canonicalKeccak,
  canonicalSha256,
  CHAIN_ID,
  finalityGeneration,
  type FinalityEvidence,
} from '@launch/contracts';
import { launchTarget, type MultiRoleTarget } from '@launch/chain';
import { artifactHash, decodeLaunchCalldata, permitDigest, recoverPermitSigner } from '@launch/evm';
import type { Checks } from '../checks.js';

/**
 * The bundle is about one launch. Its context is the one the signed permit commits to, its hand-off the one it names,
 * and a permit authority of that context signed it. Null when the calldata is no launch.
 */
export function checkIdentity(checks: Checks, evidence: FinalityEvidence): MultiRoleTarget | null {
  const { launch, context, handoff } = evidence;
  const { walletTransaction } = handoff;
  checks.equal('launch.handoffSha256', canonicalSha256(handoff), launch.handoffSha256);
  for (const name of ['requestSha256', 'requestHash', 'contextHash', 'artifactHash', 'permitDigest'] as const)
    checks.equal(`launch.${name}`, handoff[name], launch[name]);
  checks.equal('handoff.contextHash', canonicalKeccak(context), handoff.contextHash);
  checks.equal('launch.finalityPolicyId', context.providerProfile.finalityPolicyId, evidence.finalityPolicyId);

  const said = checks.attempt('handoff.calldata', 'the one canonical encoding of a launch', () =>
    decodeLaunchCalldata(walletTransaction.data),
  );
  const generation = finalityGeneration(context);
  checks.holds('context.generation', 'v2 or v3', typeof generation === 'string' ? null : generation.invalid);
  if (said === null || typeof generation !== 'string') return null;
  const { call, permit, signature } = said;
  const router = { chainId: BigInt(CHAIN_ID), router: context.chainDeployment.router.address as `0x${string}` };
  const digest = permitDigest(router, permit);
  checks.equal('handoff.requestHash', permit.requestHash, handoff.requestHash);
  checks.equal('permit.contextHash', canonicalKeccak(context), permit.contextHash);
  checks.equal('handoff.permitDigest', digest, handoff.permitDigest);
  checks.equal('handoff.artifactHash', artifactHash(call), handoff.artifactHash);
  checks.equal('handoff.from', permit.controller, walletTransaction.from);
  checks.equal('handoff.to', router.router, walletTransaction.to);
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
  const orphan = call.children.find(({ parentIndex }) => parentIndex >= call.components.length);
  if (
    !checks.holds(
      'handoff.children',
      'each made by a component of the call',
      orphan === undefined ? null : orphan.account,
    )
  )
    return null;
  const target = launchTarget(handoff, context, generation);
  checks.equal('launch.onchainLaunchId', target.stamp.launchId, launch.onchainLaunchId);
  return target;
}
