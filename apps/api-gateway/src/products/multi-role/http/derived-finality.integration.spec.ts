import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  finalityDiscoverySchema,
  finalityStatusSchema,
  finalityStatusV3Schema,
  finalizedListSchema,
  finalizedListV3Schema,
  finalizedRecordV3Schema,
  launchResourceSchema,
  transactionHintReceiptV3Schema,
} from '@launch/contracts/multi-role';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { finalizedFinality, finalizedFinalityV3, testRecord, testRecordV3 } from '../../../fixtures/test-documents.js';
import { requestBytes, testContext } from '../../../fixtures/test-request.js';

const V3_CONTEXT = testContext({ derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 });
const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;

/** Two deployments over one database: an earlier one of V2 and the current one of V3. */
let v2: Harness;
let v3: Harness;
let key: string;
beforeAll(async () => {
  v2 = await startHarness();
  v3 = await startHarness({ beside: v2, context: V3_CONTEXT });
  ({ key } = await v2.issueKey());
});
afterAll(async () => {
  await v3.close();
  await v2.close();
});

const hint = (at: Harness, launch: DrivenLaunch, route: string, version: string): Promise<Answer> =>
  call(`${at.url}${launch.created.statusUrl}/${route}`, {
    key,
    body: requestBytes({ schemaVersion: `service.multi-role-transaction-hint.${version}`, transactionHash: word('7') }),
  });
const read = (at: Harness, launch: DrivenLaunch, route: string): Promise<Answer> =>
  call(`${at.url}${launch.created.statusUrl}/${route}`, { key });
const launchOf = async (at: Harness, generation: 'v2' | 'v3'): Promise<DrivenLaunch> => {
  const launch = await reserveLaunch(at, key, generation === 'v3' ? { context: V3_CONTEXT } : {});
  await launch.authorized();
  return launch;
};

describe('The generation of a launch', () => {
  it.each([
    ['v3', 'transaction-hints-v3', 'v3', 202],
    ['v2', 'transaction-hints-v3', 'v3', 'HINT_VERSION_MISMATCH'],
  ] as const)(
    "The launch's own context decides its generation at every deployment: a %s launch answers %s with a %s body by %s.",
    async (generation, route, body, expected) => {
      const launch = await launchOf(generation === 'v3' ? v3 : v2, generation);
      for (const at of [v2, v3]) {
        const answer = await hint(at, launch, route, body);
        expect(answer.status === 202 ? 202 : codeOf(answer)).toBe(expected);
        if (answer.status === 202 && generation === 'v3') {
          expect(transactionHintReceiptV3Schema.parse(answer.json)).toMatchObject({
            contextHash: launch.created.contextHash,
            statusUrl: `${launch.created.statusUrl}/finality-v3`,
          });
        }
      }
    },
  );

  it('A launch has a projection on the route of its own generation only.', async () => {
    const [old, recent] = [await launchOf(v2, 'v2'), await launchOf(v3, 'v3')];
    for (const at of [v2, v3]) {
      expect(finalityStatusSchema.parse((await read(at, old, 'finality')).json).state).toBe('pending');
      expect(finalityStatusV3Schema.parse((await read(at, recent, 'finality-v3')).json)).toMatchObject({
        state: 'pending',
        contextHash: recent.created.contextHash,
        onchainLaunchId: recent.created.onchainLaunchId,
      });
      expect([(await read(at, old, 'finality-v3')).status, (await read(at, recent, 'finality')).status]).toEqual([
        404, 404,
      ]);
    }
    expect(launchResourceSchema.parse((await recent.get()).json).finality.schemaVersion).toBe(
      'service.multi-role-finality-status.v3',
    );
    expect(launchResourceSchema.parse((await old.get()).json).finality.schemaVersion).toBe(
      'service.multi-role-finality-status.v2',
    );
  });

  const ids = (items: readonly { apiLaunchId: string }[]): string[] => items.map(({ apiLaunchId }) => apiLaunchId);

  it('A launch is published only in the feed of its own generation.', async () => {
    const [old, recent] = [await launchOf(v2, 'v2'), await launchOf(v3, 'v3')];
    await old.finalized();
    await recent.finalized();
    expect(ids(finalizedListSchema.parse((await call(`${v3.base}/finalized`)).json).items)).toEqual([old.launchId]);
    const listed = finalizedListV3Schema.parse((await call(`${v3.base}/finalized-v3`)).json);
    expect(ids(listed.items)).toEqual([recent.launchId]);
    expect(listed.items[0]?.components.map(({ scope, derivation }) => [scope, derivation?.status ?? null])).toEqual([
      [0, null],
      [1, 'verified'],
    ]);
    const record = (feed: string, launch: DrivenLaunch): string =>
      `${v3.base}/${feed}/${launch.created.onchainLaunchId}`;
    expect(finalizedRecordV3Schema.parse((await call(record('finalized-v3', recent))).json).apiLaunchId).toBe(
      recent.launchId,
    );
    for (const [launch, route] of [
      [old, 'finality'],
      [recent, 'finality-v3'],
    ] as const)
      expect((await read(v3, launch, route)).json.checkpoint).toMatchObject({ blockNumber: '7', common: '7' });
    const image = `image/${testRecord(recent.created).image.sha256.slice(7)}`;
    expect((await fetch(`${record('finalized-v3', recent)}/${image}`)).headers.get('content-type')).toBe('image/png');
    for (const url of [
      record('finalized', recent),
      record('finalized-v3', old),
      `${record('finalized', recent)}/${image}`,
    ])
      expect((await call(url)).status).toBe(404);
  });

  it('A launch is published once, however often it is finalized, and never before a page that a client has read.', async () => {
    const launches = await Promise.all(
      Array.from({ length: 6 }, (_, index) => launchOf(index % 2 === 0 ? v2 : v3, index % 2 === 0 ? 'v2' : 'v3')),
    );
    const put = (document: object) => v2.blobs.put(canonicalizeJson(document));
    const finalize = async (at: Harness, launch: DrivenLaunch, finalizedAt: string): Promise<void> => {
      const isV3 = launch.created.finality.schemaVersion.endsWith('v3');
      const record = isV3 ? testRecordV3(launch.created) : testRecord(launch.created);
      await at.projections.recordFinalized({
        launchId: launch.launchId,
        recordSha256: await put({ ...record, finalizedAt }),
        finality: isV3 ? finalizedFinalityV3(launch.created) : finalizedFinality(launch.launchId),
      });
    };
    const everything = async (feed: string): Promise<string[]> =>
      ids(((await call(`${v3.base}/${feed}`)).json as { items: { apiLaunchId: string }[] }).items);
    const pages: Record<string, string[]> = { finalized: [], 'finalized-v3': [] };
    let done = false;
    const reading = (async () => {
      while (!done) {
        for (const feed of ['finalized', 'finalized-v3']) {
          const now = await everything(feed);
          expect(now.slice(0, pages[feed]!.length)).toEqual(pages[feed]);
          pages[feed] = now;
        }
      }
    })();
    // Two workers saw the same end at different times, through two gateways. The first record stays, and the other
    // changes nothing.
    const [early, late] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:07.000Z'] as const;
    const outcomes = await Promise.all(
      launches.map((launch) =>
        Promise.allSettled([
          finalize(v2, launch, early),
          finalize(v3, launch, early),
          finalize(v3, launch, late),
          finalize(v2, launch, late),
        ]),
      ),
    );
    done = true;
    await reading;
    for (const four of outcomes) expect(four.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
    const published = [...(await everything('finalized')), ...(await everything('finalized-v3'))];
    for (const { launchId } of launches) expect(published.filter((id) => id === launchId)).toHaveLength(1);
  });

  it('A cursor is valid for one feed only.', async () => {
    const more = await launchOf(v3, 'v3');
    await more.finalized();
    const before = ids(finalizedListV3Schema.parse((await call(`${v3.base}/finalized-v3`)).json).items).length - 1;
    const { nextCursor } = finalizedListV3Schema.parse((await call(`${v3.base}/finalized-v3?limit=${before}`)).json);
    expect(
      finalizedListV3Schema.parse((await call(`${v3.base}/finalized-v3?limit=1&cursor=${nextCursor}`)).json).items[0]
        ?.apiLaunchId,
    ).toBe(more.launchId);
    expect(codeOf(await call(`${v3.base}/finalized?cursor=${nextCursor}`))).toBe('CURSOR_INVALID');
  });
});

describe('Discovery', () => {
  it('is public, and no other path exists below it', async () => {
    for (const [at, current] of [
      [v2, 'v2'],
      [v3, 'v3'],
    ] as const)
      expect(finalityDiscoverySchema.parse((await call(`${at.base}/derived-finality-v3/discovery`)).json).current).toBe(
        current,
      );
    expect(codeOf(await call(`${v3.base}/derived-finality-v3/discovery?x=1`))).toBe('QUERY_NOT_ALLOWED');
    expect((await call(`${v3.base}/derived-finality-v3/other`)).status).toBe(404);
  });
});
