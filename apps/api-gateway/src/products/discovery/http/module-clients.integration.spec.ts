import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moduleCapabilitiesSchema, type ModuleCapabilities } from '@launch/contracts/modules';
import { COMMANDS, commandsOf, type Release } from '../../../../../../clients/module-cli/src/commands.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call } from '../../../fixtures/http.client.js';
import { MODULE_CLIENT_RELEASES } from '../../../core/downloads/module-clients.js';

const CLIENT = path.resolve(import.meta.dirname, '../../../../../../clients/module-cli');
const frozen = path.join(CLIENT, 'frozen');
const digest = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

let gateway: Harness;
/** A gateway without the folder. */
let bare: Harness;
beforeAll(async () => {
  gateway = await startHarness({ moduleCliDir: frozen });
  bare = await startHarness({ beside: gateway });
});
afterAll(async () => {
  await bare.close();
  await gateway.close();
});

const clientsOf = async ({ url }: Harness): Promise<ModuleCapabilities['clients']> =>
  moduleCapabilitiesSchema.parse((await call(`${url}/v1/modules/capabilities`)).json).clients;

describe('the frozen module CLI', () => {
  it('has three releases, each with the bytes and the commands of its publication', () => {
    expect(readdirSync(frozen).sort()).toEqual(MODULE_CLIENT_RELEASES.map(({ version }) => version));
    const releases = JSON.parse(readFileSync(path.join(CLIENT, 'releases.json'), 'utf8')) as Release[];
    for (const { version, contentSha256, commands } of MODULE_CLIENT_RELEASES) {
      expect(digest(readFileSync(path.join(frozen, version, 'module-cli.mjs')))).toBe(contentSha256);
      const release = releases.find((one) => one.version === version)!;
      expect(Object.keys(commandsOf(release)).sort()).toEqual([...commands].sort());
    }
    expect(Object.keys(COMMANDS).sort()).toEqual([...MODULE_CLIENT_RELEASES.at(-1)!.commands].sort());
  });

  it('is served under the digest that capabilities name', async () => {
    const clients = await clientsOf(gateway);
    expect(clients).toEqual(
      MODULE_CLIENT_RELEASES.map((release) => ({
        ...release,
        path: `/v1/modules/client/${release.version}/module-cli.mjs`,
      })),
    );
    for (const { path: at, contentSha256 } of clients) {
      const answer = await fetch(gateway.url + at);
      expect([answer.status, answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual([
        200,
        `"${contentSha256}"`,
        'text/javascript; charset=utf-8',
      ]);
      expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(contentSha256);
      const again = await fetch(gateway.url + at, { headers: { 'if-none-match': `"${contentSha256}"` } });
      expect(again.status).toBe(304);
    }
  });

  it('is neither described nor found where the deployment does not publish it', async () => {
    expect(await clientsOf(bare)).toEqual([]);
    for (const version of [MODULE_CLIENT_RELEASES[0].version, '1.0.0-development.2'])
      expect((await call(`${bare.url}/v1/modules/client/${version}/module-cli.mjs`)).status).toBe(404);
  });
});
