import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchResource } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { finalizedFinality, LAUNCH_TRANSACTION, testRecord } from '../../../fixtures/test-documents.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

/** The part of a bundle that says whose it is; the gateway serves the rest as it is. */
const bundleOf = (launch: LaunchResource, more: object = {}, transactionHash = LAUNCH_TRANSACTION) => ({
  schemaVersion: 'service.multi-role-finality-evidence.v2',
  launch: {
    launchId: launch.launchId,
    onchainLaunchId: launch.onchainLaunchId,
    requestSha256: launch.requestSha256,
    requestHash: launch.requestHash,
    contextHash: launch.contextHash,
    artifactHash: launch.artifactHash,
    permitDigest: `0x${'4'.repeat(64)}`,
    handoffSha256: `sha256:${'5'.repeat(64)}` as const,
    ...more,
  },
  outcome: 'finalized',
  conclusion: { transactionHash },
  exchanges: [{ method: 'eth_chainId', answer: { result: '0x1237' } }],
});
const put = (document: object) => gateway.blobs.put(canonicalizeJson(document));
const read = (launch: DrivenLaunch, as = key, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  call(`${gateway.base}/${launch.launchId}/finality/evidence`, { key: as, headers, method });

async function authorized(): Promise<DrivenLaunch> {
  const launch = await reserveLaunch(gateway, key);
  await launch.authorized();
  return launch;
}

async function finalize({ launchId, created }: DrivenLaunch, evidence: object): Promise<void> {
  await gateway.projections.recordFinalized({
    launchId,
    recordSha256: await put(testRecord(created)),
    evidenceSha256: await put(evidence),
    finality: finalizedFinality(launchId),
  });
}

describe('GET /{launchId}/finality/evidence', () => {
  it("serves the bundle's own bytes under their digest, to the owner alone", async () => {
    const launch = await authorized();
    expect(codeOf(await read(launch))).toBe('NOT_FOUND');
    const bundle = bundleOf(launch.created);
    await finalize(launch, bundle);
    const answer = await read(launch);
    const bytes = canonicalizeJson(bundle);
    expect([answer.status, answer.text]).toEqual([200, Buffer.from(bytes).toString()]);
    const etag = `"${sha256Digest(bytes)}"`;
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: expect.stringContaining('Authorization'),
    });
    const again = await read(launch, key, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await read(launch, key, {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);

    const stranger = await gateway.issueKey();
    expect(codeOf(await read(launch, stranger.key))).toBe('NOT_FOUND');
    const creator = await gateway.issueKey(['custom-launch:create']);
    expect(codeOf(await read(launch, creator.key))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await call(`${gateway.base}/${launch.launchId}/finality/evidence`))).toBe('UNAUTHENTICATED');
    expect(codeOf(await call(`${gateway.base}/${launch.launchId}/finality/evidence?x=1`, { key }))).toBe(
      'QUERY_NOT_ALLOWED',
    );
  });

  it('knows none of a launch whose workflow named none', async () => {
    const launch = await authorized();
    await launch.finalized();
    expect(codeOf(await read(launch))).toBe('NOT_FOUND');
    expect(codeOf(await call(`${gateway.base}/not-a-launch/finality/evidence`, { key }))).toBe('NOT_FOUND');
  });

  it.each<[string, (launch: LaunchResource) => object]>([
    ['another launch', (launch) => bundleOf(launch, { launchId: '3f2b8a4e-0000-4000-8000-000000000009' })],
    ['another request', (launch) => bundleOf(launch, { requestHash: `0x${'0'.repeat(64)}` })],
    ['another context', (launch) => bundleOf(launch, { contextHash: `0x${'0'.repeat(64)}` })],
    ['another id on chain', (launch) => bundleOf(launch, { onchainLaunchId: `0x${'0'.repeat(64)}` })],
    ['another transaction', (launch) => bundleOf(launch, {}, `0x${'0'.repeat(64)}`)],
  ])('never becomes that of %s', async (_title, bundle) => {
    const launch = await authorized();
    await expect(finalize(launch, bundle(launch.created))).rejects.toMatchObject({
      code: 'PROJECTION_MISMATCH',
      retryable: false,
    });
    expect((await launch.get()).json.status).toBe('authorized');
    await finalize(launch, bundleOf(launch.created));
    expect((await read(launch)).status).toBe(200);
  });

  it('is never a document of another kind', async () => {
    const launch = await authorized();
    await expect(finalize(launch, { ...bundleOf(launch.created), outcome: 'expired' })).rejects.toMatchObject({
      code: 'DOCUMENT_INVALID',
    });
    await expect(finalize(launch, testRecord(launch.created))).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  });
});
