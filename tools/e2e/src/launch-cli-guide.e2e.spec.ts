import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { WalletTransaction } from '@launch/contracts/launch';
import { inventoryProjectsSchema } from '@launch/contracts/multi-role';
import { sendFromController } from '@launch/start';
import { BUNDLES } from '../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';
import { GuideSession } from './guide/guide-session.js';
import { guideSteps } from './guide/guide-steps.js';

const GUIDE = path.resolve(import.meta.dirname, '../../../docs/guides/custom-launch.md');
const EACH_STEP = 8;
const STARTS_MS = 240_000;
const TYPED_MS = 900_000;

let stack: StackAccess;
let key: string;
beforeAll(async () => {
  stack = await useStack('launches');
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
}, STARTS_MS);

describe('the guide of custom launches and plans, typed unchanged,', () => {
  it(
    'takes a launch and a sequential plan from the service’s address to finality',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'custom-guide-'));
      const json = async (name: string) => JSON.parse(await readFile(path.join(folder, name), 'utf8'));
      const send = async (transaction: WalletTransaction): Promise<string> =>
        sendFromController(stack.stack, transaction);
      const { cases } = inventoryProjectsSchema.parse(
        JSON.parse(await readFile(path.join(BUNDLES, 'inventory-projects.json'), 'utf8')),
      );
      await writeFile(path.join(folder, 'logo.png'), Buffer.from(cases.atlas.project.image.base64, 'base64'));
      let stepId = '';
      const filled = (value: () => string | Promise<string>) => ({ value, shown: false });
      const session = new GuideSession(folder, {
        SERVICE_API_BASE_URL: filled(() => stack.gateway),
        SERVICE_API_KEY: filled(() => key),
        WALLET: filled(() => stack.controller),
        IMAGE: filled(() => 'logo.png'),
        HASH: filled(async () => send((await json('handoff.json')).walletTransaction)),
        STEP: filled(() => stepId),
        STEP_HASH: filled(async () => send((await json(`${stepId}.json`)).authorization)),
      });
      try {
        const steps = guideSteps(await readFile(GUIDE, 'utf8'));
        const type = async (chosen: (section: number) => boolean): Promise<string> => {
          const said: string[] = [];
          for (const step of steps.filter(({ section }) => chosen(section ?? 0))) said.push(await session.type(step));
          return said.join('\n');
        };
        const launched = await type((section) => section < EACH_STEP);
        const { launchId } = (await json('submitted.json')).resource;
        expect(launched).toContain(`"isPublished":true`);
        expect(launched.split('\n')).toContain(launchId);
        for (stepId of (await json('packed.json')).resource.stepIds as readonly string[])
          await type((section) => section === EACH_STEP);
        const ended = await type((section) => section > EACH_STEP);
        const lines = ended.split('\n').filter((line) => line.startsWith('{'));
        expect(JSON.parse(lines.at(-1)!).resource.status).toBe('finalized');
      } finally {
        await session.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    TYPED_MS,
  );
});
