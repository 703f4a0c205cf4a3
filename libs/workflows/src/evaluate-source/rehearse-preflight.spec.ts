import { describe, expect, it } from '@jest/globals';
import { finding } from '@launch/contracts/errors';
import type { EvaluateSourceResult, RehearsalVerdict } from '@launch/contracts/orchestration';
import { rehearsalBudget, withRehearsal } from './rehearse-preflight.js';

const REF = {
  launchId: null,
  requestSha256: `sha256:${'1'.repeat(64)}` as const,
  requestHash: `0x${'2'.repeat(64)}` as const,
  contextHash: `0x${'3'.repeat(64)}` as const,
  controller: `0x${'4'.repeat(40)}` as const,
};
const evaluation = (disposition: 'source_supported' | 'rejected'): EvaluateSourceResult => ({
  receipt: { receiptSha256: `sha256:${'9'.repeat(64)}` as const, disposition, assessment: { disposition } as never },
  economicsHash: disposition === 'rejected' ? null : `0x${'8'.repeat(64)}`,
  findings: disposition === 'rejected' ? [finding('RUNTIME_EMPTY', '')] : [],
});
const rehearsed = async (of: EvaluateSourceResult, answer: RehearsalVerdict | Error) => {
  let asked = 0;
  const result = withRehearsal(
    of,
    REF,
    async () => {
      asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    (error) => (error as Error).name === 'Cancelled',
  );
  return { result: await result, asked };
};

describe('a preflight', () => {
  it('gets a warning that its launch would revert, and is otherwise unchanged', async () => {
    const found = finding('SIMULATION_REVERTED', '/nonce');
    const of = evaluation('source_supported');
    expect(await rehearsed(of, { kind: 'reverted', findings: [found] })).toEqual({
      result: { ...of, findings: [{ ...found, severity: 'warning' }] },
      asked: 1,
    });
  });

  it.each<[string, RehearsalVerdict | Error]>([
    ['passes', { kind: 'passed' }],
    ['cannot be judged', { kind: 'indeterminate', findings: [finding('SIMULATION_INDETERMINATE', '')] }],
    ['comes too late', { kind: 'window-passed' }],
    ['fails', new Error('the providers are away')],
  ])('is unchanged after a rehearsal that %s', async (_what, answer) => {
    const of = evaluation('source_supported');
    expect((await rehearsed(of, answer)).result).toBe(of);
  });

  it('A preflight that is refused is not rehearsed.', async () => {
    const of = evaluation('rejected');
    expect(await rehearsed(of, { kind: 'passed' })).toEqual({ result: of, asked: 0 });
  });

  it('A cancelled preflight ends.', async () => {
    const cancelled = Object.assign(new Error('cancelled'), { name: 'Cancelled' });
    await expect(rehearsed(evaluation('source_supported'), cancelled)).rejects.toBe(cancelled);
  });

  it.each([
    [Number.POSITIVE_INFINITY, 10_000],
    [50_000, 10_000],
    [12_999, 9_999],
    [4_000, 1_000],
    [3_999, null],
    [-1, null],
  ])('A preflight with %d ms of patience left is rehearsed for at most %p ms.', (left, budget) => {
    expect(rehearsalBudget(left)).toBe(budget);
  });
});
