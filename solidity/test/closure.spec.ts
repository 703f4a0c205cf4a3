/** The published closure and the reviewed templates follow from the sources, and nothing but MIT travels. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { keccak256, size } from 'viem';
import { artifact, readBuilt } from './support/artifacts.js';
import { startTimeout } from './support/world.js';

interface StandardJson { language: string; settings: Record<string, unknown>; sources: Record<string, { content: string }> }
interface Notices {
  sources: { path: string; license: string; package: string }[];
  notices: { package: string; version: string | null; license: string; text: string }[];
}

let text: string;
let input: StandardJson;
let notices: Notices;
beforeAll(() => {
  text = readBuilt('artifacts/native20-standard-json.json');
  input = JSON.parse(text) as StandardJson;
  notices = JSON.parse(readBuilt('artifacts/native20-notices.json')) as Notices;
}, startTimeout);

describe('the reference closure', () => {
  it('is exactly 40 sources: 16 of v4-core, 19 of OpenZeppelin, 5 own', () => {
    const paths = Object.keys(input.sources);
    const under = (prefix: string) => paths.filter((path) => path.startsWith(prefix)).length;
    expect([paths.length, under('@uniswap/v4-core/'), under('@openzeppelin/contracts/'), under('src/native20/')]).toEqual([40, 16, 19, 5]);
  });

  it('is MIT in every file', () => {
    for (const { content } of Object.values(input.sources)) {
      expect(content.match(/SPDX-License-Identifier: .*/g)).toEqual(['SPDX-License-Identifier: MIT']);
    }
    expect(notices.sources.map((s) => s.path).sort()).toEqual(Object.keys(input.sources).sort());
    expect(new Set(notices.sources.map((s) => s.license))).toEqual(new Set(['MIT']));
  });

  it('carries the notice of every package it takes from', () => {
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

  it('carries v4-core\'s own notice word for word', () => {
    const require = createRequire(import.meta.url);
    const original = readFileSync(join(require.resolve('@uniswap/v4-core/package.json'), '../licenses/MIT_LICENSE'), 'utf8');
    expect(notices.notices.find((n) => n.package === '@uniswap/v4-core')!.text.trim()).toBe(original.trim());
  });

  it('has the packages\' bytes unchanged', () => {
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
          ? `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${canonical((value as Record<string, unknown>)[k])}`).join(',')}}`
          : JSON.stringify(value);
    expect(createHash('sha256').update(text).digest('hex')).toBe(createHash('sha256').update(canonical(input)).digest('hex'));
  });

  it('compiles with the settings that keep metadata out of the code', () => {
    expect(input.language).toBe('Solidity');
    expect(input.settings).toMatchObject({ evmVersion: 'cancun', optimizer: { enabled: true, runs: 200 }, metadata: { appendCBOR: false, bytecodeHash: 'none' } });
    expect(Object.keys(input).sort()).toEqual(['language', 'settings', 'sources']);
  });
});

describe('the reviewed template set', () => {
  const script = fileURLToPath(new URL('../templates/derive.mjs', import.meta.url));
  const file = fileURLToPath(new URL('../templates/native20.v1.json', import.meta.url));
  const templates = JSON.parse(readFileSync(file, 'utf8')) as {
    settings: object;
    contracts: { contract: string; creationCodeHash: string; creationCodeLength: number; runtimeLength: number; runtimeMaskedHash: string; immutables: { name: string; offsets: number[] }[] }[];
  };

  it('follows from the sources', () => {
    expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('follows from the sources');
  }, startTimeout);

  it('is refused once a single byte of it is another', () => {
    const folder = mkdtempSync(join(tmpdir(), 'templates-'));
    try {
      // The script reads the file beside itself: a copy beside a changed file must fail.
      const source = readFileSync(script, 'utf8').replace("'../build/templates.mjs'", JSON.stringify(new URL('../build/templates.mjs', import.meta.url).href));
      writeFileSync(join(folder, 'derive.mjs'), source);
      writeFileSync(join(folder, 'native20.v1.json'), readFileSync(file, 'utf8').replace('"creationCodeLength": 1', '"creationCodeLength": 2'));
      expect(() => execFileSync(process.execPath, [join(folder, 'derive.mjs'), '--check'], { stdio: 'pipe' })).toThrow(/native20\.v1\.json does not follow/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, startTimeout);

  it('describes the very artifacts, with every immutable by name', () => {
    for (const template of templates.contracts) {
      const { creationCode, runtimeCode, immutables } = artifact(template.contract);
      expect(template).toMatchObject({
        creationCodeHash: keccak256(creationCode), creationCodeLength: size(creationCode),
        runtimeMaskedHash: keccak256(runtimeCode), runtimeLength: size(runtimeCode),
      });
      expect(template.immutables.map((i) => i.name)).toEqual(immutables.map((i) => i.name));
      for (const { offsets } of template.immutables) {
        for (const offset of offsets) {
          // PUSH32 of zeros: what the constructor fills in.
          expect(runtimeCode.slice(2 + 2 * (offset - 1), 2 + 2 * (offset + 32))).toBe(`7f${'00'.repeat(32)}`);
        }
      }
    }
    const names = Object.fromEntries(templates.contracts.map((t) => [t.contract, t.immutables.map((i) => i.name).sort()]));
    expect(names).toEqual({
      Native20: [
        '_cachedChainId', '_cachedDomainSeparator', '_cachedThis', '_hashedName', '_hashedVersion', '_name', '_version',
        'creatorBuyFeeBps', 'creatorSellFeeBps', 'poolId', 'poolManager', 'router', 'tickLower', 'tickUpper', 'vault',
      ],
      FeeVault: ['creatorRecipient', 'hook', 'platformRecipient', 'poolManager'],
    });
  });
});
