import { serviceLaunchTarget } from '@launch/chain';
import {
  anyCustomLaunchRequestSchema,
  canonicalKeccak,
  canonicalSha256,
  CHAIN_ID,
  keccak256Hex,
  sha256Digest,
  type CustomLaunchEvidence,
} from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import {
  artifactHashOf,
  decodeRouterV1Calldata,
  launchPermitV1Of,
  permitV1Digest,
  recoverPermitSigner,
} from '@launch/evm';
import type { Checks } from '../checks.js';
import type { ProvenTarget } from './evidence.types.js';

/**
 * The bundle is about one V4 launch, as `checkIdentity` says of a multi-role one: context, hand-off, permit and signer
 * belong together. Null when the calldata is no launch through router V1.
 */
export function checkCustomIdentity(checks: Checks, evidence: CustomLaunchEvidence): ProvenTarget | null {
  const { launch, context, handoff } = evidence;
  const { walletTransaction } = handoff;
  checks.equal('launch.handoffSha256', canonicalSha256(handoff), launch.handoffSha256);
  for (const name of ['requestSha256', 'requestHash', 'contextHash', 'artifactHash', 'permitDigest'] as const)
    checks.equal(`launch.${name}`, handoff[name], launch[name]);
  checks.equal('handoff.contextHash', canonicalKeccak(context), handoff.contextHash);
  checks.equal('launch.finalityPolicyId', context.providerProfile.finalityPolicyId, evidence.finalityPolicyId);

  const said = checks.attempt('handoff.calldata', 'the one canonical encoding of a launch through router V1', () =>
    decodeRouterV1Calldata(walletTransaction.data),
  );
  if (
    !checks.holds(
      'handoff.entryPoint',
      'launch',
      said?.entryPoint === 'launch' ? null : (said?.entryPoint ?? 'none'),
    ) ||
    said?.entryPoint !== 'launch'
  )
    return null;
  const { permit, signature } = said;
  const router = { chainId: BigInt(CHAIN_ID), router: context.chainDeployment.router.address };
  const digest = permitV1Digest(router, permit);
  checks.equal('handoff.requestHash', permit.requestHash, handoff.requestHash);
  checks.equal('permit.contextHash', canonicalKeccak(context), permit.contextHash);
  checks.equal('handoff.permitDigest', digest, handoff.permitDigest);
  checks.equal('handoff.artifactHash', artifactHashOf(permit), handoff.artifactHash);
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
  const target = serviceLaunchTarget(handoff, context);
  if (target.provenBy !== 'stamp-v1' || target.transaction === null)
    throw new TypeError('a launch through router V1 is one exact transaction with a stamp');
  checks.equal('launch.onchainLaunchId', target.stamp.launchId, launch.onchainLaunchId);
  return { ...target, transaction: target.transaction };
}

/** The launch is the one that these bytes ask for: the permit commits to nothing else. */
export function checkCustomRequest(
  checks: Checks,
  { handoff, context }: CustomLaunchEvidence,
  bytes: Uint8Array | null,
): void {
  if (!checks.holds('pin.request', 'a V4 request', bytes === null ? 'too long' : null) || bytes === null) return;
  checks.equal('pin.request.sha256', sha256Digest(bytes), handoff.requestSha256);
  checks.equal('pin.request.hash', keccak256Hex(bytes), handoff.requestHash);
  const request = checks.attempt('pin.request.form', 'a V4 request', () =>
    anyCustomLaunchRequestSchema.parse(parseStrictJson(bytes)),
  );
  const permit = checks.attempt('pin.request.permit', 'a permit of router V1', () => {
    const said = decodeRouterV1Calldata(handoff.walletTransaction.data);
    return said.permit;
  });
  if (request === null || permit === null) return;
  const asked = launchPermitV1Of(request, context, permit);
  for (const name of Object.keys(permit) as (keyof typeof permit)[])
    checks.equal(`pin.request.permit.${name}`, String(asked[name]), String(permit[name]));
  checks.equal('pin.request.name', request.projectMetadata.name, handoff.metadata.name);
  checks.equal('pin.request.symbol', request.projectMetadata.symbol, handoff.metadata.symbol);
  checks.equal('pin.request.image', request.projectMetadata.image.sha256, handoff.metadata.imageSha256);
}
