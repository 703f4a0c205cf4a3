import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import { sha256Digest } from '@launch/contracts/primitives';
import { configOnStack, packOnStack, sendFromController } from '@launch/start';
import { BUNDLES, runNode } from '../../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import { createLaunchClient, type LaunchClient } from '../../../../clients/sdk/src/index.js';
import { createMultiRoleClient } from '../../../../clients/sdk/src/multi-role.js';
import { runLaunchProgram } from '../fixtures/launch-program.fixture.js';
import { packReferenceNow } from '../reference-request.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';

const STARTS_WITHIN_MS = 600_000;
const ENDS_WITHIN_MS = 600_000;
const WAIT = { timeoutMs: 240_000, pollMs: 1_000 };

let stack: E2eStack;
let folder: string;
let key: string;
let client: LaunchClient;
beforeAll(async () => {
  stack = await startE2eStack({ site: true });
  folder = await mkdtemp(path.join(tmpdir(), 'site-outage-'));
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  client = createLaunchClient({ baseUrl: stack.gateway, key });
}, STARTS_WITHIN_MS);
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The pages that the service names for a launch. */
interface Pages {
  readonly launchUrl: string | null;
  /** Null until the launch waits for its wallet. */
  readonly walletUrl: string | null;
}

/** Opens a page without JavaScript and returns its status and its heading. */
async function opened(url: string): Promise<readonly [status: number, heading: string | undefined]> {
  const response = await fetch(url);
  const [, heading] = /<h1[^>]*>([^<]*)<\/h1>/.exec(await response.text()) ?? [];
  return [response.status, heading];
}

/** Checks the page of a launch that a program printed, and that of the wallet once there is something to sign. */
async function expectPages(
  launchUrl: string,
  authorized: Promise<{ readonly launchId: string } & Pages>,
): Promise<void> {
  const { launchId, walletUrl } = await authorized;
  expect([launchUrl, walletUrl]).toEqual([
    `${stack.stack.site}/launches/${launchId}`,
    `${stack.stack.site}/wallet/launches/${launchId}`,
  ]);
  expect(await opened(launchUrl)).toEqual([200, 'Launch']);
  expect(await opened(walletUrl!)).toEqual([200, 'Review and sign']);
}

describe('The pages that a program prints', () => {
  it(
    'open on the website after launch submit',
    async () => {
      const [config, request] = ['config', 'request'].map((name) => path.join(folder, `${name}.json`)) as [
        string,
        string,
      ];
      await writeFile(config, JSON.stringify((await configOnStack(stack.stack, BUNDLES)).config));
      await runLaunchProgram(stack, ['pack', '--config', config, '--output', request]);
      const env = { SERVICE_API_KEY: key };
      const { code, result } = await runLaunchProgram(stack, ['submit', request, '--config', config], env);
      expect(code).toBe(0);
      const { launchId, launchUrl } = result.resource;
      await expectPages(launchUrl, client.waitFor(launchId, 'authorized', WAIT));
    },
    ENDS_WITHIN_MS,
  );

  it(
    'open on the website after the create of client.mjs',
    async () => {
      const service = createMultiRoleClient({ baseUrl: stack.gateway, key });
      const { bytes } = await packReferenceNow(service, stack.controller);
      const file = path.join(folder, 'multi-role.json');
      await writeFile(file, bytes);
      const { code, stdout } = await runNode([path.join(BUNDLES, 'client.mjs'), 'create', '--request', file], {
        env: { SERVICE_API_BASE_URL: stack.gateway, SERVICE_API_KEY: key },
      });
      expect(code).toBe(0);
      const { response } = JSON.parse(stdout) as {
        readonly response: { readonly launchId: string; readonly launchUrl: string };
      };
      await expectPages(response.launchUrl, service.waitFor(response.launchId, 'authorized', WAIT));
    },
    ENDS_WITHIN_MS,
  );
});

describe('The API without the website', () => {
  it(
    'creates, authorizes and finalizes launches while the process of the site is dead',
    async () => {
      const first = await packOnStack(stack.stack, BUNDLES);
      const { launchId, launchUrl } = await client.submit(first);
      expect(await opened(launchUrl!)).toEqual([200, 'Launch']);
      await stack.services.kill('site', 'SIGKILL', { hold: true });
      await expect(fetch(stack.stack.site)).rejects.toThrow();

      expect((await client.get(launchId)).requestSha256).toBe(sha256Digest(first.bytes));
      const { handoff, walletUrl } = await client.waitFor(launchId, 'authorized', WAIT);
      await sendFromController(stack.stack, handoff!.walletTransaction as CustomLaunchHandoff['walletTransaction']);
      const second = await client.submit(await packOnStack(stack.stack, BUNDLES));
      expect((await client.waitFor(launchId, 'finalized', WAIT)).status).toBe('finalized');
      const listed = (await client.list()).items.map((one) => one.launchId);
      expect(listed).toEqual(expect.arrayContaining([launchId, second.launchId]));

      await stack.services.resume('site');
      await stack.services.up('site');
      expect(await opened(walletUrl!)).toEqual([200, 'Review and sign']);
    },
    ENDS_WITHIN_MS,
  );
});
