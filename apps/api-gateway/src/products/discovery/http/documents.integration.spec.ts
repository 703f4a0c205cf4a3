import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Digest } from '@launch/contracts/primitives';
import {
  API_CATALOG_PATH,
  DISCOVERY_PATH,
  discoverySchema,
  DOCUMENTATION_INDEX_PATH,
  documentationIndexSchema,
  type DocumentationIndex,
} from '@launch/contracts/reports';
import { DOCUMENT_FILES, GUIDE_FILES, REFERENCE_FILES } from '../../../core/downloads/published-documents.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf } from '../../../fixtures/http.client.js';

const ROOT = path.resolve(import.meta.dirname, '../../../../../..');
const INDEX_READER = 'clients/index-reader/bundles';

let gateway: Harness;
/** A gateway that publishes nothing. */
let bare: Harness;
beforeAll(async () => {
  gateway = await startHarness({
    documentsDir: path.join(ROOT, 'docs'),
    indexReaderDir: path.join(ROOT, INDEX_READER),
  });
  bare = await startHarness({ beside: gateway });
});
afterAll(async () => {
  await bare.close();
  await gateway.close();
});

const indexOf = async ({ url }: Harness): Promise<DocumentationIndex> =>
  documentationIndexSchema.parse((await call(`${url}${DOCUMENTATION_INDEX_PATH}`)).json);
const discoveryOf = async ({ url }: Harness) => discoverySchema.parse((await call(`${url}${DISCOVERY_PATH}`)).json);
const bytesOf = async (route: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}${route}`, { headers });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

describe.each(DOCUMENT_FILES)('GET /docs/$name', ({ name }) => {
  it("has the bytes of the repository's file under their digest, and sends none to a client that has them", async () => {
    const source = readFileSync(path.join(ROOT, 'docs', name));
    const tag = `"${sha256Digest(source)}"`;
    const { response, bytes } = await bytesOf(`/docs/${name}`, { 'accept-encoding': 'gzip, br' });
    expect([response.status, response.headers.get('etag'), response.headers.get('content-type')]).toEqual([
      200,
      tag,
      'text/markdown; charset=utf-8',
    ]);
    expect(response.headers.get('cache-control')).toBe('public, no-cache, no-transform');
    expect(bytes.equals(source)).toBe(true);
    const held = await bytesOf(`/docs/${name}`, { 'if-none-match': tag });
    expect([held.response.status, held.bytes.length, held.response.headers.get('etag')]).toEqual([304, 0, tag]);
  });
});

describe('The list of documents', () => {
  it('names every guide and reference page with title, path, length and digest, and has a digest in discovery', async () => {
    const { guides, reference } = await indexOf(gateway);
    for (const [listed, files] of [
      [guides, GUIDE_FILES],
      [reference, REFERENCE_FILES],
    ] as const) {
      const expected = files.map(({ name, mediaType, summary }) => {
        const source = readFileSync(path.join(ROOT, 'docs', name));
        const [title] = source.toString('utf8').split('\n');
        return {
          title: title!.replace(/^# /, ''),
          summary,
          path: `/docs/${name}`,
          mediaType,
          byteLength: source.length,
          contentSha256: sha256Digest(source),
        };
      });
      expect(listed).toEqual(expected);
    }
    const { documentation } = await discoveryOf(gateway);
    const { response, bytes } = await bytesOf(documentation.path);
    expect([documentation.path, response.headers.get('etag'), sha256Digest(bytes)]).toEqual([
      DOCUMENTATION_INDEX_PATH,
      `"${documentation.contentSha256}"`,
      documentation.contentSha256,
    ]);
  });

  it('is in the API catalogue, with each document', async () => {
    const { linkset } = JSON.parse((await call(`${gateway.url}${API_CATALOG_PATH}`)).text) as {
      linkset: { anchor: string; item?: { href: string; type: string }[] }[];
    };
    const items = linkset.find(({ anchor }) => anchor === '/docs')?.item;
    expect(items).toEqual(DOCUMENT_FILES.map(({ name, mediaType }) => ({ href: `/docs/${name}`, type: mediaType })));
  });

  it('is empty where the deployment publishes none, and each document is 404', async () => {
    expect(await indexOf(bare)).toMatchObject({ guides: [], reference: [] });
    for (const { name } of DOCUMENT_FILES) {
      const answer = await call(`${bare.url}/docs/${name}`);
      expect([name, answer.status, codeOf(answer)]).toEqual([name, 404, 'NOT_FOUND']);
    }
  });

  it('contains no other file of the folder', async () => {
    for (const name of ['guides/operating.md', 'guides/operating', 'reference/README.md', 'guides/..%2Flayout.md'])
      expect([name, (await call(`${gateway.url}/docs/${name}`)).status]).toEqual([name, 404]);
  });
});

describe('/docs', () => {
  it('links each published document by its title, the list of them and the index reader', async () => {
    const page = (await call(`${gateway.url}/docs`)).text;
    const { guides, reference } = await indexOf(gateway);
    expect(guides.length + reference.length).toBe(DOCUMENT_FILES.length);
    for (const { path: at, title } of [...guides, ...reference]) expect(page).toContain(`<a href="${at}">${title}</a>`);
    for (const at of [DOCUMENTATION_INDEX_PATH, '/v4/clients/index-reader/index-reader.mjs'])
      expect(page).toContain(`<a href="${at}">`);
  });

  it('links nothing that the deployment does not publish', async () => {
    const page = (await call(`${bare.url}/docs`)).text;
    const targets = [...page.matchAll(/<nav>[^]*<\/nav>/g)].flatMap(([nav]) => [...nav.matchAll(/href="([^"]+)"/g)]);
    expect(targets.length).toBeGreaterThan(3);
    const statuses = await Promise.all(targets.map(async ([, target]) => (await call(`${bare.url}${target}`)).status));
    expect(statuses).not.toContain(404);
  });
});

describe('The index reader', () => {
  it('is published under the digest that discovery names', async () => {
    const { program } = (await discoveryOf(gateway)).clients.indexReader!;
    const { response, bytes } = await bytesOf(program.path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(response.headers.get('etag')).toBe(`"${program.contentSha256}"`);
    expect(bytes.equals(readFileSync(path.join(ROOT, INDEX_READER, 'index-reader.mjs')))).toBe(true);
    expect((await bytesOf(program.path, { 'if-none-match': `"${program.contentSha256}"` })).response.status).toBe(304);
  });

  it('is neither described nor found where the deployment does not publish it', async () => {
    expect((await discoveryOf(bare)).clients.indexReader).toBeNull();
    expect(codeOf(await call(`${bare.url}/v4/clients/index-reader/index-reader.mjs`))).toBe('NOT_FOUND');
  });
});
