import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { isCanonical, parseStrictJson } from '@launch/contracts/json';
import {
  inventoryBuildSchema,
  inventoryProjectsSchema,
  packerBuildSchema,
  packerReferenceSchema,
} from '@launch/contracts/multi-role';
import { INVENTORY_TEMPLATE_SET, NATIVE20_TEMPLATE_SET, NATIVE_FEE_HOOK_FLAGS } from '@launch/evm';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { buildBundles, BUNDLES, REPOSITORY, runNode, temporaryFolder } from './fixtures/bundle.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const folder = temporaryFolder();
beforeAll(buildBundles);
afterAll(() => folder.remove());

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const published = (name: string): Uint8Array => readFileSync(join(BUNDLES, name));
/** Lists files, without those that a build in progress writes. */
const filesIn = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => !name.startsWith('.'))
    .sort();
const manifest = () => packerBuildSchema.parse(parseStrictJson(published('request-packer-build.json')));
const inventoryManifest = () => inventoryBuildSchema.parse(parseStrictJson(published('inventory-build.json')));
const allInputs = (): string[] => [
  ...new Set([...manifest().inputs, ...inventoryManifest().inputs].map(({ path }) => path)),
];

interface Described {
  readonly path: string;
  readonly sha256: string;
}
/** Checks every published file by its hash and every input by its digest. */
function expectTrue(files: readonly Described[], inputs: readonly Described[]): void {
  for (const { path, sha256: digest } of files)
    expect({ path, digest: sha256(published(path)) }).toEqual({ path, digest });
  for (const { path, sha256: digest } of inputs)
    expect({ path, digest: sha256(readFileSync(join(REPOSITORY, path))) }).toEqual({ path, digest });
}

describe('request-packer-build.json', () => {
  it('names every published file by its hash and every input by its digest', () => {
    const { packer, reference, referenceBuilder, client, inputs } = manifest();
    expectTrue([packer, reference, referenceBuilder, client], inputs);
  });
});

describe('inventory-build.json', () => {
  it('names every published file by its hash and every input by its digest', () => {
    const { builder, projects, inputs } = inventoryManifest();
    expectTrue([builder, projects], inputs);
  });
});

describe('inventory-projects.json', () => {
  it('describes the sources in the builder, all MIT, with the notices of their packages', () => {
    const bytes = published('inventory-projects.json');
    expect(isCanonical(bytes)).toBe(true);
    const { closure, compiler, recipe } = inventoryProjectsSchema.parse(parseStrictJson(bytes));
    const input = readFileSync(join(REPOSITORY, 'solidity/artifacts/inventory-standard-json.json'));
    expect(compiler.standardJsonInputSha256).toBe(sha256(input));
    const { sources } = JSON.parse(input.toString('utf8')) as { sources: Record<string, { content: string }> };
    expect(closure.sources.map(({ path, sha256: digest }) => [path, digest])).toEqual(
      Object.entries(sources).map(([path, { content }]) => [path, sha256(Buffer.from(content))]),
    );
    expect(new Set(closure.notices.map((notice) => notice.package))).toEqual(
      new Set(closure.sources.map((source) => source.package)),
    );
    expect(recipe).toEqual(INVENTORY_TEMPLATE_SET.recipe);
    const program = Buffer.from(published('inventory-builder.mjs')).toString('utf8');
    for (const { text } of closure.notices) expect(program).toContain(text.trim());
  });
});

describe('request-packer-reference.json', () => {
  it('holds the 40 sources of the compiler input, all MIT, with the notices of their packages', () => {
    const bytes = published('request-packer-reference.json');
    expect(isCanonical(bytes)).toBe(true);
    const { closure, compiler } = packerReferenceSchema.parse(parseStrictJson(bytes));
    const input = Buffer.from(compiler.standardJsonInputBase64, 'base64');
    expect(sha256(input)).toBe(compiler.standardJsonInputSha256);
    const sources = (JSON.parse(input.toString('utf8')) as { sources: Record<string, { content: string }> }).sources;
    expect(closure.sources.map(({ path, sha256: digest }) => [path, digest])).toEqual(
      Object.entries(sources).map(([path, { content }]) => [path, sha256(Buffer.from(content))]),
    );
    for (const [path, { content }] of Object.entries(sources))
      expect({ path, mit: /SPDX-License-Identifier: MIT\b/.test(content) }).toEqual({ path, mit: true });
    expect(new Set(closure.notices.map((notice) => notice.package))).toEqual(
      new Set(closure.sources.map((source) => source.package)),
    );
  });

  it('is the project that the server recognises', () => {
    const { project } = packerReferenceSchema.parse(parseStrictJson(published('request-packer-reference.json')));
    expect(project.recipe).toEqual(NATIVE20_TEMPLATE_SET.recipe);
    expect(project.hookFlags).toBe(NATIVE_FEE_HOOK_FLAGS);
    const [component, child] = NATIVE20_TEMPLATE_SET.contracts;
    expect([project.component.template.runtimeTemplate, project.child.template.runtimeTemplate]).toEqual([
      component!.runtimeMasked,
      child!.runtimeMasked,
    ]);
  });
});

describe('the bundles', () => {
  it.each(['request-packer.mjs', 'reference-builder.mjs', 'inventory-builder.mjs', 'client.mjs'])(
    '%s needs only Node',
    (name) => {
      const text = Buffer.from(published(name)).toString('utf8');
      const imported = [...text.matchAll(/^import [^;]*?from ?"([^"]+)";$/gm)].map(([, from]) =>
        from!.replace(/^node:/, ''),
      );
      expect(imported.filter((from) => !builtinModules.includes(from))).toEqual([]);
      expect(text).not.toContain(REPOSITORY);
    },
  );

  it.each(['request-packer.mjs', 'reference-builder.mjs', 'inventory-builder.mjs'])(
    '%s can reach no network, child process or environment',
    (name) => {
      const text = Buffer.from(published(name)).toString('utf8');
      for (const reach of [
        'process.env',
        '"child_process"',
        'node:child_process',
        'node:http',
        'node:net',
        'node:dns',
        'fetch(',
      ])
        expect({ reach, found: text.includes(reach) }).toEqual({ reach, found: false });
    },
  );

  it.each(['request-packer.mjs', 'reference-builder.mjs', 'inventory-builder.mjs', 'client.mjs'])(
    '%s contains the licences of its code',
    (name) => {
      const text = Buffer.from(published(name)).toString('utf8');
      const contained = new Set(
        [...text.matchAll(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, from]) => from!),
      );
      expect(contained.size).toBeGreaterThan(0);
      for (const from of contained)
        expect({ from, noticed: new RegExp(`^/\\*!\\n${from} [0-9.]+\\n`, 'm').test(text) }).toEqual({
          from,
          noticed: true,
        });
    },
  );

  it('have the same bytes when built from a copy of the tree at another path, for another user in another place', async () => {
    const copy = join(folder.path, 'another', 'clone');
    const files = ['docs/guides/multi-role-launch.md', ...allInputs(), ...packageFiles()];
    for (const path of files) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(REPOSITORY, path), join(copy, path));
    }
    linkPackages(copy);
    const elsewhere = { HOME: folder.path, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
    const built = await runNode([join(copy, 'clients/multi-role/build.mjs')], { cwd: folder.path, env: elsewhere });
    expect(built).toMatchObject({ code: 0, stderr: '' });
    const copied = join(copy, 'clients/multi-role/bundles');
    expect(filesIn(copied)).toEqual(filesIn(BUNDLES));
    for (const name of filesIn(BUNDLES)) {
      expect({ name, same: readFileSync(join(copied, name)).equals(readFileSync(join(BUNDLES, name))) }).toEqual({
        name,
        same: true,
      });
    }
  });
});

/**
 * Lists the files that the bundler resolves by and the licences that it copies: package.json and LICENSE beside and above every
 * input.
 */
function packageFiles(): string[] {
  const folders = new Set(allInputs().flatMap(parents));
  return [...folders]
    .flatMap((folder) => [`${folder}/package.json`, `${folder}/LICENSE`])
    .filter((path) => isFile(path));
}

const parents = (path: string): string[] => (dirname(path) === '.' ? [] : [dirname(path), ...parents(dirname(path))]);
const isFile = (path: string): boolean => {
  try {
    readFileSync(join(REPOSITORY, path));
    return true;
  } catch {
    return false;
  }
};

/** Creates workspace links as an installation does, and a link to the bundler, which is not an input. */
function linkPackages(copy: string): void {
  mkdirSync(join(copy, 'node_modules/@launch'), { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, 'libs')))
    symlinkSync(join('../../libs', name), join(copy, 'node_modules/@launch', name));
  symlinkSync('../../clients/core', join(copy, 'node_modules/@launch/client-core'));
  symlinkSync(join(REPOSITORY, 'node_modules/esbuild'), join(copy, 'node_modules/esbuild'));
}
