import type { CustomLaunchEvidence, FinalityEvidence, PlanStepEvidence } from '@launch/contracts';

/** The bundle of a launch of either family. */
export type LaunchEvidence = FinalityEvidence | CustomLaunchEvidence;

/** The bundle of a launch, or of one step of a plan. */
export type AnyEvidence = LaunchEvidence | PlanStepEvidence;
