import { type CustomLaunchHandoff, customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import { customLaunchFindingOf, travellingFindings } from '@launch/contracts/errors';
import type { SignedPermit } from '@launch/contracts/orchestration';
import { planHandoffSchema, type PlanHandoff, type PlanHandoffStep } from '@launch/contracts/plans';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import {
  type JudgedCustomLaunch,
  type LaunchPermitV1,
  launchV1Calls,
  launchV1Commitments,
  launchV1RehearsalOf,
  permitV1FromWire,
  revertFinding,
  signedPlanSteps,
  type WalletCall,
} from '@launch/evm';
import {
  CUSTOM_LAUNCH_DEPLOYMENT,
  CUSTOM_LAUNCH_ECONOMICS,
  CUSTOM_LAUNCH_EXTERNALS,
  CUSTOM_LAUNCH_GRAPH,
  CUSTOM_LAUNCH_SCAN,
  CUSTOM_LAUNCH_SOURCE,
  CUSTOM_LAUNCH_USD,
  customLaunchFindings,
  economicsOf,
  judge,
} from '@launch/launch-rules';
import { AdmissionError } from '../admission.error.js';
import type { HandoffFacts, JudgedLaunch } from './judged-launch.js';

interface SignedV1 {
  readonly permit: LaunchPermitV1;
  readonly signature: SignedPermit['signature'];
}

/** Creates the judgement of a custom launch or a plan, which goes through router V1 and names its context by hash. */
export function customLaunch(family: CustomLaunchFamily, request: JudgedCustomLaunch): JudgedLaunch {
  const { context } = request;
  const commitments = () => launchV1Commitments(request, context);
  const from = request.launchWallet;
  return {
    family,
    request,
    artifactHash: () => commitments().artifactHash,
    reportedFindings: (findings) => customLaunchFindings(findings, { request }),
    refusing: travellingFindings,
    scan: () => judge(CUSTOM_LAUNCH_SCAN, { request }),
    source: () => judge(CUSTOM_LAUNCH_SOURCE, { request }),
    graph: (facts) => judge(CUSTOM_LAUNCH_GRAPH, { request, ...facts }),
    externals: (externalCodes) => judge(CUSTOM_LAUNCH_EXTERNALS, { request, externalCodes }),
    deployment: (materialized) => judge(CUSTOM_LAUNCH_DEPLOYMENT, { request, materialized }),
    economics() {
      const economics = economicsOf(request);
      return { findings: judge(CUSTOM_LAUNCH_ECONOMICS, { economics }), verdict: economics() };
    },
    rehearsal: (economicsHash, requestHash, storage) =>
      launchV1RehearsalOf(request, context, { requestHash, economicsHash }, storage),
    reverted: (data, message) => customLaunchFindingOf(revertFinding(data, message, 'funding')),
    transactions: (signed) => launchV1Calls(request, context, signedV1(signed)).map((call) => ({ from, ...call })),
    initialBuy:
      request.funding.kind === 'none'
        ? null
        : {
            feeds: context.chainDeployment.usdReference,
            judge: (oneUsdReferenceWei) => judge(CUSTOM_LAUNCH_USD, { request, oneUsdReferenceWei }),
          },
    maxGasCostWei: BigInt(request.budgets.maxGasCostWei),
    handoff: (facts) => (request.schemaVersion === 'service.custom-launch-plan.v1' ? plan(facts) : launch(facts)),
  };

  function bound({ ref, signed, createdAt, simulation, usdReference }: HandoffFacts) {
    const { validAfter, deadline } = request.permitWindow;
    return {
      requestSha256: ref.requestSha256,
      requestHash: ref.requestHash,
      contextHash: ref.contextHash,
      artifactHash: commitments().artifactHash,
      permitDigest: signed.permitDigest,
      validAfter,
      deadline,
      createdAt,
      simulation,
      usdReference,
    };
  }

  function launch(facts: HandoffFacts): CustomLaunchHandoff {
    const { name, symbol, image } = request.projectMetadata;
    const [call] = launchV1Calls(request, context, signedV1(facts.signed));
    return customLaunchHandoffSchema.parse({
      schemaVersion: 'service.custom-launch-wallet-handoff.v4',
      ...bound(facts),
      metadata: { name, symbol, imageSha256: image.sha256 },
      expiresAt: new Date(Number(request.permitWindow.deadline) * 1_000).toISOString(),
      walletTransaction: transactionOf(call!),
    } satisfies CustomLaunchHandoff);
  }

  function plan(facts: HandoffFacts): PlanHandoff {
    if (request.schemaVersion !== 'service.custom-launch-plan.v1') throw new TypeError('a plan hands off its steps');
    const steps = signedPlanSteps(request, context, signedV1(facts.signed)).map((step): PlanHandoffStep =>
      step.kind === 'atomic_launch'
        ? {
            kind: step.kind,
            stepId: step.stepId,
            ordinal: step.ordinal,
            dependsOn: [],
            calls: step.calls.map(callOf),
            digest: step.digest,
          }
        : {
            kind: step.kind,
            stepId: step.stepId,
            ordinal: step.ordinal,
            dependsOn: [...step.dependsOn],
            walletTransaction: transactionOf(step.call),
          },
    );
    return planHandoffSchema.parse({
      schemaVersion: 'service.custom-launch-plan-handoff.v1',
      planId: facts.ref.launchId,
      ...bound(facts),
      steps,
    } satisfies PlanHandoff);
  }

  function transactionOf(call: WalletCall): CustomLaunchHandoff['walletTransaction'] {
    return { from, chainId: '4663', ...callOf(call) };
  }
}

const callOf = ({ to, value, data }: WalletCall) => ({ to, value: value.toString(), data });

/** @throws AdmissionError `PERMIT_OF_ANOTHER_ROUTER` for a permit of another router than V1. */
function signedV1({ permit, signature }: SignedPermit): SignedV1 {
  if (!('stepsHash' in permit)) throw new AdmissionError('PERMIT_OF_ANOTHER_ROUTER', 'the permit is not of router V1');
  return { permit: permitV1FromWire(permit), signature };
}
