import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  chainExploreSchema,
  CUSTOM_LABEL,
  DEVELOPER_LAUNCHES_PATH,
  developerLaunchesSchema,
  developerLaunchSchema,
  EXPLORE_PATH,
  INDEX_MANIFEST_PATH,
  INDEX_STATUS_PATH,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchSchema,
  indexManifestSchema,
  indexStatusSchema,
  MODULE_FOUNDATION_PATH,
  moduleFoundationSchema,
  type LaunchRecord,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { foundationAvailabilitySchema, foundationReleasesSchema } from '@launch/contracts/modules';
import { checksummed, sha256Digest } from '@launch/contracts/primitives';
import type { z } from 'zod';
import {
  customLaunchEvidence,
  customLaunchFinality,
  customLaunchRecord,
  insertCustomLaunch,
} from '../../../fixtures/custom-launch.fixture.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { publishedIndex, type PublishedIndex } from '../../../fixtures/published-index.fixture.js';
import { account, PRIMARY, RETIRED, sourceDocument, word } from '../../../fixtures/published-rows.js';

const NATIVE = sourceDocument({ sourceVersion: 'module-native-v1', address: account(0xf03) });
const ROUTER = sourceDocument();
const FACTORY = sourceDocument({
  sourceVersion: 'module-foundation-v1',
  factoryVersion: 'V3',
  address: account(0xf05),
  contracts: { custody: { address: account(0xc00), runtimeCodeHash: word(0xc001) } },
});
const HEAD = { checkpoint: '21000200' };
const UNROUTED = { launchId: null, launchKind: null, routerAddress: null, stampHash: null };

let index: PublishedIndex;
let gateway: Harness;
let own: LaunchRecord;
let native: LaunchRecord;

/** Finalizes a custom launch of this service. @returns its id at the router */
async function launched(): Promise<`0x${string}`> {
  const row = await insertCustomLaunch(gateway.database, 'ethereum_posted');
  const { launchId } = row;
  const evidenceSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchEvidence(row)));
  const recordSha256 = await gateway.blobs.put(canonicalizeJson(customLaunchRecord(row, evidenceSha256)));
  const finality = customLaunchFinality(launchId, 'ethereum_finalized');
  await gateway.projections.recordFinalized({ launchId, recordSha256, evidenceSha256, finality, sequence: 1 });
  return row.onchainLaunchId as `0x${string}`;
}

beforeAll(async () => {
  index = await publishedIndex();
  gateway = await startHarness({ indexDatabase: index.database });
  await index.source(PRIMARY, HEAD);
  await index.source(RETIRED, { status: 'retained', state: 'ended', checkpoint: '21000099', checkpointAge: 4_000 });
  for (const source of [NATIVE, ROUTER, FACTORY]) await index.source(source);
  await index.launch(RETIRED, 1, { blockNumber: '21000050' });
  await index.launch(PRIMARY, 2, { launchKind: 2, blockNumber: '21000150' });
  native = await index.launch(NATIVE, 3, UNROUTED);
  await index.launch(PRIMARY, 4, {}, { stage: 'sequencer_soft_confirmed' });
  own = await index.launch(ROUTER, 5, { launchId: await launched() });
  await index.launch(FACTORY, 6, UNROUTED);
  await index.launch(FACTORY, 7, UNROUTED, { stage: 'ethereum_posted' });
});
afterAll(async () => {
  await gateway?.close();
  await index?.close();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  call(gateway.url + path, { headers });
async function read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const answer = await get(path);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return schema.parse(answer.json);
}
const outcomeOf = async (path: string): Promise<[number, string]> => {
  const answer = await get(path);
  return [answer.status, answer.status === 200 ? 'ok' : codeOf(answer)];
};
const shown = async (address = PRIMARY.address) =>
  (await read(INDEX_STATUS_PATH, indexStatusSchema)).sources.find((one) => one.address === address)!;
/** Waits until the status has a source so. The service keeps counts for a multiple of the time that it took to read them. */
async function untilShown(expected: object): Promise<void> {
  const giveUpMs = performance.now() + 60_000;
  for (;;) {
    const source = await shown();
    try {
      return expect(source).toMatchObject(expected);
    } catch (error) {
      if (performance.now() > giveUpMs) throw error;
      await sleep(100);
    }
  }
}
const place = (digest: string, seed: number) => [digest, word(seed), word(seed), seed];
/** Puts a log into quarantine with the index's first judgement. */
async function quarantine(
  key: readonly unknown[],
  chainId: number,
  reason: string,
  token: string | null = null,
): Promise<void> {
  await index.write(
    `INSERT INTO quarantine (release_digest, block_hash, transaction_hash, log_index, chain_id, block_number, transaction_index, finalized, raw_log)
     VALUES ($1, $2, $3, $4, $5, 21000150, 0, true, '{}')`,
    [...key, chainId],
  );
  await index.write(
    `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
     VALUES ($1, $2, $3, $4, 0, 'fail', $5, 'because', $6)`,
    [...key, reason, token],
  );
}
const dismiss = (key: readonly unknown[]): Promise<void> =>
  index.write(
    `INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, detail)
     VALUES ($1, $2, $3, $4, 1, 'dismissed', 'because')`,
    key,
  );

describe('The developer feed', () => {
  it('serves its manifest with the ABI that it names', async () => {
    const { router, extensions } = await read(INDEX_MANIFEST_PATH, indexManifestSchema);
    expect(extensions.routerGenerations.map(({ status }) => status)).toEqual(['retained', 'active']);
    const abi = await get(router.abiUrl);
    expect([abi.status, sha256Digest(Buffer.from(abi.text))]).toEqual([200, router.abiSha256]);
  });

  it('serves launches page by page and by their token, and sends none twice to a client that has them', async () => {
    const point = (seed: number): string => `${DEVELOPER_LAUNCHES_PATH}/1/${account(seed)}`;
    const first = await read(`${DEVELOPER_LAUNCHES_PATH}?limit=1`, developerLaunchesSchema);
    const next = await read(`${DEVELOPER_LAUNCHES_PATH}?limit=1&cursor=${first.nextCursor}`, developerLaunchesSchema);
    expect([first, next].map(({ items }) => items.map(({ tokenAddress }) => tokenAddress))).toEqual([
      [account(1)],
      [account(2)],
    ]);
    expect(next.nextCursor).toBeNull();
    expect((await read(point(2), developerLaunchSchema)).launch.launchKind).toBe(2);
    expect(await outcomeOf(point(3))).toEqual([404, 'NOT_FOUND']);
    expect(await outcomeOf(point(4))).toEqual([503, 'INDEX_NOT_CURRENT']);
    expect(await outcomeOf(`${DEVELOPER_LAUNCHES_PATH}?limit=0`)).toEqual([400, 'QUERY_INVALID']);
    const etag = (await get(DEVELOPER_LAUNCHES_PATH)).headers.get('etag')!;
    expect((await get(DEVELOPER_LAUNCHES_PATH, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('The Foundation', () => {
  it('has releases, the availability of each, and the launch of a token', async () => {
    const releasesPath = '/v1/modules/foundation/releases';
    const { items } = await read(releasesPath, foundationReleasesSchema);
    gateway.chain.shown = [() => FACTORY.runtimeCodeHash, () => FACTORY.runtimeCodeHash];
    expect(await read(items[0]!.availabilityPath, foundationAvailabilitySchema)).toMatchObject({
      releaseDigest: items[0]!.releaseDigest,
      availability: 'AVAILABLE',
    });
    for (const name of ['0'.repeat(64), 'latest'])
      expect(await outcomeOf(`${releasesPath}/${name}/availability`)).toEqual([404, 'NOT_FOUND']);
    const ofToken = (seed: number) => `${MODULE_FOUNDATION_PATH}?chainId=4663&token=${checksummed(account(seed))}`;
    const { launch, releases } = await read(ofToken(6), moduleFoundationSchema);
    expect(launch).toMatchObject({ sourceKind: 'module-foundation-v1', tokenAddress: checksummed(account(6)) });
    expect((await get(releases[0]!.abiUrl)).status).toBe(200);
    const pending = await get(ofToken(7));
    expect([pending.status, codeOf(pending), pending.headers.get('retry-after')]).toEqual([
      503,
      'MODULE_INDEX_PENDING',
      '5',
    ]);
    expect(await outcomeOf(MODULE_FOUNDATION_PATH)).toEqual([400, 'QUERY_INVALID']);
  });
});

/** Runs in order, since finalized launches stay. */
describe('The axes of an indexed coin', () => {
  const assessed = async ({ chainId, tokenAddress }: LaunchRecord) => {
    const path = `${INDEXED_LAUNCHES_PATH}/${chainId}/${tokenAddress}`;
    const { axes, label } = await read(path, indexedLaunchSchema);
    return { axes, label };
  };
  const listedLabel = async (token: string) => {
    const { items } = await read(EXPLORE_PATH, chainExploreSchema);
    return items.find(({ tokenAddress }) => tokenAddress.toLowerCase() === token)?.label;
  };

  it('are those of a launch whose record is in the feed, and every view shows its label', async () => {
    expect(await assessed(own)).toMatchObject({
      axes: { provenance: 'STAMPED', feedAvailability: 'AVAILABLE', sourceVerification: 'EXACT_MATCH' },
      label: CUSTOM_LABEL,
    });
    expect(await listedLabel(own.tokenAddress)).toBe(CUSTOM_LABEL);
    expect(await listedLabel(native.tokenAddress)).toBeNull();
  });

  it('say nothing about a coin from a held block or transaction, and deny no stamp during a hold', async () => {
    const { blockNumber: block, transactionHash: transaction } = own;
    for (const held of [{ block }, { block, transaction }]) {
      const release = await index.hold(ROUTER, held);
      expect(await assessed(own)).toMatchObject({
        axes: { provenance: 'INDETERMINATE', finality: 'INDETERMINATE', sourceVerification: 'EXACT_MATCH' },
        label: null,
      });
      expect(await listedLabel(own.tokenAddress)).toBeNull();
      expect((await assessed(native)).axes).toMatchObject({ provenance: 'INDETERMINATE', finality: 'FINALIZED' });
      await release();
      expect((await assessed(own)).label).toBe(CUSTOM_LABEL);
      expect((await assessed(native)).axes.provenance).toBe('NOT_STAMPED');
    }
  });

  it('deny no stamp of a coin while a log about it is in quarantine, until that is dismissed', async () => {
    const provenance = async () => (await assessed(native)).axes.provenance;
    const digest = await index.source(ROUTER);
    await quarantine(place(digest, 71), 4663, 'IDENTITY_ALREADY_TAKEN', own.tokenAddress);
    expect(await provenance()).toBe('NOT_STAMPED');
    const claim = place(digest, 72);
    await quarantine(claim, 4663, 'IDENTITY_ALREADY_TAKEN', native.tokenAddress);
    expect(await provenance()).toBe('INDETERMINATE');
    await dismiss(claim);
    expect(await provenance()).toBe('NOT_STAMPED');
  });
});

describe('The status of the index', () => {
  it('shows the columns of each source, and how long it has not advanced', async () => {
    await index.write(
      `UPDATE sources SET finalized_head = 21000207, progressed_at = now() - interval '61 seconds', updated_at = clock_timestamp() WHERE address = $1`,
      [PRIMARY.address],
    );
    expect(await shown()).toMatchObject({
      state: 'following',
      freshness: 'stale',
      checkpoint: { number: '21000200', hash: word(1) },
      lagBlocks: '7',
    });
    await index.source(PRIMARY, HEAD);
    expect((await shown()).freshness).toBe('ok');
  });

  it('shows holds with their reasons, and reports no absence meanwhile', async () => {
    await untilShown({ freshness: 'ok', holds: { total: 0, places: [] } });
    const ends = [
      await index.hold(PRIMARY, { block: '21000150', transaction: word(5) }),
      await index.hold(PRIMARY, { block: '21000150', subject: 'trades', cause: 'index' }),
    ];
    await untilShown({
      freshness: 'indeterminate',
      holds: {
        total: 2,
        places: [
          { blockNumber: '21000150', transactionHash: null, subject: 'trades', cause: 'index', isReleased: false },
          { blockNumber: '21000150', transactionHash: word(5), cause: 'operator', reason: 'under review' },
        ],
      },
    });
    expect(await outcomeOf(`${DEVELOPER_LAUNCHES_PATH}/1/${account(0xabc)}`)).toEqual([503, 'INDEX_NOT_CURRENT']);
    for (const end of ends) await end();
    // An unreadable transaction is in quarantine, and leaves nothing else in doubt.
    const end = await index.hold(PRIMARY, { block: '21000150', transaction: word(5), cause: 'index' });
    await untilShown({ freshness: 'ok', holds: { total: 1 } });
    await end();
  });

  it('counts quarantined events by reason, and dismissed ones separately, each with its reason', async () => {
    const digest = await index.source(PRIMARY, HEAD);
    const reasons = ['GETTER_MISMATCH', 'GETTER_MISMATCH', 'EVENT_MISSING', 'EVENT_MISSING'];
    for (const [at, reason] of reasons.entries()) await quarantine(place(digest, at + 1), 1, reason);
    await dismiss(place(digest, 4));
    await untilShown({
      quarantine: {
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
      },
    });
  });
});

describe('A list of few launches among many', () => {
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
