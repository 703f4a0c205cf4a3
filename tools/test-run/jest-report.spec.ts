import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { readReport } from './jest-report.mjs';

function totalsOf(report: unknown): unknown {
  const folder = mkdtempSync(path.join(tmpdir(), 'launch-report-'));
  try {
    const file = path.join(folder, 'report.json');
    if (report !== undefined) writeFileSync(file, JSON.stringify(report));
    return readReport(file, '/repo');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('readReport', () => {
  it('counts tests, and a suite that could not run as a failure', () => {
    const suites = [
      {
        name: '/repo/a.spec.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two' },
        ],
      },
      { name: '/repo/b.spec.ts', status: 'failed', assertionResults: [] },
      { name: '/repo/c.spec.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'three' }] },
    ];
    expect(totalsOf({ numPassedTests: 2, testResults: suites })).toEqual({
      passed: 2,
      failed: 2,
      failures: ['a.spec.ts › two', 'b.spec.ts could not run'],
    });
  });

  it('counts nothing without a report', () => {
    expect(totalsOf(undefined)).toEqual({ passed: 0, failed: 0, failures: [] });
  });
});
