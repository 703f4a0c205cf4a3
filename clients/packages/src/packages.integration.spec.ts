import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstalledRegistry } from './installed-registry.fixture.js';
import { emptyFolder, packInto, REPOSITORY, run, type PackedPackage } from './packages.fixture.js';

const MINUTES = 60_000;
const TSC = path.join(REPOSITORY, 'node_modules/typescript7/bin/tsc');
/** Every program of each package, and the published file that it is. */
const PROGRAMS: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  '@custom-launch/cli': {
    launch: 'launch-cli/bundles/launch.mjs',
    'request-packer': 'multi-role/bundles/request-packer.mjs',
    'reference-builder': 'multi-role/bundles/reference-builder.mjs',
    'inventory-builder': 'multi-role/bundles/inventory-builder.mjs',
    'multi-role-client': 'multi-role/bundles/client.mjs',
  },
  '@custom-launch/sdk': {},
  '@custom-launch/modules': { 'module-cli': 'module-cli/bundles/1.0.0-development.5/module-cli.mjs' },
  '@custom-launch/verify': { 'launch-verify': null, 'index-reader': 'index-reader/bundles/index-reader.mjs' },
};
/** A use of each library, which compiles only with its types. */
const USES = `
import { verifyHandoff, type Verdict } from '@custom-launch/verify';
import { createLaunchClient, LaunchClientError, type CustomLaunch } from '@custom-launch/sdk';
import { createPlanClient, type OfferedStep } from '@custom-launch/sdk/plans';
import { createMultiRoleClient } from '@custom-launch/sdk/multi-role';
import { createPublicClient } from '@custom-launch/sdk/public';
import { ApiClient, getHealth } from '@custom-launch/sdk/operations';
import { draftConfig, packCustomLaunch, packPlan } from '@custom-launch/sdk/recipes/custom-launch';
import { buildInventoryRequest, packRequest } from '@custom-launch/sdk/recipes/multi-role';
import { readFinalizedFeed, type FinalizedRecord } from '@custom-launch/verify/index-reader';
export const judged: (request: Uint8Array, handoff: Uint8Array) => Verdict | Promise<Verdict> = verifyHandoff;
export const read: typeof readFinalizedFeed = readFinalizedFeed;
export const idOf = (record: FinalizedRecord): string => record.launchId;
const launch = createLaunchClient({ baseUrl: 'https://launch.example', key: 'key' });
export async function finalized(bytes: Uint8Array): Promise<CustomLaunch['status']> {
  const context = await launch.context();
  const image = { path: 'logo.png', bytes };
  const choices = { launchWallet: '0x', name: 'Atlas', symbol: 'ATLAS', image, publicOrigin: 'https://atlas.example' };
  const config = await draftConfig(context, choices);
  config.buy.minimumTokensOut = '2';
  const { launchId } = await launch.submit(await packCustomLaunch(config, context.document));
  const value: bigint = (await launch.waitFor(launchId, 'authorized')).walletTransaction.value;
  return value > 0n ? (await launch.waitFor(launchId, 'finalized')).status : 'failed';
}
export const offered = (plan: Uint8Array): Promise<OfferedStep> =>
  createPlanClient({ baseUrl: 'https://launch.example' }).waitFor('id', 'signature');
export const parts = [createMultiRoleClient, createPublicClient, ApiClient, getHealth, packPlan, buildInventoryRequest, packRequest];
export const codeOf = (error: unknown): string | null => (error instanceof LaunchClientError ? error.code : null);
// @ts-expect-error a hand-off is awaited by its goal
void launch.waitFor('id', 'posted');
// @ts-expect-error a verdict is an object
export const wrong: number = judged(new Uint8Array(), new Uint8Array());
`;

const first = emptyFolder();
const second = emptyFolder();
const user = emptyFolder();
let registry: InstalledRegistry;
let packages: readonly PackedPackage[];

const installed = (name: string, file: string): string => path.join(user.path, 'node_modules', name, file);

beforeAll(async () => {
  packages = await packInto(first.path);
  registry = await InstalledRegistry.start();
  writeFileSync(path.join(user.path, 'package.json'), '{ "private": true, "type": "module" }');
  const archives = packages.map(({ file }) => path.join(first.path, file));
  await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--registry', registry.url, ...archives],
    user.path,
  );
}, 10 * MINUTES);
afterAll(async () => {
  await registry.stop();
  for (const folder of [first, second, user]) folder.remove();
});

describe('the packages of the client programs', () => {
  it(
    'are the same bytes in every build, and packages.json has their digests',
    async () => {
      expect(await packInto(second.path)).toEqual(packages);
      for (const { file, sha256, integrity, byteLength } of packages) {
        const bytes = readFileSync(path.join(first.path, file));
        expect([file, bytes.equals(readFileSync(path.join(second.path, file)))]).toEqual([file, true]);
        expect(sha256).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
        expect(integrity).toBe(`sha512-${createHash('sha512').update(bytes).digest('base64')}`);
        expect(byteLength).toBe(bytes.length);
      }
    },
    10 * MINUTES,
  );

  it('name licence, repository, Node and provenance, and need nothing private', () => {
    expect(packages.map(({ name }) => name)).toEqual(Object.keys(PROGRAMS));
    for (const { name, version } of packages) {
      const manifest = JSON.parse(readFileSync(installed(name, 'package.json'), 'utf8'));
      expect(manifest).toMatchObject({
        name,
        version,
        license: 'MIT',
        engines: { node: expect.stringMatching(/^>=/) },
        repository: { type: 'git', directory: expect.stringMatching(/^clients\//) },
        publishConfig: { access: 'public', provenance: true },
      });
      expect(Object.keys(manifest.dependencies ?? {}).filter((one) => !one.startsWith('solc-'))).toEqual([]);
      const files = readdirSync(path.dirname(installed(name, 'package.json')));
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
      expect(readFileSync(installed(name, 'README.md'), 'utf8')).toContain(`npm install ${name}`);
    }
  });

  it('contain the published single files unchanged', () => {
    for (const [name, programs] of Object.entries(PROGRAMS)) {
      const { bin } = JSON.parse(readFileSync(installed(name, 'package.json'), 'utf8')) as {
        bin?: Record<string, string>;
      };
      expect(Object.keys(bin ?? {})).toEqual(Object.keys(programs));
      for (const [program, published] of Object.entries(programs)) {
        const bytes = readFileSync(installed(name, bin![program]!));
        expect([program, bytes.toString('utf8', 0, 20)]).toEqual([program, '#!/usr/bin/env node\n']);
        if (published !== null)
          expect([program, bytes.equals(readFileSync(path.join(REPOSITORY, 'clients', published)))]).toEqual([
            program,
            true,
          ]);
      }
    }
  });

  it.each(Object.values(PROGRAMS).flatMap((programs) => Object.keys(programs)))(
    'run %s from an empty folder',
    async (program) => {
      const { version } = packages.find(({ name }) => Object.hasOwn(PROGRAMS[name]!, program))!;
      const says = (option: string) => run('npx', ['--offline', '--no-install', program, option], user.path);
      expect((await says('--version')).trim()).toBe(`${program} ${version}`);
      expect(await says('--help')).toMatch(new RegExp(`^${program}: `));
    },
  );

  it('match a contract with the compilers that verify depends on', async () => {
    const content = '// SPDX-License-Identifier: MIT\npragma solidity 0.8.26; contract Empty {}';
    const settings = { metadata: { bytecodeHash: 'none', appendCBOR: false } };
    const match = {
      compilerVersion: '0.8.26',
      standardJsonInput: { language: 'Solidity', sources: { 'Empty.sol': { content } }, settings },
      target: { path: 'Empty.sol', contract: 'Empty' },
      creationBytecode: '0x6080604052348015600e575f80fd5b50600880601a5f395ff3fe60806040525f80fd',
    };
    writeFileSync(path.join(user.path, 'case.json'), JSON.stringify(match));
    const args = ['--offline', '--no-install', 'launch-verify', 'match', 'case.json'];
    expect(JSON.parse(await run('npx', args, user.path))).toMatchObject({ verdict: 'pass', findings: [] });
  });

  it(
    'have types that need no other package',
    async () => {
      writeFileSync(path.join(user.path, 'uses.ts'), USES);
      await run(
        process.execPath,
        [
          ...[
            TSC,
            '--ignoreConfig',
            '--noEmit',
            '--strict',
            '--module',
            'nodenext',
            '--target',
            'es2023',
            '--lib',
            'es2024,dom',
          ],
          ...[
            '--skipLibCheck',
            'false',
            '--types',
            'node',
            '--typeRoots',
            path.join(REPOSITORY, 'node_modules/@types'),
          ],
          'uses.ts',
        ],
        user.path,
      );
    },
    2 * MINUTES,
  );
});
