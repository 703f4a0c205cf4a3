import type { CustomLaunchEvidence } from '@launch/contracts/custom-launch';
import type { FinalityEvidence } from '@launch/contracts/multi-role';
import type { PlanStepEvidence } from '@launch/contracts/plans';

/** The bundle of a launch of either family. */
export type LaunchEvidence = FinalityEvidence | CustomLaunchEvidence;

/** The bundle of a launch, or of one step of a plan. */
export type AnyEvidence = LaunchEvidence | PlanStepEvidence;
