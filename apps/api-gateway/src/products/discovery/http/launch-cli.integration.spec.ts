import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sha256Digest } from '@launch/contracts/primitives';
import { DISCOVERY_PATH, discoverySchema, launchCliReleaseSchema, LAUNCH_CLI_PATH } from '@launch/contracts/reports';
import path from 'node:path';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf } from '../../../fixtures/http.client.js';

const BUNDLES = path.resolve(import.meta.dirname, '../../../../../../clients/launch-cli/bundles');

let publishing: Harness;
let without: Harness;
beforeAll(async () => {
  publishing = await startHarness({ launchCliDir: BUNDLES });
  without = await startHarness({ beside: publishing });
});
afterAll(async () => {
  await without.close();
  await publishing.close();
});

const launchCliOf = async ({ url }: Harness) =>
  discoverySchema.parse((await call(`${url}${DISCOVERY_PATH}`)).json).clients.launchCli;

it('publishes the launch CLI with its manifest under digests that discovery names', async () => {
  const launchCli = await launchCliOf(publishing);
  for (const { path: where, contentSha256 } of [launchCli!.program, launchCli!.manifest]) {
    const response = await fetch(`${publishing.url}${where}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([where, response.headers.get('etag'), sha256Digest(bytes)]).toEqual([
      where,
      `"${contentSha256}"`,
      contentSha256,
    ]);
    const held = await fetch(`${publishing.url}${where}`, { headers: { 'if-none-match': `"${contentSha256}"` } });
    expect([where, held.status]).toEqual([where, 304]);
  }
  const manifest = launchCliReleaseSchema.parse((await call(`${publishing.url}${launchCli!.manifest.path}`)).json);
  expect(manifest.file.sha256).toBe(launchCli!.program.contentSha256);
});

it('answers 404, with null in discovery, where the launch CLI is not published', async () => {
  expect(await launchCliOf(without)).toBeNull();
  expect(codeOf(await call(`${without.url}${LAUNCH_CLI_PATH}/launch.mjs`))).toBe('NOT_FOUND');
});

it('does not list the launch CLI as a file of the multi-role API', async () => {
  const { documentation } = (await call(`${publishing.base}/capabilities`)).json as { readonly documentation: object };
  expect(Object.keys(documentation)).toEqual(['openapi']);
});
