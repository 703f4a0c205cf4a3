import type { LaunchFamily } from '@launch/contracts/states';
import type { ProjectionActivities } from './projection.activities.js';

/** Projects the decisions of workflows on launches of one family. A part lacks the activities that its family never needs. */
export type FamilyProjections = { readonly family: LaunchFamily } & Partial<ProjectionActivities>;
