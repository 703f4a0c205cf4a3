import { describe, expect, it } from '@jest/globals';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { isTestCode, keysOfTestCode } from './test-code.mjs';

describe('what ends with a test file', () => {
  it.each([
    'file:///w/libs/evm/src/permit/permit.spec.ts',
    'file:///w/tools/e2e/src/faults/reorgs.chapter.ts',
    'file:///w/apps/indexer/src/fixtures/indexer.ts',
    'file:///w/libs/chain/src/finality/launch.fixture.ts',
    'file:///w/apps/indexer/test/model.ts',
    'file:///w/libs/testing/src/postgres/postgres.ts',
    'file:///w/tools/test-run/random-tests.setup.mjs',
  ])('%s does', (url) => expect(isTestCode(url)).toBe(true));

  it.each([
    'file:///w/libs/evm/src/permit/permit.ts',
    'file:///w/node_modules/viem/index.js',
    'file:///w/tools/start/src/stack.ts',
    'file:///w/libs/evm/src/test-vectors/special.ts',
  ])('%s stays', (url) => expect(isTestCode(url)).toBe(false));

  it('includes what Jest made for it', () => {
    const spec = 'file:///w/a.spec.ts';
    expect(keysOfTestCode([spec, `@jest/globals/${spec}`, 'file:///w/a.ts', 'node:fs'])).toEqual([
      spec,
      `@jest/globals/${spec}`,
    ]);
  });

  it('says which module would register tests of a file that has ended', () => {
    expect(() => keysOfTestCode(['@jest/globals//w/helper.ts'])).toThrow('/w/helper.ts imports @jest/globals');
  });
});
