import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inventoryProjectsSchema } from '@launch/contracts/multi-role';
import { InstalledRegistry } from '../../../../clients/packages/src/installed-registry.fixture.js';
import { emptyFolder, packInto } from '../../../../clients/packages/src/packages.fixture.js';
import { BUNDLES } from '../../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import type { StackAccess } from '../stacks/own-stack.js';
import { useStack } from '../stacks/use-stack.js';
import { GuideSession } from './guide-session.js';
import { guideSteps } from './guide-steps.js';

const GUIDE = path.resolve(import.meta.dirname, '../../../../docs/guides/sdk.md');
const MOST_LINES = 25;
const INSTALLED = 2;
const STARTS_MS = 480_000;
const TYPED_MS = 600_000;

const packages = emptyFolder();
let registry: InstalledRegistry;
let stack: StackAccess;
let key: string;
beforeAll(async () => {
  await packInto(packages.path, 'sdk');
  registry = await InstalledRegistry.start();
  stack = await useStack('launches');
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
}, STARTS_MS);
afterAll(async () => {
  await registry.stop();
  packages.remove();
});

/** Returns the files that a guide has its reader save. */
const savedFiles = (markdown: string): readonly (readonly [string, string])[] =>
  [...markdown.matchAll(/^Save it as `([\w.]+)`:\n\n```js\n(.*?)^```$/gms)].map(([, name, text]) => [name!, text!]);

describe('the guide of the SDK, typed unchanged in an empty folder,', () => {
  it(
    'installs the package and takes a launch to finality with a program of at most 25 lines',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'sdk-guide-'));
      const filled = (value: () => string | Promise<string>) => ({ value, shown: false });
      const { cases } = inventoryProjectsSchema.parse(
        JSON.parse(await readFile(path.join(BUNDLES, 'inventory-projects.json'), 'utf8')),
      );
      const image = path.join(packages.path, 'image.png');
      await writeFile(image, Buffer.from(cases.atlas.project.image.base64, 'base64'));
      // The packages of the registry, from this repository.
      await writeFile(path.join(folder, '.npmrc'), `registry=${registry.url}\n`);
      const session = new GuideSession(folder, {
        BASE_URL: filled(() => stack.gateway),
        RPC_URL: filled(() => stack.stack.rpc['4663'][0]!),
        API_KEY: filled(() => key),
        PRIVATE_KEY: filled(async () => (await readFile(stack.stack.controller!.privateKeyFile, 'utf8')).trim()),
        IMAGE: filled(() => image),
        PACKAGES: filled(() => packages.path),
      });
      try {
        const guide = await readFile(GUIDE, 'utf8');
        const [[name, program]] = savedFiles(guide) as [readonly [string, string]];
        expect([
          name,
          program
            .trimEnd()
            .split('\n')
            .filter((line) => line !== '').length <= MOST_LINES,
        ]).toEqual(['launch.mjs', true]);
        const said: string[] = [];
        for (const step of guideSteps(guide)) {
          if ((step.section ?? 0) > INSTALLED) await writeFile(path.join(folder, name), program);
          said.push((await session.type(step)).trim());
        }
        const printed = JSON.parse(said.find((one) => one.startsWith('{"launchId"'))!);
        expect(printed).toEqual({
          launchId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          status: 'finalized',
        });
        expect(said.at(-1)).toMatch(/^[1-9]/);
        expect(session.transcript).not.toContain(key);
      } finally {
        await session.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    TYPED_MS,
  );
});
