import { describe, expect, it } from '@jest/globals';
import { finding, type ErrorCode } from '@launch/contracts/errors';
import { judge, stage, type RuleGroup } from './judge.js';

interface Facts {
  readonly wrong: readonly string[];
}
const asked: string[] = [];
const group = (name: string, code: ErrorCode, after?: readonly string[]): RuleGroup<Facts> => ({
  name,
  ...(after === undefined ? {} : { after }),
  find({ wrong }) {
    asked.push(name);
    return wrong.includes(name) ? [finding(code, `/${name}`)] : [];
  },
});
const STAGE = stage(
  'any',
  [group('source', 'SOURCE_MANIFEST_MISMATCH')],
  [group('graph', 'GRAPH_INVALID'), group('hook', 'GRAPH_INVALID', ['graph']), group('funding', 'FUNDING_INVALID')],
);
const report = (wrong: readonly string[], extent?: Parameters<typeof judge>[2]): string[] => {
  asked.length = 0;
  return judge(STAGE, { wrong }, extent).map(({ path }) => path);
};

describe('a judgement', () => {
  it('has no findings for a request without a fault, and runs every group in order', () => {
    expect(report([])).toEqual([]);
    expect(asked).toEqual(['source', 'graph', 'hook', 'funding']);
  });

  it('ends with the first step that has findings, and reports all of them', () => {
    expect(report(['source', 'graph', 'funding'])).toEqual(['/source']);
    expect(asked).toEqual(['source']);
    expect(report(['graph', 'funding'])).toEqual(['/graph', '/funding']);
  });

  it('reports every step if all independent findings are requested', () => {
    expect(report(['source', 'funding'], 'all-independent')).toEqual(['/source', '/funding']);
  });

  it('skips a group whose dependency has findings', () => {
    expect(report(['graph', 'hook'], 'all-independent')).toEqual(['/graph']);
    expect(asked).toEqual(['source', 'graph', 'funding']);
    expect(report(['hook'], 'all-independent')).toEqual(['/hook']);
  });
});
