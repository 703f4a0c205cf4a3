import {
  createRequestSchema,
  finding,
  keccak256Hex,
  canonicalKeccak,
  travellingFindings,
  validate,
  type CreateRequest,
  type Finding,
} from '@launch/contracts';
import { assertCanonicalJson, StrictJsonError } from '@launch/contracts/json';
import {
  commitmentFindings,
  fundingFindings,
  graphFindings,
  intentFindings,
  isKnownPolicy,
  permitWindowFindings,
  recogniseEconomics,
  runtimePolicyFindings,
  sourceFindings,
  type Hex,
} from '@launch/evm';
import { hexToBytes } from 'viem/utils';
import type { PinnedContexts } from '../pinned-contexts.js';

export type RequestJudgement =
  | {
      readonly kind: 'acceptable';
      readonly request: CreateRequest;
      readonly requestHash: Hex;
      readonly contextHash: Hex;
      readonly economicsHash: Hex;
    }
  /** `request` is null when the bytes are no request at all. */
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
 * that context, which is its own, and like any other only while its window is open.
 * @param nowSeconds The server's clock, unix seconds.
 */
export function judgeRequest(bytes: Uint8Array, pinned: PinnedContexts, nowSeconds: number): RequestJudgement {
  const requestHash = keccak256Hex(bytes);
  const parsed = parseRequest(bytes);
  if (!parsed.ok) return { kind: 'unacceptable', request: null, requestHash, findings: parsed.findings };
  const request = parsed.value;
  const refuse = (findings: readonly Finding[]): RequestJudgement => ({
    kind: 'unacceptable',
    request,
    requestHash,
    findings: travellingFindings(findings),
  });

  // Of another context nothing else is worth saying: its router, limits and policy are not ours to judge by.
  const contextHash = canonicalKeccak(request.context);
  if (!pinned.acceptedHashes.has(contextHash)) {
    return refuse([finding('CONTEXT_NOT_CURRENT', '/context', { expected: pinned.currentHash, actual: contextHash })]);
  }
  const findings = [
    ...commitmentFindings(request),
    ...intentFindings(request),
    ...permitWindowFindings(request.permitWindow, nowSeconds),
    ...fundingFindings(request),
    ...sourceFindings(request),
    ...graphFindings(request),
    ...policyFindings(request),
  ];
  const economics = recogniseEconomics(request);
  if (economics.kind !== 'recognised') return refuse([...findings, ...economics.findings]);
  if (findings.length > 0) return refuse(findings);
  return { kind: 'acceptable', request, requestHash, contextHash, economicsHash: economics.economicsHash };
}

function parseRequest(bytes: Uint8Array): ReturnType<typeof validate<CreateRequest>> {
  try {
    return validate(createRequestSchema, assertCanonicalJson(bytes));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return {
      ok: false,
      findings: [finding('PERMIT_REFUSED', '', { expected: 'strict canonical JSON', actual: error.code })],
    };
  }
}

function policyFindings(request: CreateRequest): Finding[] {
  const { id, policyHash } = request.context.profile.instructionPolicy;
  if (!isKnownPolicy(id, policyHash)) {
    return [
      finding('PERMIT_REFUSED', '/context/profile/instructionPolicy', {
        expected: 'an instruction policy of this build',
        actual: id,
      }),
    ];
  }
  const runtimes = request.graphBundle.components.map((component, index) => ({
    path: `/graphBundle/components/${index}/expectedRuntimeCode`,
    runtime: hexToBytes(component.expectedRuntimeCode),
  }));
  return runtimePolicyFindings(id, runtimes);
}
