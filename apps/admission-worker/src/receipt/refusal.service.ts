import type { BlobStore } from '@launch/blob-store';
import { admissionInputs } from '@launch/contracts/activities';
import { customLaunchRefusalSchema, customLaunchSubjectOf } from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import { launchRefusalSchema, requestSubjectOf, type RequestSubject } from '@launch/contracts/multi-role';
import type { IssuedRefusal, RefusalInput } from '@launch/contracts/orchestration';
import { familyOf, isCustomLaunchFamily, type CustomLaunchFamily } from '@launch/contracts/states';
import type { Ed25519Signer } from '@launch/platform';
import { AdmissionError } from '../admission.error.js';
import type { CustomLaunchContexts } from '../families/custom-launch-contexts.js';

/**
 * Signs that a launch gets no permit. Controller and nonce come from the request's own bytes, of which nothing else is
 * judged, so that a launch can be refused even if a step could not read its request. Keeps no row, because signing the
 * same refusal again yields the same bytes.
 * @throws AdmissionError `REQUEST_HASH_MISMATCH` for bytes of another request, or of none; `CONTEXT_UNKNOWN`.
 */
export async function issueRefusal(
  deps: { readonly blobs: BlobStore; readonly signer: Ed25519Signer; readonly contexts: CustomLaunchContexts },
  input: RefusalInput,
): Promise<IssuedRefusal> {
  const [{ launchId, requestSha256, requestHash, codes }] = admissionInputs.issueRefusal.parse([input]);
  const bytes = await deps.blobs.get(requestSha256);
  const family = familyOf(input);
  const subject = isCustomLaunchFamily(family)
    ? customLaunchSubjectWith(bytes, deps.contexts)
    : requestSubjectOf(bytes);
  if (subject === null || subject.requestHash !== requestHash)
    throw new AdmissionError('REQUEST_HASH_MISMATCH', 'the stored bytes are another request');
  const members = { kind: 'refusal', launchId, requestSha256, ...subject, codes: [...new Set(codes)] };
  const refusal = isCustomLaunchFamily(family) ? customLaunchRefusal(family, members) : multiRoleRefusal(members);
  const signature = deps.signer.sign(canonicalizeJson(refusal)).signature;
  return { refusalSha256: await deps.blobs.put(canonicalizeJson({ refusal, signature })) };
}

const multiRoleRefusal = (members: object) =>
  launchRefusalSchema.parse({ schemaVersion: 'service.multi-role-launch-refusal.v2', ...members });

const customLaunchRefusal = (family: CustomLaunchFamily, members: object) =>
  customLaunchRefusalSchema.parse({ schemaVersion: 'service.custom-launch-refusal.v1', family, ...members });

/** Reads the subject: a body names its context, and the context its router. */
function customLaunchSubjectWith(bytes: Uint8Array, contexts: CustomLaunchContexts): RequestSubject | null {
  const subject = customLaunchSubjectOf(bytes);
  if (subject === null) return null;
  const { contextHash, ...own } = subject;
  const context = contexts.get(contextHash);
  if (context === undefined)
    throw new AdmissionError('CONTEXT_UNKNOWN', 'this service was not given the context of the request');
  return { ...own, router: context.chainDeployment.router.address };
}
