import type { AnyCustomLaunchRequest } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { PlanRequest } from '@launch/contracts/plans';
import { judgedCustomLaunch, launchV1Commitments, planStepsOf } from '@launch/evm';

/** The commitments of a packed request in its context, as its packing report has them. */
export interface Commitments {
  readonly artifactHash: string;
  readonly onchainLaunchId: string;
  /** The ids of a plan's steps, in order. */
  readonly stepIds?: readonly string[];
}

/** Computes the commitments of a request or a plan in its context. */
export function commitmentsOf(
  request: AnyCustomLaunchRequest | PlanRequest,
  context: CustomLaunchContext,
): Commitments {
  if (!('mode' in request)) {
    const { artifactHash, onchainLaunchId } = launchV1Commitments(judgedCustomLaunch(request, context), context);
    return { artifactHash, onchainLaunchId };
  }
  const { artifactHash, onchainLaunchId } = launchV1Commitments(request, context);
  return { artifactHash, onchainLaunchId, stepIds: planStepsOf(request).map(({ stepId }) => stepId) };
}
