import { routerV1Target, type LaunchTarget } from '@launch/chain';
import { anyCustomLaunchRequestSchema, type CustomLaunchEvidence } from '@launch/contracts/custom-launch';
import { parseStrictJson } from '@launch/contracts/json';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import { artifactHashOf, decodeRouterV1Calldata, launchPermitV1Of, permitV1Digest } from '@launch/evm';
import type { Checks } from '../checks.js';
import { checkBindings, checkPermit, launchCallOf, routerOfEvidence } from './permit.checks.js';

/**
 * Checks that the bundle is about one custom launch, as `checkIdentity` does for a multi-role launch: context,
 * hand-off, permit and signer belong together. Returns null unless the calldata is a launch through router V1.
 */
export function checkCustomLaunchIdentity(checks: Checks, evidence: CustomLaunchEvidence): LaunchTarget | null {
  const { launch, context, handoff } = evidence;
  checkBindings(checks, evidence);
  const said = checks.attempt('handoff.calldata', 'the one canonical encoding of a launch through router V1', () =>
    decodeRouterV1Calldata(handoff.walletTransaction.data),
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
  const digest = permitV1Digest(routerOfEvidence(evidence), permit);
  const kept = { permit, signature, digest, artifactHash: artifactHashOf(permit) };
  checkPermit(checks, context, { said: kept, handoff, calls: [launchCallOf(handoff, permit)] });
  const target = routerV1Target(handoff, context);
  if (target.provenBy !== 'stamp-v1' || target.transaction === null)
    throw new TypeError('a launch through router V1 is one exact transaction with a stamp');
  checks.equal('launch.onchainLaunchId', target.stamp.launchId, launch.onchainLaunchId);
  return target;
}

/** Checks that these bytes request the launch: the permit commits to nothing else. */
export function checkCustomLaunchRequest(
  checks: Checks,
  { handoff, context }: CustomLaunchEvidence,
  bytes: Uint8Array | null,
): void {
  if (!checks.holds('pin.request', 'a custom-launch request', bytes === null ? 'too long' : null) || bytes === null)
    return;
  checks.equal('pin.request.sha256', sha256Digest(bytes), handoff.requestSha256);
  checks.equal('pin.request.hash', keccak256Hex(bytes), handoff.requestHash);
  const request = checks.attempt('pin.request.form', 'a custom-launch request', () =>
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
