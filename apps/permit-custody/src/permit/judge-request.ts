import { travellingFindings, type Finding } from '@launch/contracts/errors';
import { assertCanonicalJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { keccak256Hex, canonicalKeccak } from '@launch/contracts/primitives';
import type { Hex } from '@launch/evm';
import { economicsOf, judge, MULTI_ROLE_CUSTODY } from '@launch/launch-rules';
import type { PinnedContexts } from '../pinned-contexts.js';
import { readRequest, type RequestForm } from './read-request.js';

const FORM: RequestForm<CreateRequest> = {
  schema: createRequestSchema,
  parse: assertCanonicalJson,
  expected: 'strict canonical JSON',
};

export type RequestJudgement =
  | {
      readonly kind: 'acceptable';
      readonly request: CreateRequest;
      readonly requestHash: Hex;
      readonly contextHash: Hex;
      readonly economicsHash: Hex;
    }
  /** `request` is null if the bytes are not a request. */
  | {
      readonly kind: 'unacceptable';
      readonly request: CreateRequest | null;
      readonly requestHash: Hex;
      readonly findings: readonly Finding[];
    };

/**
 * Judges a request by its bytes and custody's own configuration alone. It checks strict canonical JSON, schema, a
 * pinned context, every hash, and the window with at least 60 s left. Then come sums, graph, pool, opcode policy over
 * every declared runtime, and the economics by the reviewed templates. A request of a previous context is judged by
 * that context, only while its window is open like any other.
 * @param nowSeconds The server's clock, Unix seconds.
 */
export function judgeRequest(bytes: Uint8Array, pinned: PinnedContexts, nowSeconds: number): RequestJudgement {
  const requestHash = keccak256Hex(bytes);
  const parsed = readRequest(FORM, bytes);
  if (!parsed.ok) return { kind: 'unacceptable', request: null, requestHash, findings: parsed.findings };
  const request = parsed.value;
  const contextHash = canonicalKeccak(request.context);
  const economics = economicsOf(request);
  const findings = judge(MULTI_ROLE_CUSTODY, {
    request,
    context: { hash: contextHash, holds: true, accepted: pinned.acceptedHashes, current: pinned.currentHash },
    clocks: [nowSeconds],
    economics,
  });
  const refuse = (found: readonly Finding[]): RequestJudgement => ({
    kind: 'unacceptable',
    request,
    requestHash,
    findings: travellingFindings(found),
  });
  if (findings.length > 0) return refuse(findings);
  // The permit contains the economics, so no list of rules admits a request without them.
  const verdict = economics();
  if (verdict.kind !== 'recognised') return refuse(verdict.findings);
  return { kind: 'acceptable', request, requestHash, contextHash, economicsHash: verdict.economicsHash };
}
