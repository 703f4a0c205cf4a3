import { type Classification, CLASSIFICATIONS, type LaunchEligibility } from '@launch/contracts/launch';
import { orderFindings, type CustomLaunchFinding } from '@launch/contracts/errors';
import type { Check } from './judge.js';

/**
 * The classification of a request by the check that fails. Failures of other checks are faults that a corrected request
 * removes. A check without an answer is missing evidence.
 */
const OF_CHECK: Readonly<Record<string, Classification>> = {
  'pool-kind': 'unsupported',
  'economic-coverage': 'needs_evidence',
  'funded-profile': 'build_only',
  modules: 'build_only',
};

const OF_OUTCOME = {
  pass: () => 'deployable',
  fail: (checkId) => OF_CHECK[checkId] ?? 'correction_required',
  // The check that it depends on decides instead.
  not_run: () => 'deployable',
  indeterminate: () => 'needs_evidence',
} as const satisfies Record<Check<unknown>['outcome'], (checkId: string) => Classification>;

/** Returns the worst classification among a preflight's checks. */
export const classify = (checks: readonly Check<CustomLaunchFinding>[]): Classification => {
  const classifications = new Set(checks.map(({ checkId, outcome }) => OF_OUTCOME[outcome](checkId)));
  return CLASSIFICATIONS.find((classification) => classifications.has(classification)) ?? 'deployable';
};

/** Builds the result of a preflight from its checks: the disposition, all findings, and each remedy once. */
export function eligibilityOf(checks: readonly Check<CustomLaunchFinding>[]): LaunchEligibility {
  const disposition = classify(checks);
  const found = checks.flatMap((check) => check.findings).map((one) => [JSON.stringify(one), one] as const);
  // Two checks can have the same finding: a declared runtime is scanned, and scanned again after its deployment.
  const findings = orderFindings([...new Map(found).values()]);
  const remediation = new Map(
    findings.map(({ code, remediation: { action, detail } }) => [`${code} ${detail}`, { code, action, detail }]),
  );
  return { deployable: disposition === 'deployable', disposition, findings, remediation: [...remediation.values()] };
}
