import type { Finding } from '@launch/contracts/errors';
import type { ContextCommitments } from '@launch/contracts/launch';
import { createRequestSchema, launchIntentHash, type CreateRequest } from '@launch/contracts/multi-role';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { launchCommitments } from '@launch/evm';
import { inflateNatively } from '@launch/images/node';
import { judge, MULTI_ROLE_FORM } from '@launch/launch-rules';
import type { RequestForm } from '../../../platform/request-forms/request-form.js';
import { imageBytesOf } from '../../../core/launches/request-image.js';
import { readCanonicalJson, readSchema } from '@launch/http/requests';

/**
 * The facts that follow from a request's bytes alone: its identity, and every fault that neither the chain nor this
 * deployment is needed to find. Plain data, so that another thread can compute it.
 */
export interface MultiRoleForm {
  readonly requestHash: Hex;
  readonly artifactHash: Hex;
  readonly onchainLaunchId: Hex;
  readonly launchWallet: Hex;
  readonly nonce: string;
  readonly permitWindow: CreateRequest['permitWindow'];
  readonly commitments: ContextCommitments;
  /** Whether `commitments.contextHash` is the hash of the context that the request contains. */
  readonly contextHashHolds: boolean;
  /** The bytes of the admitted image; null when a finding gives the reason. */
  readonly image: Uint8Array | null;
  readonly findings: readonly Finding[];
}

/**
 * Reads a request: first its bytes, then its schema, then its own declarations.
 * @throws ApiError for bytes (400) and schema (422)
 */
function readMultiRoleForm(bytes: Uint8Array): MultiRoleForm {
  const request = readSchema(createRequestSchema, readCanonicalJson(bytes));
  const image = imageBytesOf(request);
  const findings = judge(MULTI_ROLE_FORM, {
    request,
    intentHash: launchIntentHash(request),
    image,
    inflate: inflateNatively,
  });
  const hashes = launchCommitments(request);
  return {
    requestHash: keccak256Hex(bytes),
    artifactHash: hashes.artifactHash,
    onchainLaunchId: hashes.onchainLaunchId,
    launchWallet: request.launchWallet,
    nonce: request.nonce,
    permitWindow: request.permitWindow,
    commitments: request.contextCommitments,
    contextHashHolds: findings.every(({ path }) => path !== '/contextCommitments/contextHash'),
    image,
    findings,
  };
}

/** The request of a multi-role launch, which contains its context. */
export const multiRoleForm: RequestForm<null, MultiRoleForm> = { name: 'multi-role.v2', read: readMultiRoleForm };
