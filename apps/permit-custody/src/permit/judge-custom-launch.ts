import { anyCustomLaunchRequestSchema } from '@launch/contracts/custom-launch';
import { type CustomLaunchBody, judgedCustomLaunch } from '@launch/evm';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import {
  customLaunchFinding,
  customLaunchFindingOf,
  travellingFindings,
  type CustomLaunchFinding,
} from '@launch/contracts/errors';
import { parseStrictJson } from '@launch/contracts/json';
import { planRequestSchema } from '@launch/contracts/plans';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import type { CustomLaunchFamily } from '@launch/contracts/states';
import { CUSTOM_LAUNCH_CUSTODY, economicsOf, judge } from '@launch/launch-rules';
import type { PinnedCustomLaunchContexts } from '../pinned-contexts.js';
import type { Circumstances } from './permit-family.js';
import { readRequest, type RequestForm } from './read-request.js';
import { usdReferenceFor } from './usd-reference.js';

const formOf = (schema: RequestForm<CustomLaunchBody>['schema']): RequestForm<CustomLaunchBody> => ({
  schema,
  parse: parseStrictJson,
  expected: 'strict JSON',
});
const FORMS: Readonly<Record<CustomLaunchFamily, RequestForm<CustomLaunchBody>>> = {
  'custom-launch.v4': formOf(anyCustomLaunchRequestSchema),
  'plan.v1': formOf(planRequestSchema),
};

export type CustomLaunchJudgement =
  | { readonly kind: 'no-request'; readonly findings: readonly CustomLaunchFinding[] }
  | {
      readonly kind: 'unacceptable';
      readonly request: CustomLaunchBody;
      readonly requestHash: Hex;
      readonly findings: readonly CustomLaunchFinding[];
    }
  | { readonly kind: 'price-unread' }
  | {
      readonly kind: 'acceptable';
      readonly request: CustomLaunchBody;
      readonly requestHash: Hex;
      readonly context: CustomLaunchContext;
      readonly economicsHash: Hex;
    };

/**
 * Judges a custom-launch request or a plan by its bytes, the signed reading of the price and custody's own contexts. It
 * checks strict JSON, schema, a pinned context, and the window with at least 60 s left. Then come sums, sources, graph,
 * pool, opcode policy over every declared runtime, the buy, and the economics by the reviewed templates. Checks that
 * need no price refuse without a reading. For an otherwise valid request, a reading that does not apply now decides
 * nothing.
 */
export function judgeCustomLaunch(
  family: CustomLaunchFamily,
  bytes: Uint8Array,
  pinned: PinnedCustomLaunchContexts,
  { launchId, nowSeconds, usdReference }: Circumstances,
): CustomLaunchJudgement {
  const parsed = readRequest(FORMS[family], bytes);
  if (!parsed.ok) return { kind: 'no-request', findings: parsed.findings.map(customLaunchFindingOf) };
  const request = parsed.value;
  const { contextHash, funding } = request;
  const requestHash = keccak256Hex(bytes);
  const refuse = (found: readonly CustomLaunchFinding[]): CustomLaunchJudgement => ({
    kind: 'unacceptable',
    request,
    requestHash,
    findings: travellingFindings(found),
  });
  const context = pinned.contexts.get(contextHash);
  if (context === undefined) {
    const values = { expected: pinned.currentHash, actual: contextHash };
    return refuse([customLaunchFinding('CONTEXT_NOT_CURRENT', '/contextHash', values)]);
  }
  const { usdReference: terms } = context.chainDeployment;
  const oneUsdReferenceWei =
    funding.kind === 'none'
      ? 0n
      : usdReferenceFor({ launchId, requestHash, contextHash }, usdReference, terms, nowSeconds);
  const judged = judgedCustomLaunch(request, context);
  const economics = economicsOf(judged);
  const findings = judge(CUSTOM_LAUNCH_CUSTODY, {
    request: judged,
    context: { hash: contextHash, holds: true, accepted: pinned.acceptedHashes, current: pinned.currentHash },
    clocks: [nowSeconds],
    economics,
    // No buy is below 0, so without a reading only the other rules apply.
    oneUsdReferenceWei: oneUsdReferenceWei ?? 0n,
  });
  if (findings.length > 0) return refuse(findings);
  // The permit contains the economics, so no list of rules admits a request without them.
  const verdict = economics();
  if (verdict.kind !== 'recognised') return refuse(verdict.findings.map(customLaunchFindingOf));
  if (oneUsdReferenceWei === null) return { kind: 'price-unread' };
  return { kind: 'acceptable', request, requestHash, context, economicsHash: verdict.economicsHash };
}
