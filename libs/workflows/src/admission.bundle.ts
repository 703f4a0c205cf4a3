/** Workflows hosted by the admission worker: the entry of its bundle. */
export { admitLaunch } from './admit-launch/admit-launch.workflow.js';
export { evaluateSource } from './evaluate-source/evaluate-source.workflow.js';
export { replayGate } from './replay-gate/replay-gate.workflow.js';
