import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { awaitIndexed, type MadeLaunch } from '@launch/start';
import { readKeySet, verifyAnswer, noteCodes } from '@launch/testing';
import { formatEther, getAddress } from 'viem';
import { FeedMirror } from './fixtures/feed-mirror.fixture.js';
import { IndexSpecClient } from './fixtures/index-spec-client.fixture.js';
import type { Found } from './fixtures/index-spec-launch.fixture.js';
import { SpecLogs } from './fixtures/index-spec-logs.fixture.js';
import { askAt, PATIENCE_MS, sha256, type Json } from './fixtures/spec-client.fixture.js';
import { sharedSourceLaunches } from './stacks/of-the-run.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

let access: StackAccess;
let client: IndexSpecClient;
let made: readonly MadeLaunch[];

beforeAll(async () => {
  access = await useStack('launches');
  client = await IndexSpecClient.open(access.gateway, 4663, access.stack.rpc);
  made = await sharedSourceLaunches();
}, 2 * PATIENCE_MS);

const keyOf = ({ tokenAddress }: Found): string => tokenAddress;
const sorted = (launches: readonly Found[]): Found[] => [...launches].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** The index shows a block as final a moment after the nodes do. */
async function shownUpTo(reader: IndexSpecClient, head: bigint, count: number): Promise<readonly Found[]> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const shown = (await reader.records()).filter(({ blockNumber }) => BigInt(blockNumber) <= head);
    if (shown.length >= count || Date.now() > until) return sorted(shown);
  }
}

/** Returns status and code of a token's read, once the index has read past its block. */
async function ofToken(token: string): Promise<[number, string | undefined]> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
    const path = `/api/module-foundation?chainId=1&token=${getAddress(token)}`;
    const { status, json } = await askAt(access.gateway, 'GET', path);
    noteCodes(json);
    const code: string | undefined = json['error']?.code;
    if (code !== 'MODULE_INDEX_PENDING' || Date.now() > until) return [status, code];
  }
}

describe('an indexer that has only the description of the public reads and two endpoints', () => {
  it(
    'finds on chain exactly the launches that the reads show, and verifies each of them itself',
    async () => {
      const gone = { INSTANCE_COMMITMENT_MISMATCH: 1 };
      expect(await awaitIndexed({ stack: access.stack, timeoutMs: PATIENCE_MS }, made)).toEqual([
        { source: 'ethereum-custom-v1', made: 6, found: 6, quarantined: {} },
        { source: 'module-engine-v1', made: 9, found: 8, quarantined: gone },
        { source: 'module-foundation-v1 V1', made: 4, found: 4, quarantined: {} },
        { source: 'module-foundation-v1 V2', made: 4, found: 4, quarantined: {} },
        { source: 'module-foundation-v1 V3', made: 4, found: 4, quarantined: {} },
        { source: 'module-native-v1', made: 9, found: 8, quarantined: gone },
        // One release of this source was withdrawn because of a fault.
        {
          source: 'module-native-v2',
          made: 10,
          found: 8,
          quarantined: { ...gone, METADATA_COMMITMENT_MISMATCH: 1 },
        },
      ]);
      const head = await client.finalized();
      const scanned = await client.scan(head);
      for (const version of client.sourceVersions)
        expect([version, scanned.some(({ sourceKind }) => sourceKind === version)]).toEqual([version, true]);
      expect(await shownUpTo(client, head, scanned.length)).toEqual(sorted(scanned));
    },
    2 * PATIENCE_MS,
  );

  it(
    'finds each launch that the reads show in a final batch on Ethereum, and in none before that batch was posted',
    async () => {
      const shown = await client.records();
      expect(shown.length).toBeGreaterThan(0);
      const finality = await client.finality();
      for (const number of new Set(shown.map(({ blockNumber }) => BigInt(blockNumber)))) {
        const posting = await finality.postingOf(number);
        expect([number, posting === null]).toEqual([number, false]);
        // A receipt of the sequencer alone proves no more than this.
        expect(await finality.asOf(posting!.block - 1n).postingOf(number)).toBe(null);
      }
    },
    2 * PATIENCE_MS,
  );

  it('finds the launches of Ethereum by the routers of every generation, and none after the end of one', async () => {
    const ethereum = await IndexSpecClient.open(access.gateway, 1, access.stack.rpc);
    expect(ethereum.sourceVersions).toEqual(Array(3).fill('ethereum-custom-v1'));
    const head = await ethereum.finalized();
    const scanned = await ethereum.scan(head);
    const wanted = made.filter(({ sourceVersion }) => sourceVersion === 'ethereum-custom-v1');
    // Other suites launch there too.
    expect(scanned.map(keyOf)).toEqual(expect.arrayContaining(wanted.map(({ token }) => token)));
    expect(await shownUpTo(ethereum, head, scanned.length)).toEqual(sorted(scanned));
    const snapshot = await askAt(access.gateway, 'GET', '/api/indexers/v1/router-custom-identities');
    const identities = snapshot.json['identities'] as readonly { readonly tokenAddress: string }[];
    const listed = identities.map(({ tokenAddress }) => tokenAddress.toLowerCase());
    // A Foundation graph is not a custom launch.
    expect(listed).toEqual(expect.arrayContaining(scanned.filter(({ launchKind }) => launchKind === 1).map(keyOf)));
    for (const { tokenAddress, launchKind } of scanned)
      expect([launchKind === 1, listed.includes(tokenAddress)]).toEqual([launchKind === 1, launchKind === 1]);
  });

  it(
    'distinguishes the graph coins that a router stamped from one that its factory made for an arbitrary caller',
    async () => {
      const { json } = await askAt(access.gateway, 'GET', '/api/module-foundation?chainId=1');
      const ethereum = await IndexSpecClient.open(access.gateway, 1, access.stack.rpc);
      const scanned = await ethereum.scan(await ethereum.finalized());
      const graphs = new Map(
        scanned.filter(({ launchKind }) => launchKind === 2).map((found) => [keyOf(found), found]),
      );
      expect(graphs.size).toBeGreaterThanOrEqual(2);
      const answers = new Set<string>();
      // A factory's logs are diagnostics: they show where to search, and prove nothing.
      for (const version of ['v1', 'v2'])
        for (const token of await new SpecLogs(access.stack.rpc['1'][0]!).namedBy(
          json['graphFactory'][version].address,
        )) {
          const said = await ofToken(token);
          answers.add(said[1] ?? version);
          if (graphs.has(token)) expect(said).toEqual([200, undefined]);
          else expect([version, ...said]).toEqual(['v1', 404, 'MODULE_STAMP_MISSING']);
        }
      expect([...answers].sort()).toEqual(['MODULE_STAMP_MISSING', 'v1', 'v2']);
      for (const { tokenAddress, creator } of graphs.values()) {
        for (const [mode, count] of [
          ['module', 1],
          ['custom', 0],
        ] as const) {
          const { json: listed } = await askAt(
            access.gateway,
            'GET',
            `/api/explore/chain?mode=${mode}&q=${tokenAddress}`,
          );
          expect([mode, listed['items'].length]).toEqual([mode, count]);
        }
        const presented = await askAt(
          access.gateway,
          'GET',
          `/api/explore/chain/presentation?token=${getAddress(tokenAddress)}&chainId=1`,
        );
        expect(presented.json).toMatchObject({ metadataStatus: 'ok', description: expect.any(String) });
        const { json: profile } = await askAt(
          access.gateway,
          'GET',
          `/api/profile/chain?account=${getAddress(creator)}`,
        );
        expect(profile['items'].map((item: { tokenAddress: string }) => item.tokenAddress)).toContain(
          getAddress(tokenAddress),
        );
      }
    },
    2 * PATIENCE_MS,
  );

  it(
    'distinguishes a contract of Ethereum that no router stamps from an absent one',
    async () => {
      const { json } = await askAt(access.gateway, 'GET', '/api/v2/manifest');
      expect(await ofToken(json['router'].bindings.contracts.poolManager)).toEqual([404, 'MODULE_STAMP_MISSING']);
      expect(await ofToken(`0x${'00'.repeat(19)}07`)).toEqual([404, 'NOT_FOUND']);
    },
    PATIENCE_MS,
  );

  it.each([
    // A launch with the creator's purchase, whose hook reports the paid amount and its fees.
    [4663, 'module-foundation-v1', 'V3', 3, '0.012'],
    [4663, 'module-native-v1', undefined, 2, undefined],
    [4663, 'module-engine-v1', undefined, 2, undefined],
    // The router made the creator's purchase.
    [1, 'ethereum-custom-v1', undefined, 3, undefined],
  ] as const)(
    'shows, for a coin on chain %s, the trading facts and the caller of PoolManager’s last event of its pool for %s',
    async (chainId, sourceVersion, version, callers, charged) => {
      const traded = made.find((one) => one.sourceVersion === sourceVersion && one.factoryVersion === version)!;
      const token = getAddress(traded.token);
      const { json: found } = await askAt(access.gateway, 'GET', `/api/indexers/v1/launches/${chainId}/${token}`);
      const logs = new SpecLogs(access.stack.rpc[chainId][0]!);
      const presentation = `/api/explore/chain/presentation?token=${token}&chainId=${chainId}`;
      // Trades become final a little later than the launch.
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
        const swaps = await logs.swapsOf(found['launch'].poolManager, found['launch'].poolId);
        const { json } = await askAt(access.gateway, 'GET', presentation);
        if ((swaps.length < callers || json['market']?.lastSwap.isFinal !== true) && Date.now() < until) continue;
        expect(new Set(swaps.map(({ sender }) => sender)).size).toBe(callers);
        const { sender: router, transactionHash, logIndex, sqrtPriceX96 } = swaps.at(-1)!;
        // Every launcher bought.
        const paid = swaps.reduce((sum, { amount0 }) => sum - amount0, 0n);
        expect(json['market']).toMatchObject({
          swaps24h: callers,
          volume24hNative: charged ?? formatEther(paid),
          lastSwap: { router, transactionHash, logIndex, sqrtPriceX96: `${sqrtPriceX96}`, isFinal: true },
        });
        return;
      }
    },
    2 * PATIENCE_MS,
  );

  it('finds no launch that reverted, and none that another contract’s events claim', async () => {
    const tokens = (await client.records()).map(keyOf);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens).not.toContain(`0x${'f0'.repeat(20)}`);
    const forged = await askAt(access.gateway, 'GET', `/api/indexers/v1/launches/4663/0x${'f0'.repeat(20)}`);
    expect(forged.status).toBe(404);
  });

  it('counts events that fail a check by their reason, shows none of them, and a stranger refuses them too', async () => {
    await client.scan(await client.finalized());
    const events = made.flatMap(({ token, quarantined }) =>
      quarantined === undefined ? [] : [{ token, quarantined }],
    );
    expect([...client.refused].sort()).toEqual(events.map(({ token }) => token).sort());
    const { json } = await askAt(access.gateway, 'GET', '/api/v2/status');
    for (const { token, quarantined } of events) {
      const source = json['sources'].find((one: Json) => one['address'].toLowerCase() === quarantined.source);
      expect(source.quarantine).toMatchObject({ total: 1, byReason: { [quarantined.reason]: 1 } });
      const coin = getAddress(token);
      for (const [target, status] of [
        [`/api/indexers/v1/launches/4663/${coin}`, 404],
        [`/api/explore/chain/presentation?token=${coin}`, 404],
      ] as const)
        expect([target, (await askAt(access.gateway, 'GET', target)).status]).toEqual([target, status]);
    }
  });

  const website = { label: 'website', url: 'https://coin.example/' };
  it.each([
    // None of its texts is shown.
    ['metadata that is malformed', { metadataStatus: 'malformed', description: null, links: [] }],
    // A text that is too long is omitted, and all others are shown.
    ['metadata with a description that is too long', { metadataStatus: 'ok', description: null, links: [website] }],
  ])('keeps a coin of %s and treats its texts as data', async (wanted, shown) => {
    const coins = made.filter(({ what }) => what === wanted);
    expect(coins.length).toBeGreaterThan(0);
    for (const { token } of coins) {
      const { json } = await askAt(access.gateway, 'GET', `/api/explore/chain/presentation?token=${token}`);
      expect(json).toMatchObject(shown);
    }
  });
});

describe('the public feeds', () => {
  const ETHEREUM_FEED = '/v3/finalized-custom-launches';
  const page = async (target: string): Promise<any> => (await askAt(access.gateway, 'GET', target)).json;

  it(
    'show on Ethereum the Custom stamps of the routers, each with the evidence that its digest names',
    async () => {
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
        const { json } = await askAt(access.gateway, 'GET', '/api/indexers/v1/router-custom-identities');
        expect(json['count']).toBeGreaterThan(0);
        const identities = json['identities'] as { readonly tokenAddress: string; readonly blockHash: string }[];
        const wanted = identities.map(({ tokenAddress, blockHash }) => `${tokenAddress.toLowerCase()} ${blockHash}`);
        const { items, quality, sourceRowCount, publishedRowCount } = await page(`${ETHEREUM_FEED}?limit=25`);
        const published = items.map((item: any) => `${item.market.token} ${item.onchain.inclusion.blockHash}`);
        // Other suites launch meanwhile, and the feed is written a moment after the index.
        if (JSON.stringify(published.sort()) !== JSON.stringify(wanted.sort()) && Date.now() < until) continue;
        expect(published).toEqual(wanted);
        if (quality.status !== 'ready' && Date.now() < until) continue;
        expect([quality.status, publishedRowCount]).toEqual(['ready', sourceRowCount]);
        for (const { evidence, sourceVerification } of items) {
          expect(sourceVerification.status).toBe('not_verified');
          const bytes = new Uint8Array(await (await fetch(`${access.gateway}${evidence.path}`)).arrayBuffer());
          expect(`sha256:${sha256(bytes)}`).toBe(evidence.sha256);
        }
        break;
      }
    },
    PATIENCE_MS,
  );

  it(
    'show for multi-role launches the facts that the index found through their router',
    async () => {
      const head = await client.finalized();
      const isThere = (number: string): boolean => BigInt(number) <= head;
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(500)) {
        const published = new Map<string, object>();
        for (let cursor: string | null = ''; cursor !== null;) {
          const { items, nextCursor }: Json = await page(
            `/v4/chains/4663/multi-role-custom-launches/finalized${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`,
          );
          for (const { onchainLaunchId, market, chainBindings, provenance } of items) {
            const { transactionHash, l2Block } = provenance;
            if (!isThere(l2Block.number)) continue;
            published.set(onchainLaunchId, {
              tokenAddress: market.token,
              hookAddress: market.hook,
              poolId: market.poolId,
              routerAddress: chainBindings.router,
              transactionHash,
              blockNumber: l2Block.number,
              blockHash: l2Block.hash,
            });
          }
          cursor = nextCursor;
        }
        const records = await client.records();
        const indexed = records.filter(
          ({ sourceKind, blockNumber }) => sourceKind === 'custom-multi-role-v2' && isThere(blockNumber),
        );
        // The feed and the index learn about finality independently.
        if (published.size !== indexed.length && Date.now() < until) continue;
        expect(indexed.length).toBeGreaterThan(0);
        expect([...published.keys()].sort()).toEqual(indexed.map(({ launchId }) => launchId).sort());
        for (const found of indexed) expect(found).toMatchObject(published.get(found.launchId!)!);
        return;
      }
    },
    2 * PATIENCE_MS,
  );

  it('are accepted from a mirror only while it changes nothing', async () => {
    const mirror = new FeedMirror();
    const host = await mirror.open();
    try {
      const targets: string[] = [];
      for (const [path, query] of [
        [ETHEREUM_FEED, '?limit=1'],
        ['/v4/chains/4663/finalized-custom-launches', '?limit=1'],
        ['/v4/chains/4663/multi-role-custom-launches/finalized', ''],
        ['/api/indexers/v1/router-custom-identities', ''],
      ] as const)
        targets.push(...(await mirror.copy(access.gateway, path, query)));
      expect(targets.length).toBeGreaterThanOrEqual(5);
      // The key comes from the service itself, as discovery names it.
      const { answerSignatures } = await page('/api/module-mode/indexer/v1');
      const keys = readKeySet(await page(answerSignatures.keysUrl));
      const verdicts = () =>
        Promise.all(
          targets.map(async (target) => {
            const answer = await fetch(`${host}${target}`);
            const body = new Uint8Array(await answer.arrayBuffer());
            return verifyAnswer(
              { status: answer.status, headers: Object.fromEntries(answer.headers), body, target },
              keys,
            ).ok;
          }),
        );
      expect(new Set(await verdicts())).toEqual(new Set([true]));
      mirror.bend = (kept) => ({ ...kept, body: Buffer.from(Buffer.from(kept.body).toString().replace('{', '{ ')) });
      expect(new Set(await verdicts())).toEqual(new Set([false]));
      mirror.bend = (kept) => ({ ...kept, headers: { ...kept.headers, 'content-type': 'text/html; charset=utf-8' } });
      expect(new Set(await verdicts())).toEqual(new Set([false]));
    } finally {
      await mirror.close();
    }
  });
});
