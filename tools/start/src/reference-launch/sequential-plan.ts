import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import { PLAN_PATHS, planPreflightSchema, type PlanResource, planResourceSchema } from '@launch/contracts/plans';
import { isIncluded } from '@launch/contracts/states';
import { sendFromController } from './controller-wallet.js';
import { publishedRecord, CustomLaunchClient, type CustomLaunchOptions } from './custom-launch.js';
import { packPlanOnStack } from './pack-custom-launch.js';
import { issueControllerKey, ReferenceLaunchError } from './reference-launch.js';

export interface SequentialPlanResult {
  /** The plan's id. */
  readonly launchId: string;
  readonly resource: PlanResource;
  readonly record: CustomLaunchFinalized;
}

const route = (template: string): string => template.replace('{chainId}', '4663');
const PLANS = route(PLAN_PATHS.create);
const POLL_MS = 400;
const DEFAULT_TIMEOUT_MS = 240_000;
const OVER = ['action_required', 'failed', 'expired', 'superseded'];

/**
 * One sequential plan as a user makes it: preflighted, created, and each step sent by the controller's own wallet when it is
 * offered. No client names a transaction to the service.
 */
export async function runSequentialPlan(options: CustomLaunchOptions): Promise<SequentialPlanResult> {
  const { stack, workDir } = options;
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  let last = Date.now();
  const stage = (name: string, detail?: string): void => {
    const now = Date.now();
    options.onStage(name, now - last, detail);
    last = now;
  };
  const keep = (name: string, contents: Uint8Array | string): Promise<void> =>
    writeFile(path.join(workDir, name), contents, { mode: 0o600, flag: 'wx' });

  const { bytes: body, report } = await packPlanOnStack(stack, options.bundles, { mode: 'sequential' });
  const { requestSha256, idempotencyKey } = report;
  await keep('plan.json', body);
  stage('packed', `${report.byteLength} bytes, ${requestSha256}`);

  const client = new CustomLaunchClient(stack, options.apiKey ?? (await issueControllerKey(stack, 'reference-plan')));
  const preflight = await client.ask('POST', route(PLAN_PATHS.preflight), planPreflightSchema, { body });
  if (!preflight.launchEligibility.deployable)
    throw new ReferenceLaunchError(`the preflight answers ${findingsText(preflight.findings)}`);
  stage('preflighted', `${preflight.steps.length} steps`);

  const { planId } = await client.ask('POST', PLANS, planResourceSchema, { body, idempotencyKey });
  stage('reserved', planId);

  const wait = async (until: (plan: PlanResource) => boolean): Promise<PlanResource> => {
    for (;;) {
      const plan = await client.ask('GET', `${PLANS}/${planId}`, planResourceSchema);
      if (until(plan)) return plan;
      if (OVER.includes(plan.status))
        throw new ReferenceLaunchError(`the plan is ${plan.status}: ${findingsText(plan.findings)}`);
      if (Date.now() > deadline)
        throw new ReferenceLaunchError(
          `the plan is still ${plan.status}: ${plan.steps.map(({ stepId, status }) => `${stepId} ${status}`).join(', ')}`,
        );
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const stepOf = (plan: PlanResource, stepId: string) => plan.steps.find((step) => step.stepId === stepId)!;

  for (const { stepId } of preflight.steps) {
    const plan = await wait((one) => stepOf(one, stepId).authorization !== null);
    const { authorization } = stepOf(plan, stepId);
    if (authorization === null || authorization.requestSha256 !== requestSha256)
      throw new ReferenceLaunchError('the authorization is of another request');
    await keep(`${stepId}.json`, JSON.stringify(authorization, null, 2));
    const { from, to, chainId, value, data } = authorization;
    stage(`${stepId} offered`);
    const transactionHash = await sendFromController(stack, { from, to, chainId, value, data });
    await wait((one) => isIncluded(stepOf(one, stepId).status));
    stage(stepId === 'register' ? 'included' : `${stepId} included`, transactionHash);
  }
  const resource = await wait(({ status }) => status === 'finalized');
  stage('finalized', resource.updatedAt);

  const record = await publishedRecord(stack, planId);
  if (record.requestKind !== 'plan') throw new ReferenceLaunchError('the public record is of another launch');
  await keep('record.json', JSON.stringify(record, null, 2));
  stage('read from the public feed', `token ${record.market.token}`);
  return { launchId: planId, resource, record };
}

const findingsText = (findings: readonly { readonly code: string; readonly path: string }[]): string =>
  findings.map(({ code, path: at }) => `${code} ${at}`).join(', ');
