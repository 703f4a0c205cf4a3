import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Forty digits after `0x`, and no more: a word of 32 bytes is none. */
const ADDRESS = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-f])/gi;
const SOURCES = '{apps,libs,clients,prisma}/**/*.{ts,tsx,mts,cts,js,mjs,cjs,json,sql,prisma}';
const MADE = /(^|\/)(node_modules|dist|bundles|artifacts|generated)(\/|$)/;
/** Code and data of tests, releases of the module CLI whose bytes are frozen, and what the API description shows of an answer. */
const NO_PROGRAM =
  /\.(spec|chapter|corpus|bench|fixture|harness)\.(tsx?|json)$|(^|\/)(fixtures|testdata|vectors|frozen)\/|\.examples?\.ts$/;

/** Addresses that are the same on every chain and in every deployment, where they are needed. */
const FIXED: readonly { readonly address: string; readonly reason: string; readonly files: readonly string[] }[] = [
  {
    address: '0x0000000000000000000000000000000000000000',
    reason: 'no account: the word that a stamp and a recipe have where nobody has the role',
    files: [
      'libs/evm/src/router-v1/router-v1.stamp.ts',
      'libs/evm/src/stamp/expected-stamp.ts',
      'libs/launch-rules/src/groups/request-graph.findings.ts',
    ],
  },
  {
    address: '0x000000000000000000000000000000000000dead',
    reason: 'burn address: who owns the position of every Foundation launch',
    files: [
      'apps/site/app/pages/coin/locked.answer.ts',
      'libs/evm/src/sources/module-foundation/foundation.adapter.ts',
    ],
  },
  {
    address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
    reason: 'no contract: where ERC-7528 has transfers of the native coin logged, as `eth_simulateV1` does',
    files: ['libs/chain/src/actions/simulated-effects.ts'],
  },
];

/** `file address` of each that a text has compiled in without being fixed there. */
function compiledIn(file: string, text: string): readonly string[] {
  const allowed = FIXED.filter(({ files }) => files.includes(file)).map(({ address }) => address);
  return [...text.matchAll(ADDRESS)]
    .map(([address]) => address.toLowerCase())
    .filter((address) => !allowed.includes(address))
    .map((address) => `${file} ${address}`);
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const files = globSync(SOURCES, { cwd: root, exclude: (entry) => MADE.test(entry) }).filter(
  (file) => !MADE.test(file) && !NO_PROGRAM.test(file),
);

describe('The programs', () => {
  it('contain no compiled address of a contract', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => compiledIn(file, read(file)))).toEqual([]);
  });

  it.each(FIXED)('name $address in the place where it is documented as fixed', ({ address, files: places }) => {
    for (const file of places) {
      expect(files).toContain(file);
      expect(read(file).toLowerCase()).toContain(address);
    }
  });
});

describe('The rule', () => {
  const router = '0x55C83d62c861cdf27b58d5bde4c271009d2ecae5';

  it('finds an address in any case, in a text and as a number', () => {
    for (const text of [`const ROUTER = '${router}';`, `{"router":"${router}"}`, `const ROUTER = ${router}n;`])
      expect(compiledIn('libs/evm/src/router.ts', text)).toEqual([`libs/evm/src/router.ts ${router.toLowerCase()}`]);
  });

  it('finds a fixed address in another file than its own', () => {
    const burn = '0x000000000000000000000000000000000000dEaD';
    expect(compiledIn('libs/evm/src/router.ts', burn)).toHaveLength(1);
    expect(compiledIn('libs/evm/src/sources/module-foundation/foundation.adapter.ts', burn)).toEqual([]);
  });

  it('ignores hashes and selectors', () => {
    expect(compiledIn('libs/evm/src/router.ts', `'0x${'ab'.repeat(32)}' '0x01ffc9a7'`)).toEqual([]);
  });
});
