import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { moduleCapabilitiesSchema, type ModuleCapabilities } from '@launch/contracts/modules';
import { capabilitiesSchema, type Capabilities } from '@launch/contracts/multi-role';
import { DISCOVERY_PATH, discoverySchema, launchCliReleaseSchema, LAUNCH_CLI_PATH } from '@launch/contracts/reports';
import { COMMANDS, commandsOf, type Release } from '../../../../../../clients/module-cli/src/commands.js';
import { MODULE_CLIENT_RELEASES } from '../../../core/downloads/module-clients.js';
import { PUBLISHABLE_FILES, readPublishedFiles } from '../../../core/downloads/published-files.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, rawCall, type Answer } from '../../../fixtures/http.client.js';

const CLIENTS = path.resolve(import.meta.dirname, '../../../../../../clients');
const MODULE_CLI = path.join(CLIENTS, 'module-cli');
const frozen = path.join(MODULE_CLI, 'frozen');

/** Returns bytes that any re-encoding would change: no end of line, a byte order mark, invalid UTF-8. */
const contentOf = (name: string): Buffer =>
  Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x0a]), Buffer.from(`${name}\t`)]);
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const MISSING = 'inventory-projects.json';

let folder: string;
let gateway: Harness;
/** A gateway that publishes nothing. */
let bare: Harness;
let documentation: Capabilities['documentation'];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-downloads-'));
  for (const { name } of PUBLISHABLE_FILES)
    if (name !== MISSING) writeFileSync(path.join(folder, name), contentOf(name));
  gateway = await startHarness({
    downloadsDir: folder,
    launchCliDir: path.join(CLIENTS, 'launch-cli/bundles'),
    moduleCliDir: frozen,
  });
  bare = await startHarness({ beside: gateway });
  documentation = capabilitiesSchema.parse((await call(`${gateway.base}/capabilities`)).json).documentation;
});
afterAll(async () => {
  await bare.close();
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytesOf = async (
  url: string,
  headers: Record<string, string> = {},
): Promise<{ response: Response; bytes: Buffer }> => {
  const response = await fetch(url, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};
const present = PUBLISHABLE_FILES.filter(({ name }) => name !== MISSING);

describe.each(present)('GET /$name', ({ name, entry, mediaType }) => {
  it('has the original bytes under their digest, as capabilities describe them', async () => {
    const { response, bytes } = await bytesOf(`${gateway.base}/${name}`, { 'accept-encoding': 'gzip, br' });
    expect(response.status).toBe(200);
    expect(bytes.equals(contentOf(name))).toBe(true);
    expect(response.headers.get('etag')).toBe(`"${digestOf(bytes)}"`);
    expect(
      Object.fromEntries(
        ['content-type', 'content-length', 'content-encoding', 'cache-control', 'x-content-type-options'].map(
          (header) => [header, response.headers.get(header)],
        ),
      ),
    ).toEqual({
      'content-type': mediaType,
      'content-length': String(bytes.length),
      'content-encoding': null,
      'cache-control': 'public, no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    });
    expect(documentation[entry]).toEqual({
      path: new URL(`${gateway.base}/${name}`).pathname,
      mediaType,
      contentSha256: digestOf(bytes),
    });
  });

  it('is sent only to clients without its current bytes', async () => {
    const tag = `"${digestOf(contentOf(name))}"`;
    for (const held of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const answer = await call(`${gateway.base}/${name}`, { headers: { 'if-none-match': held } });
      expect([held, answer.status, answer.text, answer.headers.get('etag')]).toEqual([held, 304, '', tag]);
      expect(answer.headers.get('ratelimit-policy')).toMatch(/^"download";/);
    }
    expect(
      (await call(`${gateway.base}/${name}`, { headers: { 'if-none-match': '"sha256:0", nonsense' } })).status,
    ).toBe(200);
  });

  it('has a HEAD with the same headers and no body', async () => {
    const [head, get] = [
      await call(`${gateway.base}/${name}`, { method: 'HEAD' }),
      await call(`${gateway.base}/${name}`),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    for (const header of ['etag', 'content-type', 'content-length', 'cache-control'])
      expect([header, head.headers.get(header)]).toEqual([header, get.headers.get(header)]);
  });

  it('accepts no query, no other method and no trailing slash', async () => {
    const outcomes: [string, Answer][] = [
      ['400 QUERY_NOT_ALLOWED', await call(`${gateway.base}/${name}?v=1`)],
      ['405 METHOD_NOT_ALLOWED', await call(`${gateway.base}/${name}`, { method: 'POST' })],
      ['404 NOT_FOUND', await call(`${gateway.base}/${name}/`)],
      [
        '404 NOT_FOUND',
        await rawCall(gateway.base, { method: 'GET', path: `${new URL(gateway.base).pathname}/../${name}` }),
      ],
    ];
    for (const [expected, answer] of outcomes) expect(`${answer.status} ${codeOf(answer)}`).toBe(expected);
  });
});

describe('The list of published files', () => {
  it('states that requests can be packed, with the same descriptors', () => {
    const { packer, reference, buildManifest } = documentation;
    expect(documentation.requestPackaging).toEqual({ status: 'published', packer, reference, buildManifest });
  });

  it('omits an absent file', async () => {
    expect(documentation.inventoryProjects).toBeUndefined();
    const answer = await call(`${gateway.base}/${MISSING}`);
    expect([answer.status, codeOf(answer), answer.headers.get('etag')]).toEqual([404, 'NOT_FOUND', null]);
  });

  it('stays as at the start, even if the folder changes', async () => {
    const later = mkdtempSync(path.join(tmpdir(), 'gateway-downloads-'));
    try {
      writeFileSync(path.join(later, 'guide.md'), 'as it was');
      const other = await startHarness({ beside: gateway, downloadsDir: later });
      try {
        writeFileSync(path.join(later, 'guide.md'), 'changed');
        expect((await call(`${other.base}/guide.md`)).text).toBe('as it was');
        unlinkSync(path.join(later, 'guide.md'));
        expect((await call(`${other.base}/guide.md`)).text).toBe('as it was');
        const capabilities = capabilitiesSchema.parse((await call(`${other.base}/capabilities`)).json);
        expect(capabilities.documentation).toMatchObject({
          guide: { contentSha256: digestOf(Buffer.from('as it was')) },
        });
        expect(capabilities.documentation.requestPackaging).toBeUndefined();
      } finally {
        await other.close();
      }
    } finally {
      rmSync(later, { recursive: true, force: true });
    }
  });

  it('is empty for an absent folder', () => {
    expect(readPublishedFiles(path.join(folder, 'absent')).size).toBe(0);
  });
});

const clientsOf = async ({ url }: Harness): Promise<ModuleCapabilities['clients']> =>
  moduleCapabilitiesSchema.parse((await call(`${url}/v1/modules/capabilities`)).json).clients;

describe('The frozen module CLI', () => {
  it('has three releases, each with the bytes and the commands of its publication', () => {
    expect(readdirSync(frozen).sort()).toEqual(MODULE_CLIENT_RELEASES.map(({ version }) => version));
    const releases = JSON.parse(readFileSync(path.join(MODULE_CLI, 'releases.json'), 'utf8')) as Release[];
    for (const { version, contentSha256, commands } of MODULE_CLIENT_RELEASES) {
      expect(digestOf(readFileSync(path.join(frozen, version, 'module-cli.mjs')))).toBe(contentSha256);
      const release = releases.find((one) => one.version === version)!;
      expect(
        commandsOf(release)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...commands].sort());
    }
    expect(COMMANDS.map(({ name }) => name).sort()).toEqual([...MODULE_CLIENT_RELEASES.at(-1)!.commands].sort());
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
      expect(digestOf(new Uint8Array(await answer.arrayBuffer()))).toBe(contentSha256);
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

const launchCliOf = async ({ url }: Harness) =>
  discoverySchema.parse((await call(`${url}${DISCOVERY_PATH}`)).json).clients.launchCli;

describe('The launch CLI', () => {
  it('is published with its manifest under digests that discovery names', async () => {
    const launchCli = await launchCliOf(gateway);
    for (const { path: where, contentSha256 } of [launchCli!.program, launchCli!.manifest]) {
      const response = await fetch(`${gateway.url}${where}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect([where, response.headers.get('etag'), digestOf(bytes)]).toEqual([
        where,
        `"${contentSha256}"`,
        contentSha256,
      ]);
      const held = await fetch(`${gateway.url}${where}`, { headers: { 'if-none-match': `"${contentSha256}"` } });
      expect([where, held.status]).toEqual([where, 304]);
    }
    const manifest = launchCliReleaseSchema.parse((await call(`${gateway.url}${launchCli!.manifest.path}`)).json);
    expect(manifest.file.sha256).toBe(launchCli!.program.contentSha256);
  });

  it('is neither described nor found where the deployment does not publish it', async () => {
    expect(await launchCliOf(bare)).toBeNull();
    expect(codeOf(await call(`${bare.url}${LAUNCH_CLI_PATH}/launch.mjs`))).toBe('NOT_FOUND');
  });

  it('is not listed as a file of the multi-role API', async () => {
    const described = PUBLISHABLE_FILES.map(({ entry }) => entry as string);
    const { openapi, requestPackaging, ...files } = documentation;
    expect([openapi, requestPackaging]).not.toContain(undefined);
    expect(described).toEqual(expect.arrayContaining(Object.keys(files)));
  });
});

// Last, since gateways on one database share the counts of an address.
it('Downloads have a separate quota by address, which leaves the other public routes open.', async () => {
  const quotas = { download: { quantity: 1, windowSeconds: 60, burst: 2 } };
  const other = await startHarness({ beside: gateway, downloadsDir: folder, quotas });
  try {
    const statuses = [];
    for (const name of ['guide.md', 'client.mjs', 'request-packer.mjs'])
      statuses.push((await call(`${other.base}/${name}`)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await call(`${other.base}/capabilities`)).status).toBe(200);
  } finally {
    await other.close();
  }
});
