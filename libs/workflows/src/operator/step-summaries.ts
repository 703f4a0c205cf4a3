import type {
  AdmissionActivities,
  CompilationActivities,
  CustodyActivities,
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
  CustodyActivities &
  FinalityActivities &
  GatewayActivities &
  IndexerActivities &
  ModuleBuildActivities &
  ModuleGatewayActivities &
  ModuleReviewActivities &
  PlanAdmissionActivities &
  PlanFinalityActivities &
  PlanGatewayActivities;

/** What each activity does, as one line beside its event in the Temporal UI; a new activity does not compile without one. */
const STEP_SUMMARIES: Readonly<Record<keyof Steps, string>> = {
  judgePreflight: 'Judge a preflight: every check of it',
  compileRequest: 'Compile the sources and match the bytecode',
  compileLongRequest: 'Compile sources that take long, and match the bytecode',
  judgeRequest: 'Judge the request: graph, economics, receipt',
  issueRefusal: 'Issue the signed refusal',
  rehearseLaunch: 'Rehearse the launch before a permit exists',
  readUsdReference: 'Read what one US dollar is worth, on both chains',
  simulateHandoff: 'Simulate the exact signed transaction',
  signPermit: 'Commit to the permit digest and sign it',
  refuseLaunch: 'Refuse the launch and free its nonce',
  observe: 'Look at the launch on both chains',
  buildFinalizedRecord: 'Build the public finalized record',
  finalizedHead: 'Read the finalized block of both observers',
  scanStamps: 'Search finalized blocks for launch stamps',
  commitCheckpoint: 'Move the checkpoint of the search',
  recoveryTargets: 'Name the routers to search',
  resolveStamps: 'Tell observations of the stamps found',
  recordRecovery: 'Record how far the search is',
  authorizationGate: 'Ask whether permits may be signed now',
  recordAdmitting: 'Record: admission goes on',
  recordAssessment: 'Record the source decision',
  recordRefused: 'Record: the launch is refused',
  recordHandoff: 'Publish the wallet hand-off',
  recordAwaitingSignature: 'Record: the launch awaits its signature',
  recordSubmitted: 'Record the transaction that was sent',
  recordWalletState: 'Record what the wallet is waited for',
  recordFinality: 'Record what was observed',
  recordFinalized: 'Publish the finalized record',
  recordFailed: 'Record: the launch failed',
  recordExpired: 'Record: the launch expired',
  readPlan: 'Read the steps of the plan',
  observeStep: 'Look at a step on both chains',
  simulateStep: 'Simulate a step at the head',
  buildPlanRecord: 'Build the public record of the plan',
  recordPlanSteps: 'Record where the steps stand',
  recordPlanEnded: 'Record: the plan ended',
  followSource: 'Read and verify range by range, and admit what is final',
  requestRescan: 'Have blocks read again',
  rejudgeEvent: 'Judge a quarantined log again',
  dismissEvent: 'Take a quarantined log out of the counts',
  holdPlace: 'Keep a block or a transaction out of the index',
  releasePlace: 'Have a held place read again',
  openReview: 'Open the review, or find it where it stands',
  judgePlan: 'Judge the build plan',
  judgeDecision: "Judge the reviewer's signed decision",
  prepareBuild: 'Name what the build is compared with',
  attestBuilder: 'Ask for a builder of the reviewer policy',
  buildModule: 'Build the plan twice, apart, and sign',
  checkBuild: 'Check whose build result it is',
  moveReview: 'Record a step of the review',
  recordReview: 'Show the author where the review stands',
};

export const stepSummary = (step: string): string => STEP_SUMMARIES[step as keyof Steps] ?? step;
