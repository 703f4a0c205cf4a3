import type { BlobReader } from '@launch/blob-store';
import { FINALITY_RULES, launchTarget, routerV1Target, type FinalityRule } from '@launch/chain';
import { anyCustomLaunchRequestSchema, customLaunchHandoffSchema } from '@launch/contracts/custom-launch';
import { parseStrictJson } from '@launch/contracts/json';
import type { AnyLaunchContext } from '@launch/contracts/launch';
import { createRequestSchema, finalityGeneration, walletHandoffSchema } from '@launch/contracts/multi-role';
import { keccak256Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { recentReads } from '@launch/platform';
import type { z } from 'zod';
import { FinalityError } from '../finality.error.js';
import type { CustomLaunchContextRepository } from './custom-launch-context.repository.js';
import type { HandedOffLaunch, HandedOffMultiRole, HandedOffCustomLaunch } from './handed-off.types.js';

/** The stored documents of a launch. */
export interface StoredLaunchName {
  /** Absent for multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly handoffSha256: Sha256Digest;
}

export interface LaunchLoader {
  /** Reads by hash, so the answer never changes. @throws BlobError, FinalityError */
  load(launch: StoredLaunchName): Promise<HandedOffLaunch>;
}

/** Requests reach 16 MiB and are polled every few seconds, so the most recent ones stay parsed. */
const KEPT = 32;

export function createLaunchLoader(
  blobs: BlobReader,
  contexts: Pick<CustomLaunchContextRepository, 'load'>,
): LaunchLoader {
  const recent = recentReads<HandedOffLaunch>(KEPT);
  return {
    load: (launch) =>
      recent([launch.requestSha256, launch.handoffSha256].join(' '), () => read(blobs, contexts, launch)),
  };
}

async function read(
  blobs: BlobReader,
  contexts: Pick<CustomLaunchContextRepository, 'load'>,
  launch: StoredLaunchName,
): Promise<HandedOffLaunch> {
  switch (launch.family) {
    case undefined:
    case 'multi-role.v2':
      return multiRole(blobs, launch);
    case 'custom-launch.v4':
      return customLaunch(blobs, contexts, launch);
    case 'plan.v1':
      throw new TypeError('a plan is observed step by step');
  }
}

async function multiRole(blobs: BlobReader, launch: StoredLaunchName): Promise<HandedOffMultiRole> {
  const { handoff, body } = await documentsOf(blobs, launch, walletHandoffSchema);
  const request = withoutSources(createRequestSchema.parse(body));
  const { context } = request;
  const generation = finalityGeneration(context);
  if (typeof generation !== 'string') throw policyUnknown();
  const rule = ruleOf(context);
  const target = launchTarget(handoff, context, generation);
  return { family: 'multi-role.v2', request, context, handoff, generation, rule, target };
}

async function customLaunch(
  blobs: BlobReader,
  contexts: Pick<CustomLaunchContextRepository, 'load'>,
  launch: StoredLaunchName,
): Promise<HandedOffCustomLaunch> {
  const { handoff, body } = await documentsOf(blobs, launch, customLaunchHandoffSchema);
  const request = withoutSources(anyCustomLaunchRequestSchema.parse(body));
  const context = await contexts.load(handoff.contextHash);
  const rule = ruleOf(context);
  const target = routerV1Target(handoff, context);
  if (target.provenBy !== 'stamp-v1')
    throw new FinalityError('HANDOFF_OF_ANOTHER_REQUEST', 'the hand-off is a step of a plan');
  return { family: 'custom-launch.v4', request, context, handoff, rule, target };
}

/** Reads the stored hand-off and the stored request bytes. */
export async function documentsOf<T extends { readonly requestSha256: Sha256Digest; readonly requestHash: string }>(
  blobs: BlobReader,
  { requestSha256, handoffSha256 }: Pick<StoredLaunchName, 'requestSha256' | 'handoffSha256'>,
  schema: z.ZodType<T>,
): Promise<{ readonly handoff: T; readonly body: unknown }> {
  const handoff = schema.parse(parseStrictJson(await blobs.get(handoffSha256)));
  if (handoff.requestSha256 !== requestSha256)
    throw new FinalityError('HANDOFF_OF_ANOTHER_REQUEST', 'the hand-off names another request');
  const bytes = await blobs.get(requestSha256);
  if (keccak256Hex(bytes) !== handoff.requestHash)
    throw new FinalityError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
  return { handoff, body: parseStrictJson(bytes) };
}

/** @throws FinalityError FINALITY_POLICY_UNKNOWN */
export function ruleOf({ providerProfile }: Pick<AnyLaunchContext, 'providerProfile'>): FinalityRule {
  const rule = FINALITY_RULES.get(providerProfile.finalityPolicyId);
  if (rule === undefined) throw policyUnknown();
  return rule;
}

const policyUnknown = (): FinalityError =>
  new FinalityError('FINALITY_POLICY_UNKNOWN', 'the context names a finality policy that this release does not know');

/** Drops sources, images and creation code, which are most of a request and which observation never reads again. */
export function withoutSources<
  T extends {
    readonly source: { readonly additionalFiles: readonly unknown[] };
    readonly compilerVerification: { readonly compilationUnits: readonly unknown[] };
  },
>(request: T): T {
  return {
    ...request,
    source: { ...request.source, additionalFiles: [] },
    compilerVerification: { ...request.compilerVerification, compilationUnits: [] },
  };
}
