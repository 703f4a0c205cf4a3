import type { CustomLaunchPreflight } from '@launch/contracts/custom-launch';
import type { PreflightCheck } from '@launch/contracts/orchestration';
import type { CustomLaunchForm } from '../../../core/launches/custom-launch/custom-launch.form.js';
import type { JudgedCustomPreflight } from '../../../core/launches/custom-launch/custom-launch-preflight.service.js';

/** The scenario of the public guide that a check which fails puts a request into. */
const SCENARIOS: Readonly<Record<string, string>> = {
  'funded-profile': 'hook-owned-pol-no-initial-buy',
  modules: 'static-module',
  'economic-coverage': 'custom-token-or-initializer',
};
const NON_NATIVE = '/graphBundle/officialPool/poolKey/currency0';

/** The guide's scenarios that a request is of. */
function scenariosOf(checks: readonly PreflightCheck[]): string[] {
  const failing = checks.filter(({ outcome }) => outcome === 'fail');
  const named = failing.flatMap(({ checkId }) => SCENARIOS[checkId] ?? []);
  const isNative = !failing.some(({ findings }) => findings.some(({ path }) => path === NON_NATIVE));
  const labels = isNative ? named : ['non-native-pair', ...named];
  if (labels.length > 0) return labels;
  const isCovered = checks.some(({ checkId, outcome }) => checkId === 'economic-coverage' && outcome === 'pass');
  return [isCovered ? 'reviewed-native20-seed' : 'unclassified-mechanism'];
}

/** @param seedV1 whether the reviewed recipe stands in the published context. */
export const customLaunchPreflight = (
  { shared, checks }: JudgedCustomPreflight<CustomLaunchForm>,
  seedV1: CustomLaunchPreflight['coverage']['seedV1'],
): CustomLaunchPreflight => ({
  schemaVersion: 'service.custom-launch-v4-preflight.v1',
  ...shared,
  classification: shared.launchEligibility.disposition,
  coverage: { seedV1, scenarioIds: scenariosOf(checks) },
});
