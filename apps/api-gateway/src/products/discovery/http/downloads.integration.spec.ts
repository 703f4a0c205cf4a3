import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { capabilitiesSchema, type Capabilities } from '@launch/contracts/multi-role';
import { call, codeOf, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { PUBLISHABLE_FILES, readPublishedFiles } from '../../../core/downloads/published-files.js';

/** Returns bytes that any re-encoding would change: no end of line, a byte order mark, invalid UTF-8. */
const contentOf = (name: string): Buffer =>
  Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x0a]), Buffer.from(`${name}\t`)]);
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const MISSING = 'inventory-projects.json';

let folder: string;
let gateway: Harness;
let documentation: Capabilities['documentation'];
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'gateway-downloads-'));
  for (const { name } of PUBLISHABLE_FILES)
    if (name !== MISSING) writeFileSync(path.join(folder, name), contentOf(name));
  gateway = await startHarness({ downloadsDir: folder });
  documentation = capabilitiesSchema.parse((await call(`${gateway.base}/capabilities`)).json).documentation;
});
afterAll(async () => {
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

describe('the list of published files', () => {
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

  it('has a separate quota by address, which leaves the other public routes open', async () => {
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
});
