import { planRequestSchema } from '@launch/contracts/plans';
import type { BoundRelease } from '../../../core/gates/custom-launch-release.js';

/** Plans are of profile 4.1 alone: a deployment of another takes no new ones, and what it has of them goes on. */
export const isOfPlanProfile = ({ profile }: BoundRelease): boolean =>
  profile === planRequestSchema.shape.profile.value;
