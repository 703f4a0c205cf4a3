import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { launchListSchema, type LaunchResource } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { finalizedFinality, LAUNCH_TRANSACTION, testRecord } from '../../../fixtures/test-documents.js';

let gateway: Harness;
let mine: { key: string; lineageId: string };
let stranger: string;
beforeAll(async () => {
  gateway = await startHarness();
  mine = await gateway.issueKey();
  ({ key: stranger } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const list = (query = '', key = mine.key): Promise<Answer> => call(`${gateway.base}${query}`, { key });
const ids = (answer: Answer): string[] => (answer.json.items as LaunchResource[]).map(({ launchId }) => launchId);
const withoutRequestId = (answer: Answer): string => answer.text.replace(/req_[0-9A-Z]{26}/, '');

describe('A launch', () => {
  it('has the same 404 for a foreign and an absent id', async () => {
    const launch = await reserveLaunch(gateway, mine.key);
    for (const suffix of ['', '/finality']) {
      const foreign = await call(`${gateway.url}${launch.created.statusUrl}${suffix}`, { key: stranger });
      const absent = await call(`${gateway.base}/00000000-0000-4000-8000-000000000000${suffix}`, { key: stranger });
      expect([foreign.status, withoutRequestId(foreign)]).toEqual([404, withoutRequestId(absent)]);
      expect([...foreign.headers.keys()].sort()).toEqual([...absent.headers.keys()].sort());
      expect((await call(`${gateway.url}${launch.created.statusUrl}${suffix}`, { key: mine.key })).status).toBe(200);
    }
  });

  it('belongs to the wallet too, not only to the lineage', async () => {
    const launch = await reserveLaunch(gateway, mine.key);
    const other = await gateway.issueKey(undefined, `0x${'9'.repeat(40)}`);
    // No command of the gateway makes such a lineage, and the database forbids it.
    const move = `UPDATE credential SET lineage_id = $2, generation = 100 WHERE credential_id = $1`;
    await expect(runSql(gateway.database, move, [other.credentialId, mine.lineageId])).rejects.toThrow(
      /what was issued stays/,
    );
    await runSql(gateway.database, 'ALTER TABLE credential DISABLE TRIGGER credential_facts_stay');
    await runSql(gateway.database, move, [other.credentialId, mine.lineageId]);
    await runSql(gateway.database, 'ALTER TABLE credential ENABLE TRIGGER credential_facts_stay');
    expect((await launch.get(other.key)).status).toBe(404);
    expect((await launch.get()).status).toBe(200);
  });
});

describe('The list', () => {
  it('is paged newest first, without gaps or repeats, while launches are added', async () => {
    const owner = await gateway.issueKey();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await reserveLaunch(gateway, owner.key)).launchId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer = await list(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`, owner.key);
      const parsed = launchListSchema.parse(page.json);
      expect(parsed.items.length).toBeLessThanOrEqual(3);
      seen.push(...ids(page));
      cursor = parsed.nextCursor;
      await reserveLaunch(gateway, owner.key);
    } while (cursor !== null);
    expect(seen).toEqual([...made].reverse());
  });

  it("returns 10 launches unless the query sets a limit, and only the caller's own", async () => {
    const owner = await gateway.issueKey();
    for (let index = 0; index < 11; index += 1) await reserveLaunch(gateway, owner.key);
    expect(ids(await list('', owner.key))).toHaveLength(10);
    expect(ids(await list('?limit=25', owner.key))).toHaveLength(11);
    expect(ids(await list('', stranger))).toEqual([]);
  });

  it('shows each launch as its own route does, with its stored assessment and a link to its hand-off', async () => {
    const owner = await gateway.issueKey();
    const [refused, signed] = [await reserveLaunch(gateway, owner.key), await reserveLaunch(gateway, owner.key)];
    await refused.refused(true, 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED');
    await signed.authorized();
    const { items } = launchListSchema.parse((await list('', owner.key)).json);
    const reads = [(await signed.get()).json, (await refused.get()).json] as readonly LaunchResource[];
    expect(items).toEqual(
      reads.map(({ wallet, ...launch }) => ({
        ...launch,
        schemaVersion: 'service.multi-role-launch-list-item.v2',
        handoffUrl: wallet === null ? null : launch.statusUrl,
      })),
    );
    expect(items.map(({ handoffUrl }) => handoffUrl !== null)).toEqual([true, false]);
    expect(items.map(({ sourceAssessment }) => sourceAssessment)).toMatchObject([
      { disposition: 'source_supported', findingCodes: [], productionAuthority: false },
      {
        disposition: 'evidence_required',
        findingCodes: ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'],
        productionAuthority: false,
      },
    ]);
  });
});

/** The members of a bundle that identify its launch. The gateway serves the others unchanged. */
const bundleOf = (launch: LaunchResource) => ({
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
  },
  outcome: 'finalized',
  conclusion: { transactionHash: LAUNCH_TRANSACTION },
  exchanges: [{ method: 'eth_chainId', answer: { result: '0x1237' } }],
});
const put = (document: object) => gateway.blobs.put(canonicalizeJson(document));
const readEvidence = (
  launch: DrivenLaunch,
  as = mine.key,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> => call(`${gateway.base}/${launch.launchId}/finality/evidence`, { key: as, headers, method });

async function authorized(): Promise<DrivenLaunch> {
  const launch = await reserveLaunch(gateway, mine.key);
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

describe('The route GET /{launchId}/finality/evidence', () => {
  it("serves the bundle's own bytes under their digest, to the owner only", async () => {
    const launch = await authorized();
    expect(codeOf(await readEvidence(launch))).toBe('NOT_FOUND');
    const bundle = bundleOf(launch.created);
    await finalize(launch, bundle);
    const answer = await readEvidence(launch);
    const bytes = canonicalizeJson(bundle);
    expect([answer.status, answer.text]).toEqual([200, Buffer.from(bytes).toString()]);
    const etag = `"${sha256Digest(bytes)}"`;
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      etag,
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      vary: expect.stringContaining('Authorization'),
    });
    const again = await readEvidence(launch, mine.key, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await readEvidence(launch, mine.key, {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);

    const stranger = await gateway.issueKey();
    expect(codeOf(await readEvidence(launch, stranger.key))).toBe('NOT_FOUND');
    const creator = await gateway.issueKey(['custom-launch:create']);
    expect(codeOf(await readEvidence(launch, creator.key))).toBe('INSUFFICIENT_SCOPE');
    expect(codeOf(await call(`${gateway.base}/${launch.launchId}/finality/evidence`))).toBe('UNAUTHENTICATED');
    expect(codeOf(await call(`${gateway.base}/${launch.launchId}/finality/evidence?x=1`, { key: mine.key }))).toBe(
      'QUERY_NOT_ALLOWED',
    );
  });

  it('is a 404 when the workflow of the launch named no evidence', async () => {
    const launch = await authorized();
    await launch.finalized();
    expect(codeOf(await readEvidence(launch))).toBe('NOT_FOUND');
    expect(codeOf(await call(`${gateway.base}/not-a-launch/finality/evidence`, { key: mine.key }))).toBe('NOT_FOUND');
  });
});
