import type {
  AdmissionActivities,
  CompilationActivities,
  CustodyOperations,
  FinalityActivities,
  GatewayActivities,
  IndexerActivities,
  LongCompilationActivities,
  ModuleBuildActivities,
  ModuleGatewayActivities,
  ModuleReviewActivities,
  PlanAdmissionActivities,
  PlanFinalityActivities,
  PlanGatewayActivities,
} from '@launch/contracts/orchestration';

type Steps = AdmissionActivities &
  CompilationActivities &
  LongCompilationActivities &
  CustodyOperations &
  FinalityActivities &
  GatewayActivities &
  IndexerActivities &
  ModuleBuildActivities &
  ModuleGatewayActivities &
  ModuleReviewActivities &
  PlanAdmissionActivities &
  PlanFinalityActivities &
  PlanGatewayActivities;

/** A one-line summary of each activity for the Temporal UI; a new activity does not compile without one. */
const STEP_SUMMARIES: Readonly<Record<keyof Steps, string>> = {
  judgePreflight: 'Run every check of a preflight',
  compileRequest: 'Compile the sources and match the bytecode',
  compileLongRequest: 'Compile slow sources and match the bytecode',
  judgeRequest: 'Judge the request: graph, economics, receipt',
  issueRefusal: 'Issue the signed refusal',
  rehearseLaunch: 'Rehearse the launch before a permit exists',
  readUsdReference: 'Read the price of one US dollar on both chains',
  simulateHandoff: 'Simulate the exact signed transaction',
  signPermit: 'Commit to the permit digest and sign it',
  refuseLaunch: 'Refuse the launch and free its nonce',
  observe: 'Observe the launch on both chains',
  buildFinalizedRecord: 'Build the public finalized record',
  finalizedHead: 'Read the finalized block of both observers',
  scanStamps: 'Search finalized blocks for launch stamps',
  commitCheckpoint: 'Move the checkpoint of the search',
  recoveryTargets: 'Name the routers to search',
  resolveStamps: 'Report the found stamps to the observations',
  recordRecovery: 'Record the progress of the search',
  authorizationGate: 'Check whether permits may be signed now',
  recordAdmitting: 'Record: admission continues',
  recordAssessment: 'Record the source decision',
  recordRefused: 'Record: the launch is refused',
  recordHandoff: 'Publish the wallet hand-off',
  recordAwaitingSignature: 'Record: the launch awaits its signature',
  recordSubmitted: 'Record the transaction that was sent',
  recordWalletState: 'Record why the wallet waits',
  recordFinality: 'Record the observation',
  recordFinalized: 'Publish the finalized record',
  recordFailed: 'Record: the launch failed',
  recordExpired: 'Record: the launch expired',
  readPlan: 'Read the steps of the plan',
  observeStep: 'Observe a step on both chains',
  simulateStep: 'Simulate a step at the head',
  buildPlanRecord: 'Build the public record of the plan',
  recordPlanSteps: 'Record the state of the steps',
  recordPlanEnded: 'Record: the plan ended',
  followSource: 'Read and verify range by range, and admit what is final',
  requestRescan: 'Schedule blocks for another read',
  rejudgeEvent: 'Judge a quarantined log again',
  dismissEvent: 'Take a quarantined log out of the counts',
  holdPlace: 'Keep a block or a transaction out of the index',
  releasePlace: 'Schedule a held place for another read',
  openReview: 'Open the review, or find the existing one',
  judgePlan: 'Judge the build plan',
  judgeDecision: "Judge the reviewer's signed decision",
  prepareBuild: 'Choose the builds to compare with',
  attestBuilder: 'Ask for a builder of the reviewer policy',
  buildModule: 'Build the plan twice in isolation and sign',
  checkBuild: 'Verify the signature of the build result',
  moveReview: 'Record a step of the review',
  recordReview: 'Show the state of the review to its author',
};

export const stepSummary = (step: string): string => STEP_SUMMARIES[step as keyof Steps] ?? step;
