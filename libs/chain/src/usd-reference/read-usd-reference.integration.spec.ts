/** Reads the price feeds of two development chains as a service does. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeDeployData, encodeFunctionData, type Abi, type Hex } from 'viem';
import { USD_QUOTE_RETRY_REQUIRED } from '@launch/evm';
import { startAnvil, type Anvil } from '@launch/testing';
import { createObserver, type ObserverPair, type RpcObserver } from '../rpc/observer.js';
import { DEFAULT_RPC_LIMITS } from '../rpc/rpc-limits.js';
import { readUsdReference, type PinnedUsdFeeds } from './read-usd-reference.js';

const ARTIFACT = new URL('../../../../solidity/artifacts/devnet/PriceFeed.json', import.meta.url);
const NOBODY = `0x${'0'.repeat(38)}aa`;
const PRICE = 250_000_000_000n;
const HOUR = 3_600;
/** Exceeds the gas of any round. */
const WRITE_GAS = '0x30d40';

interface FeedChain {
  readonly anvil: Anvil;
  readonly observers: ObserverPair;
  readonly feed: Hex;
  readonly owner: Hex;
}

describe('the USD reference of two chains', () => {
  let artifact: { abi: Abi; creationCode: Hex };
  let l2: FeedChain;
  let l1: FeedChain;
  let feeds: PinnedUsdFeeds;

  beforeAll(async () => {
    artifact = JSON.parse(await readFile(ARTIFACT, 'utf8')) as typeof artifact;
    [l2, l1] = await Promise.all([startChain(4663), startChain(1)]);
    feeds = {
      l2Feed: { address: l2.feed, decimals: 8, heartbeatSeconds: HOUR },
      l1Feed: { address: l1.feed, decimals: 8, heartbeatSeconds: HOUR },
      maxDeviationBps: 100,
    };
  });
  afterAll(() => Promise.all([l2?.anvil.stop(), l1?.anvil.stop()]));

  async function startChain(chainId: number): Promise<FeedChain> {
    const anvil = await startAnvil({ chainId });
    const observer = (id: string): RpcObserver =>
      createObserver({ id, url: anvil.url, originCommitment: `0x${'0'.repeat(64)}` }, chainId, DEFAULT_RPC_LIMITS);
    const observers: ObserverPair = [observer(`${chainId}-a`), observer(`${chainId}-b`)];
    const [owner] = (await observers[0].request('eth_accounts', [])) as [Hex];
    const args = [owner, 8, 'ETH / USD', PRICE];
    const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.creationCode, args });
    const { contractAddress } = await mined(observers[0], { from: owner, data });
    return { anvil, observers, owner, feed: contractAddress };
  }

  async function mined(rpc: RpcObserver, transaction: object): Promise<{ contractAddress: Hex; status: string }> {
    const hash = await rpc.request('eth_sendTransaction', [transaction]);
    // Anvil answers once the transaction is in its pool; its block follows a moment later.
    for (; ; await sleep(20)) {
      const receipt = await rpc.request('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return receipt as { contractAddress: Hex; status: string };
    }
  }

  const headOf = async ({ observers }: FeedChain) =>
    (await observers[0].request('eth_getBlockByNumber', ['latest', false])) as { number: Hex; timestamp: Hex };

  async function write(chain: FeedChain, functionName: string, ...args: unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi: artifact.abi, functionName, args });
    // Anvil estimates for the current second: a block of the next one writes another time, which costs more.
    const call = { from: chain.owner, to: chain.feed, data, gas: WRITE_GAS };
    expect(await mined(chain.observers[0], call)).toMatchObject({ status: '0x1' });
  }

  const read = (observers: { l2: ObserverPair; l1: ObserverPair } = { l2: l2.observers, l1: l1.observers }) =>
    readUsdReference(observers, feeds);

  it('is computed from both feeds, each at a block that both observers of its chain have', async () => {
    const { number } = await headOf(l2);
    await l2.observers[0].request('evm_mine', []);
    // The second observer does not have the newest block yet.
    const late: RpcObserver = {
      ...l2.observers[1],
      request: (method, params) =>
        l2.observers[1].request(
          method,
          params.map((each) => (each === 'latest' ? number : each)),
        ),
    };
    const reference = await read({ l2: [l2.observers[0], late], l1: l1.observers });
    expect(reference).toMatchObject({
      kind: 'usable',
      oneUsdReferenceWei: 400_000_000_000_000n,
      readings: {
        l2Feed: { blockNumber: BigInt(number), answer: PRICE, decimals: 8 },
        l1Feed: { blockNumber: 1n, answer: PRICE, decimals: 8 },
      },
    });
  });

  it('is retried while the observers report different prices', async () => {
    const { abi } = artifact;
    const selector = encodeFunctionData({ abi, functionName: 'latestRoundData' });
    const liar: RpcObserver = {
      ...l1.observers[1],
      request: async (method, params) => {
        const answer = await l1.observers[1].request(method, params);
        const asksPrice = method === 'eth_call' && (params[0] as { data: Hex }).data === selector;
        return asksPrice ? String(answer).replace(PRICE.toString(16), (PRICE + 1n).toString(16)) : answer;
      },
    };
    expect(await read({ l2: l2.observers, l1: [l1.observers[0], liar] })).toEqual({
      kind: 'unusable',
      code: USD_QUOTE_RETRY_REQUIRED,
      feed: 'l1Feed',
      problem: 'OBSERVERS_INDETERMINATE',
      reason: `price feed ${l1.feed}: 1-a and 1-b disagree`,
    });
  });

  it('is retried while the pinned address has no feed', async () => {
    const gone = { ...feeds, l2Feed: { ...feeds.l2Feed, address: NOBODY } };
    expect(await readUsdReference({ l2: l2.observers, l1: l1.observers }, gone)).toMatchObject({
      feed: 'l2Feed',
      problem: 'OBSERVERS_INDETERMINATE',
      reason: `price feed ${NOBODY}: 4663-a CONTRACT_ANSWER_INVALID`,
    });
  });

  it('is retried while a feed is unusable, and is available once the feed is usable again', async () => {
    const now = Number((await headOf(l1)).timestamp);
    for (const [write_, expected] of [
      [['setAnswer', 0n], { feed: 'l1Feed', problem: 'NOT_POSITIVE' }],
      [['setAnswer', PRICE * 2n], { feed: null, problem: 'FEEDS_APART' }],
      [['setAnswerAt', PRICE, BigInt(now - 2 * HOUR)], { feed: 'l1Feed', problem: 'TOO_OLD' }],
      [['setAnswerAt', PRICE, BigInt(now + 2 * HOUR)], { feed: 'l1Feed', problem: 'FROM_THE_FUTURE' }],
      [['openRound'], { feed: 'l1Feed', problem: 'ROUND_INCOMPLETE' }],
      [['setAnswer', PRICE], { kind: 'usable', oneUsdReferenceWei: 400_000_000_000_000n }],
    ] as const) {
      const [name, ...args] = write_;
      await write(l1, name, ...args);
      expect([name, await read()]).toEqual([name, expect.objectContaining(expected)]);
    }
  });
});
