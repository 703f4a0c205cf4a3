import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEVELOPER_LAUNCHES_PATH,
  developerLaunchesSchema,
  developerLaunchSchema,
  INDEX_MANIFEST_PATH,
  INDEX_STATUS_PATH,
  indexManifestSchema,
  indexStatusSchema,
  ROUTER_IDENTITIES_PATH,
  routerIdentitiesSchema,
  type IndexStatus,
} from '@launch/contracts/index';
import { checksummed, sha256Digest } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import {
  account,
  publishedIndex,
  sourceDocument,
  word,
  type PublishedIndex,
} from '../../../fixtures/published-index.fixture.js';

const RETIRED = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf01),
  startBlock: '21000000',
  endBlock: '21000099',
});
const PRIMARY = sourceDocument({
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account(0xf02),
  startBlock: '21000100',
});
const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf03) });
const UNKNOWN = sourceDocument({ sourceVersion: 'module-native-v9', address: account(0xf04) });
const HEAD = { checkpoint: '21000200' };
const custom = account(1);
const graph = account(2);

let index: PublishedIndex;
let gateway: Harness;
const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call(gateway.url + path, { headers });
async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return schema.parse(answer.json);
}
const point = (token: string): string => `${DEVELOPER_LAUNCHES_PATH}/1/${token}`;
const outcomeOf = async (path: string): Promise<[number, string]> => {
  const answer = await get(path);
  return [answer.status, answer.status === 200 ? 'ok' : codeOf(answer)];
};
const sourceOf = ({ sources }: IndexStatus, address: string) =>
  sources.find((source) => source.address === checksummed(address as `0x${string}`))!;

beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

describe('the developer feed of a deployment', () => {
  it('has no manifest and reports no absence before a router of Ethereum is bound', async () => {
    expect(await outcomeOf(INDEX_MANIFEST_PATH)).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(point(custom))).toEqual([503, 'INDEX_NOT_CURRENT']);
    expect(await read(INDEX_STATUS_PATH, indexStatusSchema)).toMatchObject({ status: 'indeterminate', sources: [] });
  });

  it('names the generation for new launches, and every generation with its blocks', async () => {
    await index.source(PRIMARY, HEAD);
    await index.source(RETIRED, { status: 'retained', state: 'ended', checkpoint: '21000099', checkpointAge: 4_000 });
    await index.source(NATIVE);
    const { router, extensions, sources, releases } = await read(INDEX_MANIFEST_PATH, indexManifestSchema);
    expect(router).toMatchObject({
      address: checksummed(PRIMARY.address),
      endBlock: null,
      status: 'active',
      runtimeCodeHash: PRIMARY.runtimeCodeHash,
      bindings: { contracts: { poolManager: checksummed(PRIMARY.contracts['poolManager']!.address) } },
    });
    const blocks = extensions.routerGenerations.map(({ startBlock, endBlock, status }) => [
      startBlock,
      endBlock,
      status,
    ]);
    expect(blocks).toEqual([
      ['21000000', '21000099', 'retained'],
      ['21000100', null, 'active'],
    ]);
    expect([sources.length, releases]).toEqual([2, []]);
    const abi = await get(router.abiUrl);
    expect([abi.status, sha256Digest(Buffer.from(abi.text))]).toEqual([200, router.abiSha256]);
  });
});

describe('launches of the developer feed', () => {
  beforeAll(async () => {
    await index.launch(RETIRED, 1, { tokenAddress: custom, blockNumber: '21000050' });
    await index.launch(PRIMARY, 2, { tokenAddress: graph, launchKind: 2, blockNumber: '21000150' });
    await index.launch(NATIVE, 3, { launchKind: null, routerAddress: null, stampHash: null });
    await index.launch(PRIMARY, 4, {}, { stage: 'sequencer_soft_confirmed' });
  });

  it('are those of both kinds by every generation, and no other chain’s, page by page', async () => {
    const first = await read(`${DEVELOPER_LAUNCHES_PATH}?limit=1`, developerLaunchesSchema);
    expect(first.items.map(({ tokenAddress, launchKind }) => [tokenAddress, launchKind])).toEqual([
      [checksummed(custom), 1],
    ]);
    const next = await read(`${DEVELOPER_LAUNCHES_PATH}?limit=1&cursor=${first.nextCursor}`, developerLaunchesSchema);
    expect(next.items.map(({ tokenAddress, launchKind }) => [tokenAddress, launchKind])).toEqual([
      [checksummed(graph), 2],
    ]);
    expect([next.nextCursor, next.status]).toEqual([null, 'ok']);
    // A cursor belongs to its list.
    expect(await outcomeOf(`/api/indexers/v1/launches?chainId=1&cursor=${first.nextCursor}`)).toEqual([
      400,
      'CURSOR_INVALID',
    ]);
  });

  it('are found by their token, and absence is reported only while every source of Ethereum is current', async () => {
    expect((await read(point(checksummed(graph)), developerLaunchSchema)).launch.launchKind).toBe(2);
    expect(await outcomeOf(point(account(3)))).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(point(account(4)))).toEqual([503, 'INDEX_NOT_CURRENT']);
    await index.source(PRIMARY, { ...HEAD, checkpointAge: 121 });
    expect(await outcomeOf(point(account(3)))).toEqual([503, 'INDEX_NOT_CURRENT']);
    expect(await outcomeOf(point(graph))).toEqual([200, 'ok']);
    await index.source(PRIMARY, HEAD);
    await index.source(NATIVE, { state: 'stopped' });
    expect(await outcomeOf(point(account(3)))).toEqual([404, 'NOT_FOUND']);
    await index.source(NATIVE);
  });

  it.each(['?limit=0', '?limit=101', '?offset=1', '?chainId=1'])('refuse %s', async (query) => {
    expect(await outcomeOf(`${DEVELOPER_LAUNCHES_PATH}${query}`)).toEqual([400, 'QUERY_INVALID']);
  });

  it('are not sent twice to a client that has them', async () => {
    const etag = (await get(DEVELOPER_LAUNCHES_PATH)).headers.get('etag')!;
    expect((await get(DEVELOPER_LAUNCHES_PATH, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('a list of few launches among many', () => {
  it.each([
    ['of a chain', `chain_id = 1`, 'launches_chain_id_sequence_idx'],
    ['of a source kind', `source_kind = 'ethereum-custom-v1'`, 'launches_source_kind_sequence_idx'],
  ])('%s is read in its order by an index', async (_what, filter, name) => {
    await index.launches(NATIVE, 10_000 * (1 + name.length), 3_000);
    await index.write('ANALYZE launches');
    const plan = await index.read(
      `EXPLAIN (FORMAT JSON) SELECT record FROM published.launch WHERE sequence > 0 AND ${filter} ORDER BY sequence LIMIT 26`,
    );
    expect(JSON.stringify(plan)).toContain(name);
  });
});

describe('the status of the index', () => {
  it('states the coverage, the lag and the freshness of each source', async () => {
    await index.write(`UPDATE sources SET finalized_head = 21000207 WHERE address = $1`, [PRIMARY.address]);
    const status = await read(INDEX_STATUS_PATH, indexStatusSchema);
    expect(sourceOf(status, PRIMARY.address)).toMatchObject({
      state: 'following',
      freshness: 'ok',
      checkpoint: { number: '21000200', hash: word(1) },
      finalizedHead: '21000207',
      lagBlocks: '7',
      coverage: { from: '21000100', through: '21000200' },
    });
    // Nothing comes after its end.
    expect(sourceOf(status, RETIRED.address)).toMatchObject({ lagBlocks: '0', coverage: { through: '21000099' } });
  });

  it('names a source version that the index refuses', async () => {
    await index.source(UNKNOWN, { state: 'unsupported', checkpointAge: null });
    const status = await read(INDEX_STATUS_PATH, indexStatusSchema);
    expect(sourceOf(status, UNKNOWN.address)).toMatchObject({
      sourceVersion: 'module-native-v9',
      state: 'unsupported',
      checkpoint: null,
      freshness: 'indeterminate',
      coverage: { through: null },
    });
    expect(status.status).toBe('indeterminate');
  });

  it('shows holds with their reasons, and reports no absence meanwhile', async () => {
    await index.source(PRIMARY, HEAD);
    const shown = async () => sourceOf(await read(INDEX_STATUS_PATH, indexStatusSchema), PRIMARY.address);
    expect(await shown()).toMatchObject({ freshness: 'ok', holds: { total: 0, places: [] } });
    const ends = [
      await index.hold(PRIMARY, { block: '21000150', transaction: word(5) }),
      await index.hold(PRIMARY, { block: '21000150', subject: 'trades', cause: 'index' }),
    ];
    expect(await shown()).toMatchObject({
      freshness: 'indeterminate',
      holds: {
        total: 2,
        places: [
          { blockNumber: '21000150', transactionHash: null, subject: 'trades', cause: 'index', isReleased: false },
          { blockNumber: '21000150', transactionHash: word(5), cause: 'operator', reason: 'under review' },
        ],
      },
    });
    expect(await outcomeOf(point(account(0xabc)))).toEqual([503, 'INDEX_NOT_CURRENT']);
    for (const end of ends) await end();
    // An unreadable transaction is in quarantine, and leaves nothing else in doubt.
    const end = await index.hold(PRIMARY, { block: '21000150', transaction: word(5), cause: 'index' });
    expect(await shown()).toMatchObject({ freshness: 'ok', holds: { total: 1 } });
    await end();
  });

  it('reports a source as stale that has not advanced for a minute, in every state', async () => {
    await index.source(PRIMARY, HEAD);
    await index.write(
      `UPDATE sources SET progressed_at = now() - interval '61 seconds', updated_at = clock_timestamp() WHERE address = $1`,
      [PRIMARY.address],
    );
    const status = await read(INDEX_STATUS_PATH, indexStatusSchema);
    expect(sourceOf(status, PRIMARY.address)).toMatchObject({ state: 'following', lagBlocks: '0', freshness: 'stale' });
    await index.source(PRIMARY, HEAD);
  });

  it('counts quarantined events by reason, and dismissed ones separately, each with its reason', async () => {
    const digest = await index.source(PRIMARY, HEAD);
    for (const [seed, reason, dismissed] of [
      [1, 'GETTER_MISMATCH', false],
      [2, 'GETTER_MISMATCH', false],
      [3, 'EVENT_MISSING', false],
      [4, 'EVENT_MISSING', true],
    ] as const) {
      const key = [digest, word(seed), word(seed), seed];
      await index.write(
        `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, finalized, raw_log)
         VALUES ($1, $2, $3, $4, 1, 21000150, 0, true, '{}')`,
        key,
      );
      const judge = `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'because')`;
      await index.write(judge, [...key, 0, 'fail', reason]);
      if (dismissed) await index.write(judge, [...key, 1, 'dismissed', null]);
    }
    const { quarantine } = sourceOf(await read(INDEX_STATUS_PATH, indexStatusSchema), PRIMARY.address);
    expect(quarantine).toEqual({
      total: 3,
      byReason: { GETTER_MISMATCH: 2, EVENT_MISSING: 1 },
      dismissed: 1,
      dismissals: [
        {
          blockHash: word(4),
          transactionHash: word(4),
          logIndex: 4,
          reason: 'EVENT_MISSING',
          dismissedReason: 'because',
        },
      ],
    });
  });
});

describe('a router that two releases bind', () => {
  const AGAIN = sourceDocument({ ...PRIMARY, startBlock: '21000050', sourceCommit: 'c'.repeat(40) });

  it('is one generation and one router of the snapshot, over the blocks of both and by the binding for new launches', async () => {
    await index.source(AGAIN, { ...HEAD, status: 'retained' });
    const digest = await index.source(PRIMARY, HEAD);
    const { router, extensions, sources } = await read(INDEX_MANIFEST_PATH, indexManifestSchema);
    expect(extensions.routerGenerations.map(({ address }) => address)).toEqual(
      [RETIRED, PRIMARY].map(({ address }) => checksummed(address)),
    );
    const whole = { address: checksummed(PRIMARY.address), startBlock: '21000050', endBlock: null };
    expect(extensions.routerGenerations[1]).toEqual(router);
    expect(router).toMatchObject({ ...whole, status: 'active', bindings: { releaseDigest: digest } });
    expect(sources.filter(({ address }) => address === router.address)).toHaveLength(2);
    const snapshot = await read(ROUTER_IDENTITIES_PATH, routerIdentitiesSchema);
    expect(snapshot.routers).toHaveLength(2);
    expect(snapshot.routers).toContainEqual(expect.objectContaining({ ...whole, releaseDigest: digest }));
  });

  it('ends where its last binding does', async () => {
    await index.source(sourceDocument({ ...RETIRED, startBlock: '20000000', endBlock: '20999999' }), {
      status: 'retained',
      state: 'ended',
      checkpoint: '20999999',
    });
    const { extensions } = await read(INDEX_MANIFEST_PATH, indexManifestSchema);
    expect(extensions.routerGenerations[0]).toMatchObject({
      address: checksummed(RETIRED.address),
      startBlock: '20000000',
      endBlock: '21000099',
    });
  });
});
