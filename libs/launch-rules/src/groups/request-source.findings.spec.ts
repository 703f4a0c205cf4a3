import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '@launch/contracts/primitives';
import { collectSources } from './request-source.findings.js';

const unitOf = (sources: object) => ({
  standardJsonInputBase64: Buffer.from(JSON.stringify({ sources })).toString('base64'),
});
const files = (count: number, content: unknown = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`s${index}.sol`, { content }]));

describe('the sources of a request', () => {
  it('are collected up to the most that a manifest can list', () => {
    const collected = collectSources([unitOf(files(LIMITS.sourceFiles))], [], '/units');
    expect(collected.ok && collected.files.size).toBe(LIMITS.sourceFiles);
  });

  it.each([
    ['', 'x'],
    [' without literal content', null],
  ])('are not hashed one by one if there are more%s', (_name, content) => {
    const collected = collectSources([unitOf(files(LIMITS.sourceFiles + 1, content))], [], '/units');
    expect(collected).toMatchObject({
      ok: false,
      findings: [
        {
          code: 'SOURCE_MANIFEST_MISMATCH',
          path: '/units/0/standardJsonInputBase64',
          expected: 'at most 1024 sources',
          actual: '1025',
        },
      ],
    });
    expect(!collected.ok && collected.findings).toHaveLength(1);
  });
});
