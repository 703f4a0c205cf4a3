import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ObservedUsdReference } from '@launch/chain';
import { canonicalJsonText } from '@launch/contracts/json';
import { initialBuyQuoteSchema } from '@launch/contracts/reports';
import { canonicalSha256, sha256Digest } from '@launch/contracts/primitives';
import { RELEASE_EXAMPLE } from '../gates/release.example.js';
import { refusalOfWork } from '../../fixtures/refused.js';
import { testChain } from '../../fixtures/test-chain.js';
import { InitialBuyQuoteService } from './initial-buy-quote.service.js';

const { context } = RELEASE_EXAMPLE.bound!;
const UNUSABLE: ObservedUsdReference = {
  kind: 'unusable',
  code: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
  feed: 'l1Feed',
  problem: 'TOO_OLD',
  reason: 'TOO_OLD',
};

const chain = testChain();
let nowMs: number;
let reads: number;
let found: (() => Promise<ObservedUsdReference | null>) | null;
let warnings: unknown[];
/** The row of the context, which every gateway shares. */
let row: { claimedAt: number; readAt: number; quote: string | null } | null;
beforeEach(() => {
  [nowMs, reads, found, warnings, row] = [1_900_000_000_000, 0, null, [], null];
  chain.oneUsdWei = 10n ** 15n;
});

/** Returns the service of one of the gateways. */
const gateway = (bound: typeof context | null = context) =>
  new InitialBuyQuoteService(
    { context: () => bound },
    {
      readUsdReference: async (feeds) => {
        reads += 1;
        return found === null ? chain.readUsdReference(feeds) : found();
      },
    },
    {
      claim: async (_hash, everyMs) => {
        if (row !== null && row.claimedAt > nowMs - everyMs) return false;
        row = { readAt: 0, quote: null, ...row, claimedAt: nowMs };
        return true;
      },
      keep: async (_hash, quote) => {
        row = { claimedAt: nowMs, ...row, readAt: nowMs, quote };
      },
      last: async (_hash, atMostMs) => (row !== null && row.readAt > nowMs - atMostMs ? row.quote : null),
    },
    { now: () => nowMs },
    { warn: (...about: unknown[]) => void warnings.push(about) },
  );
const read = async (service: InitialBuyQuoteService) => {
  const { bytes, contentSha256 } = await service.read();
  const text = new TextDecoder().decode(bytes);
  expect([contentSha256, text]).toEqual([sha256Digest(bytes), canonicalJsonText(JSON.parse(text))]);
  return initialBuyQuoteSchema.parse(JSON.parse(text));
};
const retried = { code: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED', retryAfterSeconds: 5 };

describe('The initial-buy quote', () => {
  it('is one reading for all gateways, under the digest of its canonical JSON', async () => {
    const [one, other] = [gateway(), gateway()];
    const first = await read(one);
    expect([await read(other), await read(one), reads]).toEqual([first, first, 1]);
  });

  it('recommends five percent more than the reference, rounded up, and authorizes nothing', async () => {
    chain.oneUsdWei = 101n;
    expect(await read(gateway())).toMatchObject({
      oneUsdReferenceWei: '101',
      minimumInitialBuyWei: '101',
      recommendedInitialBuyWei: '107',
      advisory: true,
      requestAuthorization: { requestAuthorized: false },
      expectedTokensOut: null,
    });
  });

  it('shows both sources with answer, decimals, round, time and age, their deviation, the block, and its end', async () => {
    const { usdReference } = context.chainDeployment;
    const { heartbeatSeconds } = usdReference.l1Feed;
    const readAt = 1_900_000_000n;
    const reading = { blockHash: `0x${'7'.repeat(64)}`, blockTime: readAt - 2n, decimals: 8 } as const;
    found = async () => ({
      kind: 'usable',
      oneUsdReferenceWei: 400_000_000_000_000n,
      deviationBps: 40,
      readAt,
      readings: {
        l2Feed: {
          ...reading,
          blockNumber: 7n,
          roundId: 5n,
          answeredInRound: 5n,
          answer: 2_500n * 10n ** 8n,
          updatedAt: readAt - 600n,
        },
        l1Feed: {
          ...reading,
          blockNumber: 9n,
          roundId: 6n,
          answeredInRound: 6n,
          answer: 2_510n * 10n ** 8n,
          updatedAt: readAt - BigInt(heartbeatSeconds) - 290n,
        },
      },
    });
    expect(await read(gateway())).toMatchObject({
      ethUsd: {
        source: `eip155:4663:${usdReference.l2Feed.address}`,
        answer: '250000000000',
        decimals: 8,
        roundId: '5',
        updatedAt: '1899999400',
        ageSeconds: 600,
        maxAgeSeconds: usdReference.l2Feed.heartbeatSeconds + 300,
      },
      secondSource: {
        source: `eip155:1:${usdReference.l1Feed.address}`,
        answer: '251000000000',
        roundId: '6',
        ageSeconds: heartbeatSeconds + 290,
        maxAgeSeconds: heartbeatSeconds + 300,
      },
      deviationBps: 40,
      blockNumber: '7',
      blockHash: reading.blockHash,
      readAt: '2030-03-17T17:46:40.000Z',
      // Ten seconds later the price on Ethereum is as old as it may be.
      validUntil: '2030-03-17T17:46:50.000Z',
    });
  });

  it('has the digest of its other members as its ID, at every gateway', async () => {
    const [one, other] = [await read(gateway()), await read(gateway())];
    const { quoteId, ...rest } = one;
    expect([quoteId, other.quoteId]).toEqual([canonicalSha256(rest), quoteId]);
    nowMs += 10_000;
    chain.oneUsdWei = 101n;
    expect((await read(gateway())).quoteId).not.toBe(quoteId);
  });

  it('is valid for 90 seconds after its reading while the prices are recent', async () => {
    const { readAt, validUntil } = await read(gateway());
    expect(Date.parse(validUntil) - Date.parse(readAt)).toBe(90_000);
  });

  it('is read anew after ten seconds, by one gateway, and queried once a second by each', async () => {
    const [one, other] = [gateway(), gateway()];
    await read(one);
    chain.oneUsdWei = 101n;
    nowMs += 999;
    expect((await read(other)).oneUsdReferenceWei).toBe(String(10n ** 15n));
    nowMs += 9_001;
    expect((await read(other)).oneUsdReferenceWei).toBe('101');
    expect((await read(one)).oneUsdReferenceWei).toBe('101');
    expect(reads).toBe(2);
  });

  it('is refused without a usable price, never the one before, and the reason is logged', async () => {
    const [one, other] = [gateway(), gateway()];
    await read(one);
    nowMs += 10_000;
    found = async () => UNUSABLE;
    for (const service of [other, one]) expect(await refusalOfWork(() => service.read())).toMatchObject(retried);
    expect([reads, warnings.length]).toEqual([2, 1]);
  });

  it('is refused while the price feeds do not answer', async () => {
    chain.oneUsdWei = null;
    expect(await refusalOfWork(() => gateway().read())).toMatchObject(retried);
  });

  it('is refused after its time when the gateway that claimed the reading has died', async () => {
    const [one, other] = [gateway(), gateway()];
    await read(one);
    nowMs += 29_999;
    row = { ...row!, claimedAt: nowMs };
    await read(other);
    nowMs += 1_000;
    expect(await refusalOfWork(() => other.read())).toMatchObject(retried);
  });

  it('is requested again after an error, which reaches the caller', async () => {
    const one = gateway();
    found = async () => Promise.reject(new Error('the chain is away'));
    await expect(one.read()).rejects.toThrow('the chain is away');
    [found, row] = [null, null];
    expect((await read(one)).advisory).toBe(true);
  });

  it('is not found without a custom-launch context, and reads no price', async () => {
    const service = gateway(null);
    expect((await refusalOfWork(() => service.read())).code).toBe('NOT_FOUND');
    expect([await service.usable(), reads]).toEqual([null, 0]);
  });
});
