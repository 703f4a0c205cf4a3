/** Workflows hosted by the finality worker: the entry of its bundle. */
export { observeLaunch } from './observe-launch/observe-launch.workflow.js';
export { runPlan } from './run-plan/run-plan.workflow.js';
export { recoverLaunches } from './recover-launches/recover-launches.workflow.js';
export { replayGate } from './replay-gate/replay-gate.workflow.js';
