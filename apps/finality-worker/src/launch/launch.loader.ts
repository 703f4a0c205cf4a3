import type { BlobReader } from '@launch/blob-store';
import { FINALITY_RULES, launchTarget, type FinalityRule, type MultiRoleTarget } from '@launch/chain';
import {
  createRequestSchema,
  finalityGeneration,
  keccak256Hex,
  walletHandoffSchema,
  type CreateRequest,
  type WalletHandoff,
  type Sha256Digest,
} from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import { FinalityError } from '../finality.error.js';

/** A launch as it was handed off: the stored request, the stored hand-off, and what both say to look for. */
export interface HandedOffLaunch {
  readonly request: CreateRequest;
  readonly handoff: WalletHandoff;
  readonly target: MultiRoleTarget;
  /** By the request's own context. */
  readonly generation: 'v2' | 'v3';
  /** By the request's own context, too. */
  readonly rule: FinalityRule;
}

export interface LaunchLoader {
  /** Reads by hash, so the answer never changes. @throws BlobError, FinalityError */
  load(hashes: {
    readonly requestSha256: Sha256Digest;
    readonly handoffSha256: Sha256Digest;
  }): Promise<HandedOffLaunch>;
}

/** Requests reach 16 MiB and are looked at again every few seconds: the last few stay parsed. */
const KEPT = 32;

export function createLaunchLoader(blobs: BlobReader): LaunchLoader {
  const recent = new Map<string, HandedOffLaunch>();
  return {
    async load({ requestSha256, handoffSha256 }) {
      const key = `${requestSha256} ${handoffSha256}`;
      const known = recent.get(key);
      if (known !== undefined) return known;
      const handoff = walletHandoffSchema.parse(parseStrictJson(await blobs.get(handoffSha256)));
      if (handoff.requestSha256 !== requestSha256)
        throw new FinalityError('HANDOFF_OF_ANOTHER_REQUEST', 'the hand-off names another request');
      const bytes = await blobs.get(requestSha256);
      if (keccak256Hex(bytes) !== handoff.requestHash)
        throw new FinalityError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
      const request = withoutSources(createRequestSchema.parse(parseStrictJson(bytes)));
      const generation = finalityGeneration(request.context);
      const rule = FINALITY_RULES.get(request.context.providerProfile.finalityPolicyId);
      if (typeof generation !== 'string' || rule === undefined)
        throw new FinalityError(
          'FINALITY_POLICY_UNKNOWN',
          'the context names a finality policy that this release does not know',
        );
      const launch = { request, handoff, generation, rule, target: launchTarget(handoff, request.context, generation) };
      recent.set(key, launch);
      const [oldest] = recent.keys();
      if (recent.size > KEPT && oldest !== undefined) recent.delete(oldest);
      return launch;
    },
  };
}

/** Leaves out sources, images and creation code: they are most of a request, and observation never reads them again. */
function withoutSources(request: CreateRequest): CreateRequest {
  return {
    ...request,
    source: { ...request.source, additionalFiles: [] },
    compilerVerification: { ...request.compilerVerification, compilationUnits: [] },
  };
}
