/** Argument schemas of activities, for the edge of a worker. Workflow code uses the types in `/orchestration`. */
export type { ActivitiesOf, ActivityInputs } from './activity-inputs.js';
export { inputsOf, placesOf } from './activity-inputs.js';
export { admissionInputs, permitFieldsSchema, permitFieldsV1Schema } from './admission.inputs.js';
export { compilationInputs, longCompilationInputs } from './compilation.inputs.js';
export { custodyInputs } from './custody.inputs.js';
export { finalityInputs } from './finality.inputs.js';
export { ethereumFeedInputs } from './ethereum-feed.inputs.js';
export { gatewayInputs } from './gateway.inputs.js';
export { findingsSchema, launchFamilySchema } from './launch.inputs.js';
export {
  admissionStatement,
  observationStatement,
  recordStatement,
  stepObservationStatement,
  stepSimulationStatement,
} from './statements.js';
export { indexerInputs } from './indexing.inputs.js';
export { moduleBuildInputs } from './module-build.inputs.js';
export { moduleGatewayInputs } from './module-gateway.inputs.js';
export { moduleReviewInputs } from './module-review.inputs.js';
export { replayGateInputs } from './replay-gate.inputs.js';
export { reviewReadinessInputs } from './review-readiness.inputs.js';
export { planAdmissionInputs, planFinalityInputs, planGatewayInputs } from './plan.inputs.js';
