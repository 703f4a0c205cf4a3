import type { CustomLaunchPreflight } from '@launch/contracts/custom-launch';
import type { PreflightCheck } from '@launch/contracts/orchestration';
import type { CustomLaunchForm } from '../../../core/launches/custom-launch/custom-launch.form.js';
import type { JudgedCustomLaunchPreflight } from '../../../core/launches/custom-launch/custom-launch-preflight.service.js';

/** The scenario of the public guide for each failing check. */
const SCENARIOS: Readonly<Record<string, string>> = {
  'funded-profile': 'hook-owned-pol-no-initial-buy',
  modules: 'static-module',
  'economic-coverage': 'custom-token-or-initializer',
};
const NON_NATIVE = '/graphBundle/officialPool/poolKey/currency0';

/** Returns the guide's scenarios that a request matches. */
function scenariosOf(checks: readonly PreflightCheck[]): string[] {
  const failing = checks.filter(({ outcome }) => outcome === 'fail');
  const named = failing.flatMap(({ checkId }) => SCENARIOS[checkId] ?? []);
  const isNative = !failing.some(({ findings }) => findings.some(({ path }) => path === NON_NATIVE));
  const labels = isNative ? named : ['non-native-pair', ...named];
  if (labels.length > 0) return labels;
  const isCovered = checks.some(({ checkId, outcome }) => checkId === 'economic-coverage' && outcome === 'pass');
  return [isCovered ? 'reviewed-native20-seed' : 'unclassified-mechanism'];
}

/** Builds the answer to a preflight. @param seedV1 whether the published context contains the reviewed recipe. */
export const customLaunchPreflight = (
  { shared, checks }: JudgedCustomLaunchPreflight<CustomLaunchForm>,
  seedV1: CustomLaunchPreflight['coverage']['seedV1'],
): CustomLaunchPreflight => ({
  schemaVersion: 'service.custom-launch-v4-preflight.v1',
  ...shared,
  classification: shared.launchEligibility.disposition,
  coverage: { seedV1, scenarioIds: scenariosOf(checks) },
});
