import { describe, expect, it } from '@jest/globals';
import type { ApiClient } from '@launch/sdk/operations';
import { OpenApiCache, type OpenApi } from './openapi-document.js';

const DOCUMENT: OpenApi = { tags: [], paths: {}, components: {} };

/** Answers as the gateway does: 304 to the entity tag of the current document. */
function gateway() {
  const asked: (string | undefined)[] = [];
  const state = { etag: '"sha256:1"' };
  const api = {
    call: (_operation: unknown, { header }: { header: Record<string, string> }) => {
      const known = header['If-None-Match'];
      asked.push(known);
      return Promise.resolve(
        known === state.etag
          ? { status: 304, headers: new Headers(), value: undefined }
          : { status: 200, headers: new Headers({ etag: state.etag }), value: { ...DOCUMENT, etag: state.etag } },
      );
    },
  } as unknown as ApiClient;
  return { api, asked, state };
}

describe('The kept OpenAPI document', () => {
  it('is read once a minute, and then only by its entity tag', async () => {
    const { api, asked, state } = gateway();
    let now = 0;
    const cache = new OpenApiCache(() => now);
    const first = await cache.read(api);
    now = 59_999;
    await cache.read(api);
    expect(asked).toEqual([undefined]);
    now = 60_000;
    expect(await cache.read(api)).toEqual(first);
    expect(asked).toEqual([undefined, '"sha256:1"']);
    state.etag = '"sha256:2"';
    now = 120_000;
    expect(await cache.read(api)).toMatchObject({ is: 'value', value: { etag: '"sha256:2"' } });
  });
});
