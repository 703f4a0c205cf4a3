import { finalityGeneration, type FinalityEvidence } from '@launch/contracts/multi-role';
import { launchTarget, type MultiRoleTarget } from '@launch/chain';
import { artifactHash, decodeLaunchCalldata, permitDigest } from '@launch/evm';
import type { Checks } from '../checks.js';
import { checkBindings, checkPermit, launchCallOf, routerOfEvidence } from './permit.checks.js';

/**
 * Checks that the bundle is about one launch: the signed permit commits to its context, the bundle names its hand-off, and a
 * permit authority of that context signed it. Returns null if the calldata is not a launch.
 */
export function checkIdentity(checks: Checks, evidence: FinalityEvidence): MultiRoleTarget | null {
  const { launch, context, handoff } = evidence;
  checkBindings(checks, evidence);
  const said = checks.attempt('handoff.calldata', 'the one canonical encoding of a launch', () =>
    decodeLaunchCalldata(handoff.walletTransaction.data),
  );
  const generation = finalityGeneration(context);
  checks.holds('context.generation', 'v2 or v3', typeof generation === 'string' ? null : generation.invalid);
  if (said === null || typeof generation !== 'string') return null;
  const { call, permit, signature } = said;
  const digest = permitDigest(routerOfEvidence(evidence), permit);
  const kept = { permit, signature, digest, artifactHash: artifactHash(call) };
  checkPermit(checks, context, { said: kept, handoff, calls: [launchCallOf(handoff, permit)] });
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
