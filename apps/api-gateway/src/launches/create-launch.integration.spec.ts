import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, newKey } from '../testing/http.client.js';
import { startHarness, type Harness } from '../testing/gateway.harness.js';
import { requestBytes, testRequest } from '../testing/test-request.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
}, 60_000);
afterAll(() => gateway.close());

describe('create', () => {
  it('reserves, starts the admission and shows the launch', async () => {
    const { key } = await gateway.issueKey();
    const body = requestBytes(testRequest());
    const created = await call(gateway.base, { key, body, headers: { 'idempotency-key': newKey() } });
    expect([created.status, created.json?.error]).toEqual([202, undefined]);
    expect(created.json.status).toBe('reserved');
    const read = await call(`${gateway.url}${created.headers.get('location')}`, { key });
    expect(read.status).toBe(200);
    expect(gateway.workflows.admissions).toContain(created.json.launchId);
    expect(Buffer.from(await gateway.blobs.get(created.json.requestSha256)).equals(body)).toBe(true);
  });
});
