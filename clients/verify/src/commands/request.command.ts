import { finding, orderFindings, type Finding } from '@launch/contracts/errors';
import { assertCanonicalJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalKeccak, keccak256Hex, LIMITS, sha256Digest } from '@launch/contracts/primitives';
import { validate } from '@launch/contracts/validation';
import { launchCommitments, type EconomicsVerdict } from '@launch/evm';
import { inflateNatively } from '@launch/images/node';
import { economicsOf, judge, MULTI_ROLE_OFFLINE } from '@launch/launch-rules';
import { verdictOf, type Verdict } from '../verdict.types.js';
import { jsonFinding } from './json.finding.js';

const NOT_CHECKED = [
  'compilation of the sources',
  'runtimes as the chain materializes them',
  'runtimes of children and external contracts',
  'whether the context is current, the window open and the nonce free',
  'simulation of the signed transaction',
];

/**
 * Judges a packed request by its own bytes, with the service's checks: canonical form, schema, every hash, sources, graph, sums
 * and image. Judges the declared runtimes by the context's instruction policy.
 */
export function verifyRequest(bytes: Uint8Array | null): Verdict {
  const refuse = (findings: readonly Finding[], details = {}): Verdict =>
    verdictOf('request', findings, details, NOT_CHECKED);
  if (bytes === null)
    return refuse([finding('REQUEST_TOO_LARGE', '', { expected: `at most ${LIMITS.requestBytes} bytes` })]);
  const hashes = { byteLength: bytes.length, requestSha256: sha256Digest(bytes), requestHash: keccak256Hex(bytes) };
  let value: JsonValue;
  try {
    value = assertCanonicalJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return refuse([jsonFinding(error)], hashes);
  }
  const parsed = validate(createRequestSchema, value);
  if (!parsed.ok) return refuse(parsed.findings, hashes);
  const request = parsed.value;
  const economics = economicsOf(request);
  const findings = orderFindings(
    judge(MULTI_ROLE_OFFLINE, { request, image: imageOf(request), inflate: inflateNatively, economics }),
  );
  return refuse(findings, {
    ...hashes,
    contextHash: canonicalKeccak(request.context),
    ...launchCommitments(request),
    economics: economicsDetails(economics()),
  });
}

function imageOf({ source }: CreateRequest): Uint8Array | null {
  const file = source.additionalFiles.find(({ path }) => path === source.imagePath);
  return file === undefined ? null : Buffer.from(file.base64, 'base64');
}

/**
 * Returns details of the economics. Unrecognised economics are missing coverage, not a fault of the request, so they are
 * reported and do not fail it.
 */
function economicsDetails(verdict: EconomicsVerdict): object {
  if (verdict.kind !== 'recognised') return { kind: verdict.kind };
  return { kind: verdict.kind, recipe: verdict.recipe, economicsHash: verdict.economicsHash };
}
