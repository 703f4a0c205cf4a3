import { EvmError, recoverPermitSigner, type Hex } from '@launch/evm';
import { callField, shownAmount, shownTime } from './call-fields.js';
import { dataChecks } from './compare-calldata.js';
import { compared, unknown } from './comparison.js';
import { explainLaunch, type ExplainedStep } from './explain-launch.js';
import { graphChecks } from './graph-checks.js';
import type { HandoffCheck, HandoffClaim, HandoffReview, TrustedDeployment } from './handoff.types.js';
import { readHandoff, type ClaimedHandoff } from './read-handoff.js';
import {
  LAUNCH_STEP,
  recomputeLaunch,
  type RecomputedLaunch,
  type SignedPermit,
  type SignedStep,
} from './read-request.js';

/** Chain of every hand-off. */
const CHAIN_ID = '4663';

/**
 * Compares a hand-off with the request that it claims to carry out. Pure: the same input gives the same result, in a browser and
 * in a terminal. Every value that the request, its context and the trusted deployment determine is recomputed.
 *
 * It throws nothing for a malformed claim: a check says which part cannot be read.
 */
export function reviewHandoff(claim: HandoffClaim): HandoffReview {
  const launch = readPart('request', 'the request that you packed', () => recomputeLaunch(claim));
  const handoff = readPart('handoff', 'the hand-off of the service', () => readHandoff(claim));
  if (!launch.ok || !handoff.ok)
    return {
      family: claim.family,
      checks: [launch, handoff].flatMap((part) => (part.ok ? [] : [part.check])),
      transaction: null,
    };
  return reviewParts(claim, launch.value, handoff.value);
}

function reviewParts(claim: HandoffClaim, launch: RecomputedLaunch, handoff: ClaimedHandoff): HandoffReview {
  const { family } = claim;
  const ofRequest = requestChecks(claim, launch);
  // Under other terms nothing below has a meaning: the router, the signers and the recipients are those of the terms.
  if (launch.contextHash !== launch.namedContextHash) return { family, checks: ofRequest, transaction: null };
  const before = [...ofRequest, ...deploymentChecks(claim.trusted, launch), ...graphChecks(launch)];
  const [first] = handoff.calls;
  const signed = readPart('calldata', 'the data of the transaction', () => launch.decode(first!.data));
  if (!signed.ok) return { family, checks: [...before, signed.check], transaction: null };
  const { permit, checks: ofPermit } = permitChecks(launch, signed.value);
  const digest = launch.digestOf(permit);
  const steps = launch.stepsOf({ permit, signature: signed.value.signature });
  const signer = readPart('signature', 'the signature of the permit', () =>
    recoverPermitSigner(digest, signed.value.signature),
  );
  if (!signer.ok) return { family, checks: [...before, ...ofPermit, signer.check], transaction: null };
  const checks = [
    ...before,
    ...ofPermit,
    memberOf('signer', 'the signer of the permit', signer.value, launch.context.chainBindings.permitAuthorities),
    ...callChecks(claim, launch, steps, handoff),
    ...statedChecks(launch, handoff, digest),
  ];
  return {
    family,
    checks,
    transaction: {
      controller: permit.controller,
      router: launch.context.chainDeployment.router.address,
      signer: signer.value,
      nonce: permit.nonce,
      validAfter: permit.validAfter,
      deadline: permit.deadline,
      permitDigest: digest,
      calls: handoff.calls,
      isBatch: handoff.isBatch,
      facts: explainLaunch(launch, permit, explainedStep(claim, steps)),
    },
  };
}

/** Returns the step that the claim is about. A check refuses one that the request does not have, so its place has no meaning. */
function explainedStep({ stepId = LAUNCH_STEP }: HandoffClaim, steps: readonly SignedStep[]): ExplainedStep {
  const index = steps.findIndex((one) => one.stepId === stepId);
  const value = (steps[index]?.calls ?? []).reduce((sum, call) => sum + call.value, 0n);
  return { stepId, index, count: steps.length, value };
}

/** Whether every value agrees: the condition under which a wallet may be asked to sign. */
export const agreesThroughout = ({ checks, transaction }: HandoffReview): boolean =>
  transaction !== null && checks.length > 0 && checks.every(({ verdict }) => verdict === 'agrees');

const OTHER_REQUEST = 'Open the link that your client printed, or load the request that you packed.';
const OTHER_TERMS =
  'Do not sign. The service publishes other terms now than when you packed, and only those of your request could verify the called contract, the signer of the permit, the pool and the fees of the platform. Pack a new request.';
const NEW_CONTEXT = 'Ask the operator of this page to review the deployment. Do not sign before they trust it.';

function requestChecks({ expectedRequestSha256 }: HandoffClaim, launch: RecomputedLaunch): HandoffCheck[] {
  const { requestSha256, contextHash, namedContextHash } = launch;
  return [
    ...(expectedRequestSha256 === undefined
      ? []
      : [
          compared({
            id: 'request.expected',
            subject: 'the request of your link',
            claimed: requestSha256,
            computed: `sha256:${expectedRequestSha256}`,
            remedy: OTHER_REQUEST,
          }),
        ]),
    compared({
      id: 'context.hash',
      subject: 'the hash of the terms that the request names',
      claimed: contextHash,
      computed: namedContextHash,
      remedy: OTHER_TERMS,
    }),
  ];
}

function deploymentChecks(
  trusted: readonly TrustedDeployment[],
  { family, context, contextHash }: RecomputedLaunch,
): HandoffCheck[] {
  const known = trusted.find((one) => one.family === family && one.contextHash === contextHash);
  if (known === undefined)
    return [unknown('deployment.trusted', 'the deployment that the terms name', contextHash, NEW_CONTEXT)];
  const { router, poolManager } = context.chainDeployment;
  const pairs = [
    ['deployment.router', 'the router', router.address, known.router],
    ['deployment.code', 'the code of the router', router.runtimeCodeHash, known.routerCodeHash],
    ['deployment.pool-manager', 'the pool manager', poolManager.address, known.poolManager],
    [
      'deployment.authorities',
      'the list of permit authorities',
      context.chainBindings.permitAuthorities,
      known.permitAuthorities,
    ],
  ] as const;
  return pairs.map(([id, subject, claimed, computed]) =>
    compared({ id, subject, claimed, computed, remedy: NEW_CONTEXT }),
  );
}

const memberOf = (id: string, subject: string, claimed: Hex, allowed: readonly Hex[]): HandoffCheck =>
  compared({ id, subject, claimed, computed: allowed.includes(claimed) ? claimed : allowed.join(' or ') });

/** Compares the permit with the one that the request determines, and returns the latter. */
function permitChecks(launch: RecomputedLaunch, { permit: claimed }: SignedPermit) {
  const { economics } = launch;
  const ours = launch.permitOf(economics.kind === 'recognised' ? economics.economicsHash : claimed.economicsHash);
  const checks = Object.entries(ours).map(([name, computed]) => {
    const id = `permit.${name}`;
    const { subject, show } = callField(id, launch);
    const value = (claimed as unknown as Record<string, unknown>)[name];
    return name === 'economicsHash' && economics.kind !== 'recognised'
      ? unknown(id, subject, value)
      : compared({ id, subject, claimed: value, computed, show });
  });
  return { permit: ours, checks };
}

function callChecks(
  { stepId = LAUNCH_STEP }: HandoffClaim,
  launch: RecomputedLaunch,
  steps: readonly SignedStep[],
  handoff: ClaimedHandoff,
): HandoffCheck[] {
  const step = steps.find((one) => one.stepId === stepId);
  if (step === undefined) return [unknown('step', 'the step of the plan', stepId)];
  const checks = [
    compared({
      id: 'calls',
      subject: 'the number of calls',
      claimed: handoff.calls.length,
      computed: step.calls.length,
    }),
    ...step.calls.flatMap((call, index) => {
      const claimed = handoff.calls[index];
      const suffix = step.calls.length === 1 ? '' : ` of call ${index + 1}`;
      return [
        compared({
          id: `call.${index}.to`,
          subject: `the called contract${suffix}`,
          claimed: claimed?.to,
          computed: call.to,
        }),
        compared({
          id: `call.${index}.value`,
          subject: `the amount sent${suffix}`,
          claimed: claimed?.value,
          computed: call.value,
          show: shownAmount,
        }),
        ...dataChecks(launch, { index, suffix }, claimed?.data, call.data),
      ];
    }),
  ];
  if (handoff.digest !== undefined)
    checks.push(
      compared({
        id: 'batch.digest',
        subject: 'the digest of the batch',
        claimed: handoff.digest,
        computed: step.digest,
      }),
    );
  return checks;
}

/** Members that the hand-off states besides its transaction. */
function statedChecks(launch: RecomputedLaunch, handoff: ClaimedHandoff, permitDigest: Hex): HandoffCheck[] {
  const { request } = launch;
  const { validAfter, deadline } = request.permitWindow;
  const { name, symbol, image } = request.projectMetadata;
  const stated: readonly (readonly [
    id: string,
    subject: string,
    claimed: unknown,
    computed: unknown,
    show?: (value: unknown) => string,
  ])[] = [
    ['from', 'the sending wallet', handoff.from, request.launchWallet],
    ['chain', 'the chain', handoff.chainId, CHAIN_ID],
    ['window.start', 'the start of the permit window', handoff.validAfter, validAfter, shownTime],
    ['window.end', 'the end of the permit window', handoff.deadline, deadline, shownTime],
    ['expiry', 'the expiry', handoff.expiresAt && Date.parse(handoff.expiresAt) / 1_000, deadline, shownTime],
    ['request.sha256', 'the digest of the request', handoff.requestSha256, launch.requestSha256],
    ['request.hash', 'the hash of the request', handoff.requestHash, launch.requestHash],
    ['context', 'the hash of the terms', handoff.contextHash, launch.contextHash],
    ['artifact', 'the hash of the launch', handoff.artifactHash, launch.artifactHash],
    ['permit.digest', 'the digest of the permit', handoff.permitDigest, permitDigest],
    ['name', 'the name of the token', handoff.metadata?.name, name],
    ['symbol', 'the symbol of the token', handoff.metadata?.symbol, symbol],
    ['image', 'the digest of the image', handoff.metadata?.imageSha256, image.sha256],
  ];
  return stated.flatMap(([id, subject, claimed, computed, show = String]) =>
    claimed === null || claimed === undefined
      ? []
      : [compared({ id: `stated.${id}`, subject, claimed, computed, show })],
  );
}

type Part<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly check: HandoffCheck };

function readPart<Value>(id: string, subject: string, read: () => Value): Part<Value> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return { ok: false, check: { ...unknown(id, subject, 'unreadable'), computed: reasonOf(error) } };
  }
}

const REASON_LENGTH = 300;
const reasonOf = (error: unknown): string => {
  if (error instanceof EvmError) return error.code;
  return error instanceof Error ? error.message.slice(0, REASON_LENGTH) : 'unreadable';
};
