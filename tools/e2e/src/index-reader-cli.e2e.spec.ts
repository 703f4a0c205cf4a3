import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { awaitIndexed } from '@launch/start';
import { BUNDLES, runNode } from '../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import { askAt, PATIENCE_MS } from './fixtures/spec-client.fixture.js';
import { sharedSourceLaunches } from './stacks/of-the-run.js';
import type { StackAccess } from './stacks/own-stack.js';
import { useStack } from './stacks/use-stack.js';

/** Runs the published program against the running product. */
const program = path.resolve(BUNDLES, '../../index-reader/bundles/index-reader.mjs');

let access: StackAccess;
let coins: readonly any[] = [];
beforeAll(async () => {
  access = await useStack('launches');
  await awaitIndexed({ stack: access.stack, timeoutMs: PATIENCE_MS }, await sharedSourceLaunches());
  for (const until = Date.now() + PATIENCE_MS; !isComplete() && Date.now() < until; await sleep(500)) await findCoins();
}, 3 * PATIENCE_MS);

const KINDS = [
  'custom-multi-role-v2',
  'custom-router-v1',
  'ethereum-custom-v1',
  'module-engine-v1',
  'module-foundation-v1 V1',
  'module-foundation-v1 V2',
  'module-foundation-v1 V3',
  'module-native-v1',
  'module-native-v2',
];
const kindOf = ({ sourceKind, factoryVersion }: any): string =>
  factoryVersion === null ? sourceKind : `${sourceKind} ${factoryVersion}`;
const isComplete = (): boolean => KINDS.every((kind) => coins.some((coin) => kindOf(coin) === kind));
async function findCoins(): Promise<void> {
  coins = (await Promise.all([coinOfEachKind(1), coinOfEachKind(4663)])).flat();
}

const endpoints = (chainId: '1' | '4663'): string =>
  access.stack.rpc[chainId].map((url, index) => `node-${index}=${url}`).join(',');

async function read(argv: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runNode([program, ...argv, '--api-origin', access.gateway, '--json'], {
    env: { RPC_1_URLS: endpoints('1'), RPC_4663_URLS: endpoints('4663'), ...env },
  });
  return {
    code,
    result: stdout === '' ? null : JSON.parse(stdout),
    failure: stderr === '' ? null : JSON.parse(stderr),
  };
}
const coinArguments = ({ chainId, tokenAddress }: any): string[] => [
  'coin',
  '--chain-id',
  String(chainId),
  '--token',
  tokenAddress,
];

/** Reads a coin until every endpoint has answered. On a busy machine one may be silent, which proves nothing. */
async function coinAnswer(coin: any) {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
    const answer = await read(coinArguments(coin));
    const isOpen = answer.code === 4 || answer.result?.stamps.stamped === null;
    if (!isOpen || Date.now() > until) return answer;
  }
}

/** The last record of each kind that the service shows. */
async function coinOfEachKind(chainId: number): Promise<readonly any[]> {
  const kinds = new Map<string, any>();
  for (let cursor: string | null = null; ;) {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { json } = await askAt(
      access.gateway,
      'GET',
      `/api/indexers/v1/launches?chainId=${chainId}&limit=100${query}`,
    );
    for (const item of json['items'] as any[]) kinds.set(kindOf(item), item);
    cursor = json['nextCursor'] as string | null;
    if (cursor === null) return [...kinds.values()];
  }
}

describe('the index reader, from its one file', () => {
  it(
    'verifies a coin of every source',
    async () => {
      expect(isComplete()).toBe(true);
      for (const coin of coins) {
        const { code, result } = await coinAnswer(coin);
        expect([coin.sourceKind, code, result]).toMatchObject([
          coin.sourceKind,
          0,
          {
            verification: { kind: 'verified' },
            finality: { kind: 'final' },
            // First, so that a failed comparison shows the reason of an undecided axis.
            stamps: { stamped: coin.routerAddress !== null, reason: null },
            record: { sourceKind: coin.sourceKind, transactionHash: coin.transactionHash },
            axes: {
              provenance: coin.routerAddress === null ? 'NOT_STAMPED' : 'STAMPED',
              finality: 'FINALIZED',
              feeBehaviour: 'UNVERIFIED',
              security: 'UNVERIFIED',
            },
          },
        ]);
      }
    },
    2 * PATIENCE_MS,
  );

  it('labels the coin of a finalized custom launch whose sources are exact, and no other', async () => {
    const custom = coins.find(({ sourceKind }) => sourceKind === 'custom-router-v1');
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
      const { result } = await read(coinArguments(custom));
      // The feed is written a moment after the index, and grows while other suites launch.
      if (result.label === null && Date.now() < until) continue;
      expect(result).toMatchObject({
        label: 'Service Custom',
        axes: { sourceVerification: 'EXACT_MATCH', feedAvailability: 'AVAILABLE', writeActivation: 'ACTIVE' },
      });
      break;
    }
    const native = coins.find(({ sourceKind }) => sourceKind === 'module-native-v1');
    expect((await read(coinArguments(native))).result).toMatchObject({
      label: null,
      axes: { sourceVerification: 'UNVERIFIED' },
    });
  });

  it(
    'finds a coin by a scan from its source’s first block, without its place',
    async () => {
      const foundation = coins.find(({ factoryVersion }) => factoryVersion === 'V3');
      const { code, result } = await read([...coinArguments(foundation), '--scan']);
      expect([code, result.verification.kind, result.record]).toEqual([0, 'verified', foundation]);
    },
    PATIENCE_MS,
  );

  it('judges each launch of a transaction', async () => {
    const { transactionHash, chainId } = coins.find(({ sourceKind }) => sourceKind === 'module-native-v2');
    const { code, result } = await read(['verify', '--chain-id', String(chainId), '--transaction', transactionHash]);
    expect([code, result.events, result.indeterminate]).toMatchObject([
      0,
      [{ sourceVersion: 'module-native-v2', verdict: { kind: 'verified' }, finality: { kind: 'final' } }],
      [],
    ]);
  });

  it('reads every feed and the snapshot completely, each signed by the service', async () => {
    for (const feed of ['v3', 'v4', 'multi-role', 'identities']) {
      for (const until = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
        const { code, result } = await read([
          'feed',
          '--feed',
          feed,
          '--keys-origin',
          access.gateway,
          '--page-size',
          '2',
        ]);
        if (code !== 0 && result.retryable && Date.now() < until) continue;
        expect([feed, code, result.availability]).toEqual([feed, 0, 'AVAILABLE']);
        break;
      }
    }
  });

  it('finds no coin that only a forged event claims', async () => {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(1_000)) {
      const { code, result } = await read(coinArguments({ chainId: 4663, tokenAddress: `0x${'f0'.repeat(20)}` }));
      // The stamp is undecided while an index is behind, because other suites launch meanwhile.
      if (result.axes.provenance === 'INDETERMINATE' && Date.now() < until) continue;
      expect([code, result.verification.kind, result.axes.provenance]).toEqual([5, 'absent', 'NOT_STAMPED']);
      break;
    }
  });

  it('makes no statement with endpoints of another chain', async () => {
    const native = coins.find(({ sourceKind }) => sourceKind === 'module-native-v1');
    const { code, result } = await read(coinArguments(native), { RPC_4663_URLS: endpoints('1') });
    expect([code, result.verification.kind, result.axes.finality, result.axes.provenance]).toEqual([
      4,
      'indeterminate',
      'INDETERMINATE',
      'INDETERMINATE',
    ]);
  });
});
