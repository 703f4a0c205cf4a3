import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CUSTOM_LAUNCHES_PATH } from '@launch/contracts/custom-launch';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { planOf } from '../../../../../libs/launch-rules/src/fixtures/custom-launch-corpus.fixture.js';
import { startCustomLaunchGateway, type CustomLaunchGateway } from '../../fixtures/custom-launch-gateway.js';
import { CUSTOM_LAUNCH_WALLET, freshCustomLaunch } from '../../fixtures/custom-launch-request.js';
import { call, codeOf, newKey, type Answer } from '../../fixtures/http.client.js';
import { PLANS_PATH } from '../../fixtures/plan-owner.fixture.js';
import { requestBytes, TEST_CONTROLLER, testRequest } from '../../fixtures/test-request.js';

/** A key and the way in which its wallet creates resources of one family. */
interface Family {
  readonly path: string;
  readonly wallet: string;
  /** Returns a request in the form that the family accepts: canonical JSON, or any strict JSON. */
  readonly body: () => Buffer;
  /** Status and code of an id that names none of the caller's resources. */
  readonly absent: readonly [number, string];
}

/** White space and an order that no program would restore. */
const loose = ({ schemaVersion, ...rest }: { readonly schemaVersion: string }): Buffer =>
  Buffer.from(`  ${JSON.stringify({ ...rest, schemaVersion }, null, 3)}\n`);
let nonce = 70_000;
const FAMILIES: readonly (readonly [string, Family])[] = [
  [
    'custom launch',
    {
      path: CUSTOM_LAUNCHES_PATH,
      wallet: CUSTOM_LAUNCH_WALLET,
      body: () => loose(freshCustomLaunch()),
      absent: [404, 'NOT_FOUND'],
    },
  ],
  [
    'plan',
    {
      path: PLANS_PATH,
      wallet: CUSTOM_LAUNCH_WALLET,
      body: () => loose(planOf(freshCustomLaunch(), 'sequential')),
      absent: [422, 'PLAN_NOT_FOUND'],
    },
  ],
  [
    'multi-role launch',
    {
      path: MULTI_ROLE_BASE_PATH,
      wallet: TEST_CONTROLLER,
      body: () => requestBytes(testRequest({ nonce: String((nonce += 1)) })),
      absent: [404, 'NOT_FOUND'],
    },
  ],
];
const ABSENT = '00000000-0000-4000-8000-000000000000';

let gateway: CustomLaunchGateway;
beforeAll(async () => {
  gateway = await startCustomLaunchGateway();
});
afterAll(() => gateway.close());

/** Creates a resource and returns its reads. */
async function created({ path, wallet, body }: Family) {
  const [{ key }, bytes] = [await gateway.issueKey(undefined, wallet), body()];
  const answer = await call(`${gateway.url}${path}`, { key, body: bytes, headers: { 'idempotency-key': newKey() } });
  expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('requestSha256')]);
  const id = (answer.json.launchId ?? answer.json.planId) as string;
  const digest = answer.json.requestSha256 as Sha256Digest;
  const read = (as = key, headers = {}, named = id): Promise<Answer> =>
    call(`${gateway.url}${path}/${named}/request`, { key: as, headers });
  return { id, key, bytes, digest, read };
}
/** Removes bytes as the retention does. */
async function removeBytes(digest: Sha256Digest): Promise<void> {
  await gateway.blobs.retire(digest);
  await gateway.blobs.removeRetired(0, async () => new Set());
}

describe.each(FAMILIES)('The request of a %s', (_name, family) => {
  it('is returned byte for byte as it was received, for its owner alone to keep', async () => {
    const { bytes, digest, read } = await created(family);
    const answer = await read();
    expect([answer.status, Buffer.from(answer.text).equals(bytes), sha256Digest(bytes)]).toEqual([200, true, digest]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, no-store',
      etag: `"${digest}"`,
      vary: expect.stringContaining('Accept, Authorization'),
    });
    const known = await read(undefined, { 'if-none-match': `"${digest}"` });
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', `"${digest}"`]);
  });

  it('is refused like its resource to other keys, to keys that may not read, and for other ids', async () => {
    const { id, key, read } = await created(family);
    const [stranger, elsewhere, powerless] = await Promise.all([
      gateway.issueKey(undefined, family.wallet),
      gateway.issueKey(undefined, `0x${'8'.repeat(40)}`),
      gateway.issueKey(['custom-launch:create'], family.wallet),
    ]);
    const refusals = [await read(stranger.key), await read(elsewhere.key), await read(key, {}, ABSENT)];
    for (const answer of refusals) expect([answer.status, codeOf(answer)]).toEqual(family.absent);
    expect(new Set(refusals.map(({ text }) => text.replace(/req_\w+/, ''))).size).toBe(1);
    expect(codeOf(await read(powerless.key))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await call(`${gateway.url}${family.path}/${id}/request`))).toBe('UNAUTHENTICATED');
  });

  it('is absent after its retention, and an outage while its launch needs bytes that are gone', async () => {
    const { id, digest, read } = await created(family);
    await removeBytes(digest);
    expect((await read()).status).toBeGreaterThanOrEqual(500);
    await gateway.rewrite(id, { bytes_retired_at: new Date() });
    const answer = await read();
    expect([answer.status, codeOf(answer)]).toEqual(family.absent);
  });
});
