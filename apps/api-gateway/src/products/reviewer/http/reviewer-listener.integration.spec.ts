import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf } from '../../../fixtures/http.client.js';

const ID = '00000000-0000-4000-8000-000000000000';
const DIGEST = `sha256:${'1'.repeat(64)}`;

let gateway: Harness;
let key: string;
const at = (path: string, options: Parameters<typeof call>[1] = {}) =>
  call(`${gateway.reviewerUrl}${path}`, { key, ...options });

beforeAll(async () => {
  gateway = await startHarness({ reviewUpdates: { change: () => Promise.reject(new Error('no review runs')) } });
  ({ key } = await gateway.issueKey(['modules:review']));
});
afterAll(() => gateway.close());

describe("The reviewers' listener", () => {
  it.each([
    ['/v1/reviewer/queue', 200],
    ['/v1/reviewer/queue?state=built', 200],
    ['/v1/reviewer/queue?state=no', 400],
    ['/v1/reviewer/queue?limit=2', 400],
    ['/v1/reviewer/queue?cursor=abc', 400],
    [`/v1/reviewer/submissions/${ID}`, 404],
    [`/v1/reviewer/submissions/x`, 404],
    [`/v1/reviewer/submissions/${ID}/files/${DIGEST}`, 404],
    [`/v1/reviewer/submissions/${ID}/files/sha256:x`, 404],
    [`/v1/reviewer/submissions/${ID}/findings`, 404],
    [`/v1/reviewer/submissions/${ID}/diff`, 404],
    ['/v1/modules/capabilities', 404],
    ['/openapi.json', 200],
    ['/healthz', 200],
  ])('answers %s with %i', async (path, status) => {
    expect((await at(path)).status).toBe(status);
  });

  it('has a description of its own, and the public one contains none of its routes', () => {
    const own = Object.keys(gateway.reviewerOpenapi!.document.paths);
    const open = Object.keys(gateway.openapi.document.paths);
    expect(gateway.reviewerOpenapi!.document.info.title).toBe('Module Review API');
    expect(gateway.openapi.document.info.title).toBe('Custom Launch API');
    expect(own).toContain('/v1/reviewer/submissions/{submissionId}/decisions');
    expect(open.filter((path) => path.includes('reviewer') || path.startsWith('/submissions'))).toEqual([]);
    expect(gateway.served.filter((path) => path.includes('reviewer'))).toEqual([]);
  });

  it('refuses keys of launches and modules, and its own keys are refused everywhere else', async () => {
    for (const scopes of [['custom-launch:read'], ['modules:read', 'modules:submit']] as const) {
      const other = await gateway.issueKey([...scopes]);
      const refused = await at('/v1/reviewer/queue', { key: other.key });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'API_SCOPE_REQUIRED']);
    }
    expect((await call(`${gateway.url}/v1/modules/submissions`, { key })).status).toBe(403);
    expect((await call(gateway.base, { key })).status).toBe(403);
  });

  it('opens sessions that are valid only for their own pages and end with their key', async () => {
    const issued = await gateway.issueKey(['modules:review']);
    const origin = gateway.reviewerUrl!;
    const begin = (from: string, asked = issued.key) =>
      fetch(`${origin}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: from },
        body: JSON.stringify({ key: asked }),
      });
    expect((await begin('https://elsewhere.example')).status).toBe(401);
    const foreign = await gateway.issueKey(['modules:read']);
    expect((await begin(origin, foreign.key)).status).toBe(403);
    const begun = await begin(origin);
    const cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
    expect(begun.status).toBe(204);
    const queue = (headers: Record<string, string>) => fetch(`${origin}/`, { headers, redirect: 'manual' });
    const page = await queue({ cookie, origin: 'https://elsewhere.example' });
    expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([200, null]);
    for (const forged of [
      '',
      `${cookie}0`,
      cookie.replace(/\.\d+\./, '.9999999999.'),
      `${cookie.slice(0, -64)}${'0'.repeat(64)}`,
    ])
      expect([forged, (await queue({ cookie: forged })).status]).toEqual([forged, 303]);
    const change = (headers: Record<string, string>) =>
      fetch(`${origin}/v1/reviewer/submissions/${ID}/requeue`, {
        method: 'POST',
        headers: { cookie, 'if-match': '0', ...headers },
      });
    expect((await change({})).status).toBe(401);
    expect((await change({ origin: 'https://elsewhere.example' })).status).toBe(401);
    expect((await change({ origin, 'sec-fetch-site': 'cross-site' })).status).toBe(401);
    expect((await change({ origin, 'sec-fetch-site': 'same-site' })).status).toBe(401);
    expect((await change({ 'sec-fetch-site': 'same-origin' })).status).toBe(404);
    expect((await change({ origin })).status).toBe(404);
    gateway.clock.shiftMs += 4 * 3_600_000 + 1_000;
    expect((await queue({ cookie })).status).toBe(303);
    gateway.clock.shiftMs = 0;
    await gateway.credentials.revoke(issued.credentialId);
    expect((await queue({ cookie })).status).toBe(303);
  });
});
