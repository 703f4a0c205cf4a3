import { CLASSIFICATIONS, type Classification, type LaunchEligibility } from '@launch/contracts/custom-launch';
import { orderFindings, type CustomLaunchFinding } from '@launch/contracts/errors';
import type { Check } from './judge.js';

/**
 * What a request is when a check fails; every other one is a fault that a corrected request removes. What nobody could
 * find out is missing evidence.
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
  // What it needs is told by the check that it needs.
  not_run: () => 'deployable',
  indeterminate: () => 'needs_evidence',
} as const satisfies Record<Check<unknown>['outcome'], (checkId: string) => Classification>;

/** The worst of what a preflight's checks say. */
export const classify = (checks: readonly Check<CustomLaunchFinding>[]): Classification => {
  const told = new Set(checks.map(({ checkId, outcome }) => OF_OUTCOME[outcome](checkId)));
  return CLASSIFICATIONS.find((classification) => told.has(classification)) ?? 'deployable';
};

/** What a preflight answers of its checks: the disposition, all findings, and the ways out, each once. */
export function eligibilityOf(checks: readonly Check<CustomLaunchFinding>[]): LaunchEligibility {
  const disposition = classify(checks);
  const found = checks.flatMap((check) => check.findings).map((one) => [JSON.stringify(one), one] as const);
  // Two checks can find the same: a declared runtime is scanned, and scanned again where it deploys.
  const findings = orderFindings([...new Map(found).values()]);
  const remediation = new Map(
    findings.map(({ code, remediation: { action, detail } }) => [`${code} ${detail}`, { code, action, detail }]),
  );
  return { deployable: disposition === 'deployable', disposition, findings, remediation: [...remediation.values()] };
}
