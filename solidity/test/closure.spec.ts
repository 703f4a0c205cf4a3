/** The published closures and the reviewed templates follow from the sources, and nothing but MIT travels. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INVENTORY_TEMPLATE_SET, NATIVE20_SEED_TEMPLATE_SET, TEMPLATE_SETS } from '@launch/evm';
import { keccak256, size } from 'viem';
import { artifact, readBuilt } from './support/artifacts.js';
import { startTimeout } from './support/world.js';

interface StandardJson {
  language: string;
  settings: Record<string, unknown>;
  sources: Record<string, { content: string }>;
}
interface Notices {
  sources: { path: string; license: string; package: string }[];
  notices: { package: string; version: string | null; license: string; text: string }[];
}

const closures: [string, number[]][] = [
  ['native20', [40, 16, 19, 5]],
  // The fee kernel, its vault, its arithmetic and the seeding interface are the reference's own files.
  ['inventory', [30, 18, 5, 7]],
];

describe.each(closures)('the %s closure', (recipe, counts) => {
  let text: string;
  let input: StandardJson;
  let notices: Notices;
  beforeAll(() => {
    text = readBuilt(`artifacts/${recipe}-standard-json.json`);
    input = JSON.parse(text) as StandardJson;
    notices = JSON.parse(readBuilt(`artifacts/${recipe}-notices.json`)) as Notices;
  }, startTimeout);

  it('contains exactly its sources of v4-core, OpenZeppelin and the product', () => {
    const paths = Object.keys(input.sources);
    const under = (prefix: string) => paths.filter((path) => path.startsWith(prefix)).length;
    expect([paths.length, under('@uniswap/v4-core/'), under('@openzeppelin/contracts/'), under('src/')]).toEqual(
      counts,
    );
  });

  it('has the MIT licence in every file', () => {
    for (const { content } of Object.values(input.sources)) {
      expect(content.match(/SPDX-License-Identifier: .*/g)).toEqual(['SPDX-License-Identifier: MIT']);
    }
    expect(notices.sources.map((s) => s.path).sort()).toEqual(Object.keys(input.sources).sort());
    expect(new Set(notices.sources.map((s) => s.license))).toEqual(new Set(['MIT']));
  });

  it('carries the notice of every package that it uses', () => {
    const packages = new Set(notices.sources.map((s) => s.package));
    expect([...packages].sort()).toEqual(notices.notices.map((n) => n.package).sort());
    const notice = (name: string) => notices.notices.find((n) => n.package === name)!;
    expect(notice('@uniswap/v4-core').version).toBe('1.0.2');
    expect(notice('@uniswap/v4-core').text).toContain('Copyright 2023 Universal Navigation Inc.');
    expect(notice('@openzeppelin/contracts').version).toBe('5.4.0');
    expect(notice('@openzeppelin/contracts').text).toContain('Zeppelin Group Ltd');
    for (const { text: license } of notices.notices) {
      const words = license.replace(/\s+/g, ' ');
      expect(words).toContain('The above copyright notice and this permission notice shall be included');
      expect(words).toContain('MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT');
    }
  });

  it("carries v4-core's own notice word for word", () => {
    const require = createRequire(import.meta.url);
    const original = readFileSync(
      join(require.resolve('@uniswap/v4-core/package.json'), '../licenses/MIT_LICENSE'),
      'utf8',
    );
    expect(notices.notices.find((n) => n.package === '@uniswap/v4-core')!.text.trim()).toBe(original.trim());
  });

  it("has the packages' bytes unchanged", () => {
    const require = createRequire(import.meta.url);
    for (const [path, { content }] of Object.entries(input.sources)) {
      if (!path.startsWith('@')) continue;
      const [scope, name, ...rest] = path.split('/');
      const original = readFileSync(join(require.resolve(`${scope}/${name}/package.json`), '..', ...rest), 'utf8');
      expect(content === original ? path : `${path} differs`).toBe(path);
    }
  });

  it('is published as canonical JSON, without a trailing newline', () => {
    const canonical = (value: unknown): string =>
      Array.isArray(value)
        ? `[${value.map(canonical).join(',')}]`
        : value !== null && typeof value === 'object'
          ? `{${Object.keys(value)
              .sort()
              .map((k) => `${JSON.stringify(k)}:${canonical((value as Record<string, unknown>)[k])}`)
              .join(',')}}`
          : JSON.stringify(value);
    expect(createHash('sha256').update(text).digest('hex')).toBe(
      createHash('sha256').update(canonical(input)).digest('hex'),
    );
  });

  it('compiles with the settings that keep metadata out of the code', () => {
    expect(input.language).toBe('Solidity');
    expect(input.settings).toMatchObject({
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
    });
    expect(Object.keys(input).sort()).toEqual(['language', 'settings', 'sources']);
  });
});

/** The sets with a constant of their own. */
const constants = ['native20', 'inventory'];

const inventoryContracts = {
  InventoryInitializer: ['poolManager', 'router', 'tickLower', 'tickUpper'],
  InventoryToken: [],
  InventoryHook: ['creatorBuyFeeBps', 'creatorSellFeeBps', 'initializer', 'poolId', 'poolManager', 'router', 'vault'],
  FeeVault: ['creatorRecipient', 'hook', 'platformRecipient', 'poolManager'],
};

/** Contracts of each set in graph order, with the names of everything masked. */
const sets: [string, Record<string, string[]>][] = [
  [
    'native20.v1.json',
    {
      Native20: [
        '_cachedChainId',
        '_cachedDomainSeparator',
        '_cachedThis',
        '_hashedName',
        '_hashedVersion',
        '_name',
        '_version',
        'creatorBuyFeeBps',
        'creatorSellFeeBps',
        'poolId',
        'poolManager',
        'router',
        'tickLower',
        'tickUpper',
        'vault',
      ],
      FeeVault: ['creatorRecipient', 'hook', 'platformRecipient', 'poolManager'],
    },
  ],
  ['inventory.v3.json', inventoryContracts],
  ['native20-seed.v1.json', inventoryContracts],
];

interface Templates {
  contracts: {
    contract: string;
    creationCodeHash: string;
    creationCodeLength: number;
    runtimeLength: number;
    runtimeMaskedHash: string;
    immutables: { name: string; offsets: number[] }[];
  }[];
}
const solidity = new URL('../', import.meta.url);

describe('the reviewed template sets', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  // Each set as data; as a constant too those whose code is their own.
  const files = [
    ...sets.map(([name]) => `solidity/templates/${name}`),
    ...constants.map((name) => `libs/evm/src/economics/${name}.template-set.ts`),
  ];
  const CHANGED = 'solidity/templates/inventory.v3.json';
  let altered: string;
  let result: { readonly status: number | null; readonly stdout: string; readonly stderr: string };

  // One compilation judges both: the committed files, and a copy of all of them with one changed.
  beforeAll(() => {
    altered = mkdtempSync(join(tmpdir(), 'templates-'));
    for (const file of files) {
      mkdirSync(dirname(join(altered, file)), { recursive: true });
      copyFileSync(join(root, file), join(altered, file));
    }
    const text = readFileSync(join(altered, CHANGED), 'utf8');
    writeFileSync(join(altered, CHANGED), text.replace('"creationCodeLength": 2', '"creationCodeLength": 3'));
    result = spawnSync(
      process.execPath,
      [fileURLToPath(new URL('templates/derive.mjs', solidity)), '--check', root, altered],
      { encoding: 'utf8' },
    );
  }, startTimeout);
  afterAll(() => rmSync(altered, { recursive: true }));

  it('follow from the sources', () => {
    const lines = result.stdout.split('\n');
    expect(lines).toEqual(expect.arrayContaining(files.map((file) => `${join(root, file)} follows from the sources`)));
    expect(result.stderr).not.toContain(root);
  });

  it('are refused when a single byte of one differs', () => {
    expect(result.status).toBe(1);
    expect(result.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(`^${join(altered, CHANGED)} does not follow from the sources`),
    ]);
    const lines = result.stdout.trim().split('\n');
    expect(lines.filter((line) => line.startsWith(altered))).toHaveLength(files.length - 1);
    expect(lines).toHaveLength(2 * files.length - 1);
  });

  it.each(sets)('describe in %s the exact artifacts, with every immutable by name', (file, names) => {
    const { contracts } = JSON.parse(readFileSync(new URL(`templates/${file}`, solidity), 'utf8')) as Templates;
    for (const template of contracts) {
      const { creationCode, runtimeCode, immutables } = artifact(template.contract);
      expect(template).toMatchObject({
        creationCodeHash: keccak256(creationCode),
        creationCodeLength: size(creationCode),
        runtimeMaskedHash: keccak256(runtimeCode),
        runtimeLength: size(runtimeCode),
      });
      expect(template.immutables.map((i) => i.name)).toEqual(immutables.map((i) => i.name));
      for (const { offsets } of template.immutables) {
        for (const offset of offsets) {
          // PUSH32 of zeros: what the constructor fills in.
          expect(runtimeCode.slice(2 + 2 * (offset - 1), 2 + 2 * (offset + 32))).toBe(`7f${'00'.repeat(32)}`);
        }
      }
    }
    expect(contracts.map((t) => t.contract)).toEqual(Object.keys(names));
    expect(Object.fromEntries(contracts.map((t) => [t.contract, t.immutables.map((i) => i.name).sort()]))).toEqual(
      names,
    );
  });

  it('name one code twice, since the recipe of router V1 is that of the inventory under a name of its own', () => {
    const read = (file: string): unknown => JSON.parse(readFileSync(new URL(`templates/${file}`, solidity), 'utf8'));
    expect(read('native20-seed.v1.json')).toEqual(NATIVE20_SEED_TEMPLATE_SET);
    expect(NATIVE20_SEED_TEMPLATE_SET.recipe).toEqual({ id: 'native20-seed', version: '1' });
    expect(NATIVE20_SEED_TEMPLATE_SET.contracts).toEqual(INVENTORY_TEMPLATE_SET.contracts);
  });

  it('are published by current contexts without the recipe of router V1', () => {
    expect(TEMPLATE_SETS.map(({ recipe }) => recipe.id)).toEqual(['native20.combined', 'inventory.funded']);
  });

  it('agree on the fee vault that both recipes make', () => {
    const vaultOf = ([file]: [string, unknown]) => {
      const { contracts } = JSON.parse(readFileSync(new URL(`templates/${file}`, solidity), 'utf8')) as Templates;
      return { ...contracts.find((t) => t.contract === 'FeeVault')!, parent: undefined };
    };
    expect(vaultOf(sets[1]!)).toEqual(vaultOf(sets[0]!));
  });
});

/** Digests that published contexts and deployed routers must match. A changed router is a new one with its own name. */
const ROUTERS = {
  MultiRoleLaunchStampRouterV2: {
    creationCode: '0xa83a64c43a1320ce4b836970734d8526daf1a4ed5920bb2c31302382d923abf6',
    runtimeCode: '0x7b24cd95d9aa1929cf82e6894103bf532f236d38d78311238db690b6b2eb9e8d',
  },
  ServiceLaunchStampRouterV1: {
    creationCode: '0xfca6bb4e8e647f4dc660a3e3eb3950d9e4ca94682d5f75767242b2309d6cabf1',
    runtimeCode: '0xda4447b1de2dc0b9eb879080ef8999017c810cdeb4042bc4ba48b6ce211e0460',
  },
};

it.each(Object.entries(ROUTERS))(
  'The bytecode of %s has not changed since its first context named it.',
  (name, pinned) => {
    const { creationCode, runtimeCode } = artifact(name);
    expect({ creationCode: keccak256(creationCode), runtimeCode: keccak256(runtimeCode) }).toEqual(pinned);
  },
);
