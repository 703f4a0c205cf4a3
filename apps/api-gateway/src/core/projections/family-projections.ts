import type { LaunchFamily } from '@launch/contracts/states';
import type { ProjectionActivities } from './projection.activities.js';

/** How launches of one family show what the workflows decided. What a family never does, its part does not have. */
export type FamilyProjections = { readonly family: LaunchFamily } & Partial<ProjectionActivities>;
