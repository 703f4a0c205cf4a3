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
const told = (wrong: readonly string[], telling?: Parameters<typeof judge>[2]): string[] => {
  asked.length = 0;
  return judge(STAGE, { wrong }, telling).map(({ path }) => path);
};

describe('a judgement', () => {
  it('tells nothing of a request without a fault, and asks every group in order', () => {
    expect(told([])).toEqual([]);
    expect(asked).toEqual(['source', 'graph', 'hook', 'funding']);
  });

  it('ends with the first step that finds something, and tells that step whole', () => {
    expect(told(['source', 'graph', 'funding'])).toEqual(['/source']);
    expect(asked).toEqual(['source']);
    expect(told(['graph', 'funding'])).toEqual(['/graph', '/funding']);
  });

  it('tells every step where all independent findings are asked for', () => {
    expect(told(['source', 'funding'], 'all-independent')).toEqual(['/source', '/funding']);
  });

  it('does not ask a group after one that it depends on found something', () => {
    expect(told(['graph', 'hook'], 'all-independent')).toEqual(['/graph']);
    expect(asked).toEqual(['source', 'graph', 'funding']);
    expect(told(['hook'], 'all-independent')).toEqual(['/hook']);
  });
});
