import { finding, type Finding } from '@launch/contracts/errors';
import {
  commitContext,
  type ContextCommitments,
  type JudgedRequest,
  type PermitWindow,
} from '@launch/contracts/launch';
import { launchIntentHash, type CreateRequest } from '@launch/contracts/multi-role';
import { canonicalKeccak, LIMITS } from '@launch/contracts/primitives';

/** Requires that a request's commitments are the hashes of the context that it contains. */
export function commitmentFindings(request: CreateRequest): Finding[] {
  const actual = commitContext(request.context);
  const findings: Finding[] = [];
  for (const key of Object.keys(actual) as (keyof ContextCommitments)[]) {
    if (request.contextCommitments[key] !== actual[key]) {
      findings.push(
        finding('CONTEXT_COMMITMENT_MISMATCH', `/contextCommitments/${key}`, {
          expected: actual[key],
          actual: request.contextCommitments[key],
        }),
      );
    }
  }
  const policy = request.context.profile.instructionPolicy;
  const policyHash = canonicalKeccak(policy.document);
  if (policy.policyHash !== policyHash) {
    findings.push(
      finding('CONTEXT_COMMITMENT_MISMATCH', '/context/profile/instructionPolicy/policyHash', {
        expected: policyHash,
        actual: policy.policyHash,
      }),
    );
  }
  return findings;
}

/**
 * Requires that the launch intent and, if present, the behavioural inputs have their declared hashes.
 * @param intent the intent's hash, if the caller has it from the request's bytes.
 */
export function intentFindings(request: CreateRequest, intent = launchIntentHash(request)): Finding[] {
  const findings: Finding[] = [];
  if (request.launchIntentHash !== intent) {
    findings.push(
      finding('LAUNCH_INTENT_HASH_MISMATCH', '/launchIntentHash', {
        expected: intent,
        actual: request.launchIntentHash,
      }),
    );
  }
  if (request.behaviorScenarioInputs !== undefined) {
    const hash = canonicalKeccak(request.behaviorScenarioInputs);
    if (request.behaviorScenarioInputsHash !== hash) {
      findings.push(
        finding('BEHAVIOR_INPUTS_HASH_MISMATCH', '/behaviorScenarioInputsHash', {
          expected: hash,
          actual: request.behaviorScenarioInputsHash ?? null,
        }),
      );
    }
  }
  return findings;
}

/** Requires that `value` is the sum of its parts, and that a buy has both of its numbers or neither. */
export function fundingFindings(request: Pick<JudgedRequest, 'funding' | 'fundingPlan'>): Finding[] {
  const { initialBuyWei, minimumTokensOut, nativeLiquidityWei } = request.fundingPlan;
  const sum = (BigInt(initialBuyWei) + BigInt(nativeLiquidityWei)).toString();
  const findings: Finding[] = [];
  if (request.funding.totalValueWei !== sum) {
    findings.push(
      finding('FUNDING_TOTAL_MISMATCH', '/funding/totalValueWei', {
        expected: sum,
        actual: request.funding.totalValueWei,
      }),
    );
  }
  if ((initialBuyWei === '0') !== (minimumTokensOut === '0')) {
    findings.push(
      finding('FUNDING_INVALID', '/fundingPlan/minimumTokensOut', {
        expected: 'initialBuyWei and minimumTokensOut both 0 or both positive',
      }),
    );
  }
  if (nativeLiquidityWei !== '0') {
    findings.push(
      finding('FUNDING_INVALID', '/fundingPlan/nativeLiquidityWei', { expected: '0', actual: nativeLiquidityWei }),
    );
  }
  return findings;
}

/**
 * Judges the permit window at `nowSeconds` (docs/reference/limits.md#permit-window). It must be at most 3,600 s long,
 * with `validAfter` at most 3,600 s before and 60 s after now, and `deadline` at least 60 s away.
 */
export function permitWindowFindings(window: PermitWindow, nowSeconds: number): Finding[] {
  const now = BigInt(nowSeconds);
  const validAfter = BigInt(window.validAfter);
  const deadline = BigInt(window.deadline);
  const findings: Finding[] = [];
  const code = 'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID';
  if (deadline <= validAfter) {
    findings.push(
      finding(code, '/permitWindow/deadline', { expected: `after ${validAfter}`, actual: window.deadline }),
    );
  } else if (deadline - validAfter > BigInt(LIMITS.permitWindowSeconds)) {
    findings.push(
      finding(code, '/permitWindow', {
        expected: `at most ${LIMITS.permitWindowSeconds} seconds`,
        actual: `${deadline - validAfter} seconds`,
      }),
    );
  }
  const earliest = now - BigInt(LIMITS.validAfterPastSeconds);
  const latest = now + BigInt(LIMITS.validAfterFutureSeconds);
  if (validAfter < earliest)
    findings.push(
      finding(code, '/permitWindow/validAfter', { expected: `not before ${earliest}`, actual: window.validAfter }),
    );
  if (validAfter > latest)
    findings.push(
      finding(code, '/permitWindow/validAfter', { expected: `not after ${latest}`, actual: window.validAfter }),
    );
  const soonest = now + BigInt(LIMITS.deadlineLeadSeconds);
  if (deadline < soonest)
    findings.push(
      finding(code, '/permitWindow/deadline', { expected: `not before ${soonest}`, actual: window.deadline }),
    );
  return findings;
}
