import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { launchSearchAttributes, startOnce } from '@launch/temporal';
import {
  admitWorkflowId,
  observeWorkflowId,
  planWorkflowId,
  preflightWorkflowId,
  PRIORITIES,
  STEP_PROOF_SIGNAL,
  TASK_QUEUES,
  TRANSACTION_HINT_SIGNAL,
  WORKFLOW_TYPES,
  type AdmitLaunchInput,
  type EvaluateSourceInput,
  type NamedProof,
  type ObserveLaunchInput,
  type RunPlanInput,
} from '@launch/contracts/orchestration';
import { createWorkflowTexts } from './workflow-texts.js';

/** Names the workflows of launches. */
export const LAUNCH_WORKFLOWS = Symbol('LaunchWorkflows');

/** A preflight that runs. */
export interface RunningEvaluation<Result> {
  result(): Promise<Result>;
  cancel(): Promise<void>;
}

export interface EvaluationOptions {
  /** Lineage of the caller's credential: tasks of different lineages are served in turns. */
  readonly lineageId: string;
  readonly executionTimeoutMs: number;
}

/** The gateway's calls to Temporal. Workflows are started by name: the gateway contains no workflow code. */
export interface LaunchWorkflows {
  /** Starts an admission unless it runs or has completed. */
  startAdmission(input: AdmitLaunchInput & { readonly launchId: string }, lineageId: string): Promise<void>;
  /** Starts an observation unless it runs or has completed; with `evenIfCompleted`, also after it completed. */
  startObservation(input: ObserveLaunchInput, options?: { readonly evenIfCompleted?: boolean }): Promise<void>;
  /** Starts a plan unless it runs or has completed; with `evenIfCompleted`, also after it completed. */
  startPlan(input: RunPlanInput, options?: { readonly evenIfCompleted?: boolean }): Promise<void>;
  /** Signals a hash to a running observation; false when none runs. */
  signalHint(launchId: string, transactionHash: string): Promise<boolean>;
  /** Signals a transaction that was named for a step to a running plan; false when none runs. */
  signalStepProof(planId: string, proof: NamedProof): Promise<boolean>;
  /** Starts an evaluation. Its result depends on the family: `MultiRoleEvaluation` or `PreflightJudgement`. */
  startEvaluation<Result>(
    preflightId: string,
    input: EvaluateSourceInput,
    options: EvaluationOptions,
  ): Promise<RunningEvaluation<Result>>;
}

/** @param publicOrigin where clients reach this gateway; null when not configured. */
export function createLaunchWorkflows(client: Client, publicOrigin: string | null): LaunchWorkflows {
  const texts = createWorkflowTexts(publicOrigin);
  const signalled = async (workflowId: string, signal: string, argument: unknown): Promise<boolean> => {
    try {
      await client.workflow.getHandle(workflowId).signal(signal, argument);
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  return {
    async startAdmission({ launchId, ...input }, lineageId) {
      const { controller, requestSha256, family } = input.ref;
      await startOnce(client, {
        workflowType: WORKFLOW_TYPES.admitLaunch,
        workflowId: admitWorkflowId(launchId),
        taskQueue: TASK_QUEUES.admission,
        args: [input],
        searchAttributes: launchSearchAttributes({ launchId, controller, stage: 'reserved', family }),
        memo: { launchId, controller, stage: 'reserved' },
        priority: { priorityKey: PRIORITIES.launch, fairnessKey: lineageId },
        ...texts.admission({ launchId, controller, requestSha256, family }),
      });
    },
    async startObservation(input, { evenIfCompleted = false } = {}) {
      const { launchId, controller, requestSha256, family } = input;
      await startOnce(client, {
        evenIfCompleted,
        workflowType: WORKFLOW_TYPES.observeLaunch,
        workflowId: observeWorkflowId(launchId),
        taskQueue: TASK_QUEUES.finality,
        args: [input],
        searchAttributes: launchSearchAttributes({ launchId, controller, stage: 'pending', family }),
        memo: { launchId, controller, stage: 'pending' },
        ...texts.observation({ launchId, controller, requestSha256, family }),
      });
    },
    async startPlan(input, { evenIfCompleted = false } = {}) {
      const { planId: launchId, controller, requestSha256 } = input;
      const stage = 'awaiting_wallet';
      await startOnce(client, {
        evenIfCompleted,
        workflowType: WORKFLOW_TYPES.runPlan,
        workflowId: planWorkflowId(launchId),
        taskQueue: TASK_QUEUES.finality,
        args: [input],
        searchAttributes: launchSearchAttributes({ launchId, controller, stage, family: 'plan.v1' }),
        memo: { launchId, controller, stage },
        ...texts.plan({ launchId, controller, requestSha256 }),
      });
    },
    signalHint: (launchId, transactionHash) =>
      signalled(observeWorkflowId(launchId), TRANSACTION_HINT_SIGNAL, transactionHash),
    signalStepProof: (planId, proof) => signalled(planWorkflowId(planId), STEP_PROOF_SIGNAL, proof),
    async startEvaluation<Result>(
      preflightId: string,
      input: EvaluateSourceInput,
      { lineageId, executionTimeoutMs }: EvaluationOptions,
    ) {
      const handle = await client.workflow.start<(input: EvaluateSourceInput) => Promise<Result>>(
        WORKFLOW_TYPES.evaluateSource,
        {
          workflowId: preflightWorkflowId(preflightId),
          taskQueue: TASK_QUEUES.admission,
          args: [input],
          workflowExecutionTimeout: executionTimeoutMs,
          priority: { priorityKey: PRIORITIES.preflight, fairnessKey: lineageId },
          typedSearchAttributes: launchSearchAttributes({
            launchId: preflightId,
            controller: input.ref.controller,
            stage: 'preflight',
            family: input.ref.family,
          }),
          memo: { preflightId, controller: input.ref.controller },
          ...texts.preflight(preflightId, input.ref.controller, input.ref.requestSha256),
        },
      );
      return { result: () => handle.result(), cancel: async () => void (await handle.cancel()) };
    },
  };
}
