import { describe, expect, it } from '@jest/globals';
// @ts-expect-error plain JavaScript: it runs before the types are checked
import { totalsOf } from './totals.mjs';

const passing = { status: 'passed', assertionResults: [{ status: 'passed', fullName: 'one' }] };
const report = (...testResults: object[]): object => ({ numPassedTests: 1, testResults });
const UNIT = { id: 'evm:unit', isJest: true };
const LINT = { id: 'workspace:lint', isJest: false };
const sum = (tasks: object[], codes: Record<string, number>, reports: Record<string, object> = {}): unknown =>
  totalsOf(tasks, new Map(Object.entries(codes)), (id: string) => reports[id]);

describe('totalsOf', () => {
  it('counts the tests of a Jest target and one for any other target', () => {
    expect(sum([UNIT, LINT], { 'evm:unit': 0, 'workspace:lint': 0 }, { 'evm:unit': report(passing) })).toEqual({
      passed: 2,
      failed: 0,
      failures: [],
    });
  });

  it('names each failed test and each test file that could not run', () => {
    const failing = {
      name: 'a.spec.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'one' },
        { status: 'failed', fullName: 'two' },
      ],
    };
    const broken = { name: 'b.spec.ts', status: 'failed', assertionResults: [] };
    expect(sum([UNIT], { 'evm:unit': 1 }, { 'evm:unit': report(failing, broken) })).toEqual({
      passed: 1,
      failed: 2,
      failures: ['a.spec.ts › two', 'b.spec.ts could not run'],
    });
  });

  it('counts a failure for a target that did not run, that failed and that crashed before its report', () => {
    expect(sum([UNIT, LINT], { 'workspace:lint': 1 })).toEqual({
      passed: 0,
      failed: 2,
      failures: ['evm:unit did not run', 'workspace:lint ended with 1'],
    });
    expect(sum([UNIT], { 'evm:unit': 134 })).toMatchObject({ failures: ['evm:unit ended with 134'] });
  });

  it('counts a failure for a Jest target that ended well without a test or without a report', () => {
    const empty = { numPassedTests: 0, testResults: [] };
    expect(sum([UNIT], { 'evm:unit': 0 }, { 'evm:unit': empty })).toMatchObject({ failures: ['evm:unit ran no test'] });
    expect(sum([UNIT], { 'evm:unit': 0 })).toMatchObject({ passed: 0, failures: ['evm:unit ran no test'] });
  });

  it('counts a failure for a Jest target whose tests passed and whose process failed', () => {
    expect(sum([UNIT], { 'evm:unit': 1 }, { 'evm:unit': report(passing) })).toEqual({
      passed: 1,
      failed: 1,
      failures: ['evm:unit ended with 1'],
    });
  });
});
