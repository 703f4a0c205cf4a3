import { atomicLaunchTarget, routerV1Target, type LaunchTarget } from '@launch/chain';
import { canonicalJsonText, parseStrictJson } from '@launch/contracts/json';
import { planRequestSchema, type PlanStepEvidence, type StepProvenBy } from '@launch/contracts/plans';
import { canonicalKeccak, CHAIN_ID, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import {
  artifactHashOf,
  atomicDigest,
  decodeRouterV1Calldata,
  LAUNCH_MODES,
  launchPermitV1Of,
  onchainLaunchIdV1,
  permitV1Digest,
  signedPlanSteps,
  type Hex,
  type PlanStep,
  type RouterV1Invocation,
  type WalletCall,
} from '@launch/evm';
import type { Checks } from '../checks.js';
import { checkPermit, routerOfEvidence } from './permit.checks.js';

type Step = PlanStepEvidence['handoff']['step'];

/** A step's calls as router V1 reads them: one of a transaction, all of a batch. */
interface SaidStep {
  readonly calls: readonly WalletCall[];
  readonly invocations: readonly RouterV1Invocation[];
  /** The last call. All others carry the same permit. */
  readonly last: RouterV1Invocation;
}

const callsOf = (step: Step): readonly WalletCall[] =>
  (step.kind === 'atomic_launch' ? step.calls : [step.walletTransaction]).map(({ to, value, data }) => ({
    to,
    value: BigInt(value),
    data,
  }));

/** The evidence has no simulation: a replay checks a named transaction and searches no block. */
const NOT_SEARCHED = { blockNumber: '0' } as const;

/**
 * The bundle is about one step of a plan, as `checkCustomLaunchIdentity` says of a custom launch. Of the whole hand-off
 * it has this step alone, so its digest is not recomputed. Null when a call is not the one that the kind of the step
 * says.
 */
export function checkStepIdentity(checks: Checks, evidence: PlanStepEvidence): LaunchTarget | null {
  const { launch, context, handoff, finalityPolicyId } = evidence;
  const { step } = handoff;
  checks.equal('launch.contextHash', canonicalKeccak(context), launch.contextHash);
  checks.equal('launch.finalityPolicyId', context.providerProfile.finalityPolicyId, finalityPolicyId);
  const said = checks.attempt('handoff.calldata', 'the one canonical encoding of calls of router V1', () => read(step));
  if (said === null || !checkOrder(checks, step, said)) return null;
  const { calls, invocations, last } = said;
  const { permit, signature } = last;
  const digest = permitV1Digest(routerOfEvidence(evidence), permit);
  checks.holds(
    'handoff.permit',
    'one permit and one signature in every call',
    invocations.every(
      (one) => one.signature === signature && permitV1Digest(routerOfEvidence(evidence), one.permit) === digest,
    )
      ? null
      : 'calls show different ones',
  );
  const mode = step.kind === 'atomic_launch' ? LAUNCH_MODES.atomic : LAUNCH_MODES.sequential;
  checks.equal('permit.mode', String(mode), String(permit.mode));
  checkPermit(checks, context, {
    said: { permit, signature, digest, artifactHash: artifactHashOf(permit) },
    handoff: { ...launch, validAfter: handoff.validAfter, deadline: handoff.deadline },
    calls: calls.map(({ to, value }, index) => ({
      from: step.kind === 'atomic_launch' ? null : step.walletTransaction.from,
      to,
      value: String(value),
      permitted: invocations[index]!.entryPoint === 'register' ? permit.value : 0n,
    })),
  });
  if (step.kind === 'atomic_launch') checks.equal('handoff.digest', atomicDigest(digest, calls), step.digest);
  const target = targetOf(step, evidence);
  checks.equal('provenBy', provenBy(target), evidence.provenBy);
  checks.equal(
    'launch.onchainLaunchId',
    onchainLaunchIdV1(target, permit.controller, permit.nonce),
    launch.onchainLaunchId,
  );
  return target;
}

function read(step: Step): SaidStep {
  const calls = callsOf(step);
  const invocations = calls.map(({ data }) => decodeRouterV1Calldata(data));
  return { calls, invocations, last: invocations.at(-1)! };
}

/** Checks that each call has the step's entry point and ordinal. */
function checkOrder(checks: Checks, step: Step, { invocations, last }: SaidStep): boolean {
  const said = invocations.map((one) =>
    one.entryPoint === 'deployComponent' ? `deploy ${one.step.ordinal}` : one.entryPoint,
  );
  const deploys = (count: number): string[] => Array.from({ length: count }, (_none, ordinal) => `deploy ${ordinal}`);
  const components = last.entryPoint === 'register' ? last.call.components.length : 0;
  const expected: Readonly<Record<Step['kind'], readonly string[]>> = {
    deploy_component: [`deploy ${step.ordinal}`],
    register: ['register'],
    atomic_launch: [...deploys(components), 'register'],
  };
  const isOrdered = checks.equal('handoff.entryPoints', expected[step.kind].join(', '), said.join(', '));
  if (step.kind === 'register') checks.equal('handoff.ordinal', String(components), String(step.ordinal));
  return isOrdered;
}

function targetOf(step: Step, { context }: PlanStepEvidence): LaunchTarget {
  return step.kind === 'atomic_launch'
    ? atomicLaunchTarget({ chainId: context.chainId, calls: step.calls, simulation: NOT_SEARCHED }, context)
    : routerV1Target({ walletTransaction: step.walletTransaction, simulation: NOT_SEARCHED }, context);
}

function provenBy(target: LaunchTarget): StepProvenBy {
  if (target.provenBy === 'code') return 'transaction_and_code';
  return target.transaction === null ? 'stamp' : 'transaction_and_stamp';
}

/** Checks that these bytes request the plan of the step, call by call. */
export function checkPlanRequest(checks: Checks, evidence: PlanStepEvidence, bytes: Uint8Array | null): void {
  const { launch, context, handoff } = evidence;
  if (!checks.holds('pin.request', 'a plan', bytes === null ? 'too long' : null) || bytes === null) return;
  checks.equal('pin.request.sha256', sha256Digest(bytes), launch.requestSha256);
  checks.equal('pin.request.hash', keccak256Hex(bytes), launch.requestHash);
  const request = checks.attempt('pin.request.form', 'a plan', () => planRequestSchema.parse(parseStrictJson(bytes)));
  const said = checks.attempt('pin.request.permit', 'a permit of router V1', () => read(handoff.step).last);
  if (request === null || said === null) return;
  const { permit, signature } = said;
  const asked = launchPermitV1Of(request, context, permit);
  for (const name of Object.keys(permit) as (keyof typeof permit)[])
    checks.equal(`pin.request.permit.${name}`, String(asked[name]), String(permit[name]));
  const steps = checks.attempt('pin.request.steps', 'steps of a plan', () =>
    signedPlanSteps(request, context, { permit, signature }),
  );
  if (steps === null) return;
  const { step } = handoff;
  const own = steps.find(({ stepId }) => stepId === step.stepId);
  checks.equal(
    'pin.request.step',
    own === undefined ? 'no such step' : textOf(own, permit.controller),
    canonicalJsonText(step),
  );
}

/** Returns a step as its hand-off writes it. */
function textOf(step: PlanStep, from: Hex): string {
  const wire = ({ to, value, data }: WalletCall) => ({ to, value: String(value), data });
  if (step.kind === 'atomic_launch')
    return canonicalJsonText({ ...step, dependsOn: [...step.dependsOn], calls: step.calls.map(wire) });
  const { call, dependsOn, ...rest } = step;
  return canonicalJsonText({
    ...rest,
    dependsOn: [...dependsOn],
    walletTransaction: { from, chainId: String(CHAIN_ID), ...wire(call) },
  });
}
