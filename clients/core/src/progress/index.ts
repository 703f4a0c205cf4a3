/** The gates before a launch and the goals of a wait, once for every client. */
export { closedGates } from './gates.js';
export { hasLaunchEnded, isLaunchAt, type LaunchGoal } from './launch-goals.js';
export { hasPlanEnded, isOffered, isPlanAt, type PlanGoal } from './plan-goals.js';
