import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Totals of one Jest JSON report. A suite that could not run counts as one failure; no report at all as none here,
 * the caller knows how the run ended.
 * @returns {{passed: number, failed: number, failures: string[]}}
 */
export function readReport(file, root) {
  if (!existsSync(file)) return { passed: 0, failed: 0, failures: [] };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const failures = [];
  for (const suite of report.testResults ?? []) {
    const where = path.relative(root, suite.name);
    const failedTests = suite.assertionResults.filter((test) => test.status === 'failed');
    for (const test of failedTests) failures.push(`${where} › ${test.fullName}`);
    if (suite.status === 'failed' && failedTests.length === 0) failures.push(`${where} could not run`);
  }
  return { passed: report.numPassedTests ?? 0, failed: failures.length, failures };
}
