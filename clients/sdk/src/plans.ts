/** The client of sequential and atomic plans. */
export {
  createPlanClient,
  type ListedPlan,
  type OfferedStep,
  type Plan,
  type PlanClient,
  type PlanPage,
  type PlanPreflight,
  type PlanStep,
  type StepWaitOptions,
  type SubmittedPlan,
} from './plans/plan-client.js';
export { LaunchClientError } from './transport/launch-client.error.js';
