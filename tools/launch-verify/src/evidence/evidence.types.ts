import type { MultiRoleTarget, StampedTarget } from '@launch/chain';
import type { CustomLaunchEvidence, FinalityEvidence } from '@launch/contracts';

/** The bundle of a launch of either family. */
export type AnyEvidence = FinalityEvidence | CustomLaunchEvidence;

/** What a bundle is about: one exact transaction, and the stamp that it must leave. */
export type ProvenTarget = MultiRoleTarget | (StampedTarget & Pick<MultiRoleTarget, 'transaction'>);
