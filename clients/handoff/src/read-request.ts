import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { parseStrictJson } from '@launch/contracts/json';
import { customLaunchContextSchema, type AnyLaunchContext, type JudgedRequest } from '@launch/contracts/launch';
import { createRequestSchema } from '@launch/contracts/multi-role';
import { planRequestSchema } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex, sha256Digest } from '@launch/contracts/primitives';
import {
  artifactHash,
  decodeLaunchCalldata,
  decodeRouterV1Calldata,
  encodeLaunchCalldata,
  judgedCustomLaunch,
  launchCallOf,
  launchPermitOf,
  launchPermitV1Of,
  launchV1CallOf,
  launchV1Calls,
  permitDigest,
  permitV1Digest,
  recogniseEconomics,
  routerOf,
  routerV1Of,
  signedPlanSteps,
  type EconomicsVerdict,
  type Hex,
  type LaunchCall,
  type LaunchPermit,
  type LaunchPermitV1,
} from '@launch/evm';
import type { HandoffClaim, ReviewedCall } from './handoff.types.js';

type AnyPermit = LaunchPermit | LaunchPermitV1;

/** A permit with its signature, as calldata contains them. */
export interface SignedPermit {
  readonly permit: AnyPermit;
  readonly signature: Hex;
}

/** A call of a router in its parts. */
export type Invocation = ReturnType<typeof decodeLaunchCalldata> | ReturnType<typeof decodeRouterV1Calldata>;

/** The calls of a step, as the wallet sends them. */
export interface SignedStep {
  readonly stepId: string;
  readonly calls: readonly ReviewedCall[];
  /** Digest of an atomic batch. */
  readonly digest?: Hex;
}

/** Everything that a request and its context determine about the transactions of its controller. */
export interface RecomputedLaunch {
  readonly family: 'custom-launch' | 'multi-role';
  readonly request: JudgedRequest;
  readonly context: AnyLaunchContext;
  readonly contextHash: Hex;
  /** The context hash that the request names. */
  readonly namedContextHash: Hex;
  readonly requestSha256: string;
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly call: LaunchCall;
  readonly economics: EconomicsVerdict;
  /** The permit of this request. @param economicsHash of recognised economics */
  readonly permitOf: (economicsHash: Hex) => AnyPermit;
  readonly digestOf: (permit: AnyPermit) => Hex;
  /** Decodes calldata. @throws {EvmError} unless they are the canonical encoding of a call of the router */
  readonly decode: (data: Hex) => Invocation;
  /** The calls that the signed permit allows, by step; a launch has the one step `launch`. */
  readonly stepsOf: (signed: SignedPermit) => readonly SignedStep[];
}

/** The step of a launch, which has no step id on the wire. */
export const LAUNCH_STEP = 'launch';

/** Recomputes a launch from its bytes. @throws ZodError, StrictJsonError or EvmError if they are no request of the family */
export function recomputeLaunch({
  family,
  requestBytes,
  context,
}: Pick<HandoffClaim, 'family' | 'requestBytes' | 'context'>): RecomputedLaunch {
  const json = parseStrictJson(requestBytes);
  const digests = { requestSha256: sha256Digest(requestBytes), requestHash: keccak256Hex(requestBytes) };
  return family === 'multi-role' ? multiRole(json, digests) : throughRouterV1(json, family, context, digests);
}

type Digests = Pick<RecomputedLaunch, 'requestSha256' | 'requestHash'>;

function multiRole(json: unknown, digests: Digests): RecomputedLaunch {
  const request = createRequestSchema.parse(json);
  const call = launchCallOf(request);
  const identity = routerOf(request.context);
  return {
    family: 'multi-role',
    ...digests,
    request,
    context: request.context,
    contextHash: canonicalKeccak(request.context),
    namedContextHash: request.contextCommitments.contextHash,
    artifactHash: artifactHash(call),
    call,
    economics: recogniseEconomics(request),
    permitOf: (economicsHash) => launchPermitOf(request, { requestHash: digests.requestHash, economicsHash }),
    digestOf: (permit) => permitDigest(identity, permit),
    decode: decodeLaunchCalldata,
    stepsOf: ({ permit, signature }) => [
      {
        stepId: LAUNCH_STEP,
        calls: [{ to: identity.router, value: permit.value, data: encodeLaunchCalldata({ call, permit, signature }) }],
      },
    ],
  };
}

function throughRouterV1(
  json: unknown,
  family: 'custom-launch' | 'plan',
  document: unknown,
  digests: Digests,
): RecomputedLaunch {
  const body = family === 'plan' ? planRequestSchema.parse(json) : anyCustomLaunchRequestSchema.parse(json);
  const context = customLaunchContextSchema.parse(document);
  const request = judgedCustomLaunch(body, context);
  const call = launchV1CallOf(body);
  return {
    family: 'custom-launch',
    ...digests,
    request,
    context,
    contextHash: canonicalKeccak(context),
    namedContextHash: body.contextHash,
    artifactHash: artifactHash(call),
    call,
    economics: recogniseEconomics(request),
    permitOf: (economicsHash) => launchPermitV1Of(body, context, { requestHash: digests.requestHash, economicsHash }),
    digestOf: (permit) => permitV1Digest(routerV1Of(context), permit as LaunchPermitV1),
    decode: decodeRouterV1Calldata,
    stepsOf: ({ permit, signature }) => {
      const signed = { permit: permit as LaunchPermitV1, signature };
      if (!('mode' in body)) return [{ stepId: LAUNCH_STEP, calls: launchV1Calls(body, context, signed) }];
      return signedPlanSteps(body, context, signed).map((step) =>
        step.kind === 'atomic_launch'
          ? { stepId: step.stepId, calls: step.calls, digest: step.digest }
          : { stepId: step.stepId, calls: [step.call] },
      );
    },
  };
}
