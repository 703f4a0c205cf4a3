import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EVIDENCE_LIMITS } from '@launch/contracts/launch';
import { decodeBlockHeader, hashBlockHeader, type Hex } from '@launch/evm';
import { launchFixture } from '../finality/simulation/fixtures/launch.fixture.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { collectProofs } from './collect-proofs.js';

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const quantity = (value: number): `0x${string}` => `0x${value.toString(16)}`;

/** Builds a chain of headers that each name their parent; block 0 is the posting's block. */
function chainOf(length: number): Record<string, string>[] {
  const blocks: Record<string, string>[] = [];
  for (let number = 0; number < length; number += 1) {
    const block = {
      parentHash: blocks.at(-1)?.['hash'] ?? word('1'),
      sha3Uncles: word('2'),
      miner: `0x${'2'.repeat(40)}`,
      stateRoot: word('3'),
      transactionsRoot: word('4'),
      receiptsRoot: word('5'),
      logsBloom: `0x${'0'.repeat(512)}`,
      difficulty: '0x0',
      number: quantity(number),
      gasLimit: '0x1',
      gasUsed: '0x0',
      timestamp: quantity(number),
      extraData: '0x',
      mixHash: word('7'),
      nonce: `0x${'0'.repeat(16)}`,
    };
    blocks.push({ ...block, hash: hashBlockHeader(block) });
  }
  return blocks;
}

interface Asked {
  count: number;
}
const observer = (
  id: string,
  blocks: readonly Record<string, string>[],
  asked: Asked = { count: 0 },
  milliseconds = 0,
): RpcObserver => ({
  id,
  chainId: 1,
  originCommitment: word('0'),
  async request(method, params) {
    asked.count += 1;
    if (milliseconds > 0) await delay(milliseconds);
    return method === 'eth_getBlockByNumber' ? (blocks[Number(params[0])] ?? null) : null;
  },
});

const BLIND: ObserverPair = [observer('l2-a', []), observer('l2-b', [])];

const proofsBy = (
  l1: ObserverPair,
  blocks: readonly Record<string, string>[],
  distance = blocks.length - 1,
  milliseconds?: number,
) =>
  collectProofs(
    BLIND,
    l1,
    {
      target: launchFixture({ validAfter: 0n, deadline: 1n }),
      inclusion: { blockHash: word('8'), transactionHash: word('9') },
      posting: { l1BlockNumber: '0', l1BlockHash: blocks[0]!['hash'], batchTransactionHash: word('9') },
      checkpoint: { blockNumber: String(distance), blockHash: blocks.at(-1)!['hash'] },
    } as never,
    milliseconds,
  );

describe('proofs', () => {
  it.each([0, 1, 7, 8, 9, 16, 17, 30])('link a posting to a checkpoint %i blocks later', async (distance) => {
    const blocks = chainOf(distance + 1);
    const { ancestry } = await proofsBy([observer('l1-a', blocks), observer('l1-b', [])], blocks);
    if (ancestry.kind !== 'proof') throw new Error(ancestry.reason);
    expect(ancestry.headers.map((header) => decodeBlockHeader(header as Hex).hash)).toEqual(
      blocks.slice(1).map(({ hash }) => hash),
    );
  });

  it.each<[string, (blocks: Record<string, string>[]) => unknown, string]>([
    ['one misses a block', (blocks) => blocks.splice(12), 'BLOCK_UNKNOWN'],
    ['one has a block that does not name its parent', (blocks) => (blocks[9] = chainOf(11)[10]!), 'ANCESTRY_BROKEN'],
    ['one has another last block', (blocks) => (blocks[17] = { ...blocks[17]!, extraData: '0x12' }), 'ANCESTRY_BROKEN'],
    ['one returns an invalid header', (blocks) => (blocks[3] = {}), 'CHAIN_DATA_INVALID'],
  ])('come from the other observer if %s, and are unavailable if both do', async (_what, damage, reason) => {
    const blocks = chainOf(18);
    const damaged = [...blocks];
    damage(damaged);
    expect((await proofsBy([observer('l1-a', damaged), observer('l1-b', blocks)], blocks)).ancestry).toMatchObject({
      kind: 'proof',
    });
    expect(await proofsBy([observer('l1-a', damaged), observer('l1-b', damaged)], blocks)).toEqual({
      inclusion: { kind: 'unavailable', reason: 'BLOCK_UNKNOWN' },
      posting: { kind: 'unavailable', reason: 'BLOCK_UNKNOWN' },
      ancestry: { kind: 'unavailable', reason },
      state: { kind: 'unavailable', reason: 'BLOCK_UNKNOWN' },
    });
  });

  it('are not started beyond the distance bound', async () => {
    const asked = { count: 0 };
    const blocks = chainOf(2);
    const { ancestry } = await proofsBy(
      [observer('l1-a', blocks, asked), observer('l1-b', blocks, asked)],
      blocks,
      EVIDENCE_LIMITS.ancestryHeaders + 1,
    );
    expect(ancestry).toEqual({ kind: 'unavailable', reason: 'ANCESTRY_TOO_LONG' });
    // The posting's own proof requests its block, once per observer.
    expect(asked.count).toBe(2);
  });

  it('do not wait for a slow observer: each has its own timeout, and no request follows it', async () => {
    const blocks = chainOf(18);
    const slow = observer('l1-a', blocks, { count: 0 }, 600);
    expect((await proofsBy([slow, observer('l1-b', blocks)], blocks, 17, 1_000)).ancestry).toMatchObject({
      kind: 'proof',
    });
    const asked = { count: 0 };
    const late = await proofsBy([observer('l1-a', blocks, asked), observer('l1-b', blocks, asked)], blocks, 17, 0);
    expect(Object.values(late)).toEqual(Array(4).fill({ kind: 'unavailable', reason: 'RPC_TIMEOUT' }));
    expect(asked.count).toBe(0);
  });
});
