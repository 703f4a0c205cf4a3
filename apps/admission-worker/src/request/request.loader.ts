import type { BlobReader } from '@launch/blob-store';
import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { judgedCustomLaunch } from '@launch/evm';
import { assertCanonicalJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema } from '@launch/contracts/multi-role';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { planRequestSchema } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import { familyOf, isCustomLaunchFamily, type CustomLaunchFamily } from '@launch/contracts/states';
import { recentReads } from '@launch/platform';
import { AdmissionError } from '../admission.error.js';
import type { CustomLaunchContexts } from '../families/custom-launch-contexts.js';
import { customLaunch } from '../families/custom-launch.launch.js';
import type { JudgedLaunch } from '../families/judged-launch.js';
import { multiRoleLaunch } from '../families/multi-role.launch.js';

export interface RequestLoader {
  /** Loads the request of a reference, parsed by its family from bytes whose hash is verified. */
  load(ref: LaunchRef): Promise<JudgedLaunch>;
}

const KEPT = 4;

const BODIES = {
  'custom-launch.v4': anyCustomLaunchRequestSchema,
  'plan.v1': planRequestSchema,
} as const;

/**
 * Reads requests from the blob store and caches the last few parsed ones, because the steps of one launch follow each
 * other and would parse 16 MiB five times.
 */
export function createRequestLoader(blobs: BlobReader, contexts: CustomLaunchContexts): RequestLoader {
  const recent = recentReads<JudgedLaunch>(KEPT);

  const multiRole = (bytes: Uint8Array, ref: LaunchRef): JudgedLaunch => {
    const request = createRequestSchema.parse(assertCanonicalJson(bytes));
    // Hand-offs contain the reference's context; each step judges by the request's own.
    if (canonicalKeccak(request.context) !== ref.contextHash) throw ofAnotherContext();
    return multiRoleLaunch(request);
  };
  const custom = (family: CustomLaunchFamily, bytes: Uint8Array, ref: LaunchRef): JudgedLaunch => {
    const body = BODIES[family].parse(parseStrictJson(bytes));
    // A preflight is judged by the current context; another one in the body is a finding of the gateway.
    if (ref.launchId !== null && body.contextHash !== ref.contextHash) throw ofAnotherContext();
    const context = contexts.get(ref.contextHash);
    if (context === undefined)
      throw new AdmissionError('CONTEXT_UNKNOWN', 'this service was not given the context of the request');
    return customLaunch(family, judgedCustomLaunch(body, context));
  };

  return {
    load: (ref) => {
      const family = familyOf(ref);
      const key = [family, ref.requestHash, ref.contextHash, ref.launchId === null].join(' ');
      return recent(key, async () => {
        const bytes = await blobs.get(ref.requestSha256);
        if (keccak256Hex(bytes) !== ref.requestHash)
          throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
        return isCustomLaunchFamily(family) ? custom(family, bytes, ref) : multiRole(bytes, ref);
      });
    },
  };
}

const ofAnotherContext = (): AdmissionError =>
  new AdmissionError('REQUEST_HASH_MISMATCH', 'the request is of another context');
