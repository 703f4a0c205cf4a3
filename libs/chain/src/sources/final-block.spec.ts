import { describe, expect, it } from '@jest/globals';
import { ChainError } from '../chain.error.js';
import { finalEthereumBlock, finalLaunchBlock, type FinalBlock } from './final-block.js';
import { wordOf, type Fault } from './fixtures/scripted-chain.fixture.js';
import {
  ANCHORS,
  blockHash,
  deliveryOf,
  ethereumObserver,
  lastBlockOf,
  firstBlockOf,
  postedAt,
  postingCall,
  rollupObserver,
  type ScriptedRollup,
} from './fixtures/scripted-rollup.fixture.js';

/** Ten batches are posted, the last of them final, and both nodes have processed half of it. */
const ROLLUP: ScriptedRollup = { posted: 10n, l2Finalized: firstBlockOf(10n) + 4n, l1Finalized: postedAt(10n) + 3n };

interface Faults {
  readonly l2?: Fault;
  readonly otherL2?: Fault;
  readonly l1?: Fault;
  readonly otherL1?: Fault;
}

interface Places {
  /** The view of the second observer of a chain, if it lags. */
  readonly otherL2?: Partial<ScriptedRollup>;
  readonly otherL1?: Partial<ScriptedRollup>;
}

const finalBlock = (rollup: ScriptedRollup, faults: Faults = {}, places: Places = {}): Promise<FinalBlock> =>
  finalLaunchBlock(
    {
      l2: [
        rollupObserver('a', rollup, faults.l2),
        rollupObserver('b', { ...rollup, ...places.otherL2 }, faults.otherL2),
      ],
      l1: [
        ethereumObserver('c', rollup, faults.l1),
        ethereumObserver('d', { ...rollup, ...places.otherL1 }, faults.otherL1),
      ],
    },
    ANCHORS,
    () => 0,
  );

const silent: Fault = (method) => new ChainError('RPC_TIMEOUT', { observer: 'x', method });
const only =
  (struck: string, answer: unknown): Fault =>
  (method) =>
    method === struck ? answer : undefined;
const headerAt =
  (block: bigint, hash: bigint): Fault =>
  (method, [first]) =>
    method === 'eth_getBlockByNumber' && first !== 'latest' && first !== 'finalized' && BigInt(first) === block
      ? { number: first, hash: wordOf(Number(hash)), parentHash: wordOf(1), timestamp: '0x1' }
      : undefined;

const at = (number: bigint) => ({ number, hash: blockHash(4663, number) });

describe('the final block of the launch chain', () => {
  it('is the block that both nodes report as finalized, if its batch is final on Ethereum', async () => {
    expect(await finalBlock(ROLLUP)).toMatchObject({
      kind: 'final',
      block: at(ROLLUP.l2Finalized),
      evidence: {
        posting: { batchNumber: '10', lastL2Block: lastBlockOf(10n).toString() },
        checkpoint: { blockNumber: ROLLUP.l1Finalized.toString(), blockHash: blockHash(1, ROLLUP.l1Finalized) },
      },
    });
  });

  it.each<readonly [string, Places, bigint]>([
    ['one node of the launch chain', { otherL2: { l2Finalized: firstBlockOf(8n) } }, firstBlockOf(8n)],
    ['one observer of Ethereum by a batch', { otherL1: { l1Finalized: postedAt(10n) - 1n } }, lastBlockOf(9n)],
    ['one observer of Ethereum by many batches', { otherL1: { l1Finalized: postedAt(4n) } }, lastBlockOf(4n)],
  ])('is the slower observer’s block if %s lags', async (_who, places, expected) => {
    const found = await finalBlock(ROLLUP, {}, places);
    expect(found).toMatchObject({ kind: 'final', block: at(expected) });
  });

  it.each<readonly [string, ScriptedRollup]>([
    ['no batch holds a block', { ...ROLLUP, posted: 0n }],
    ['the nodes are at genesis', { ...ROLLUP, l2Finalized: ANCHORS.genesisBlock }],
    [
      'no posting is below the final block of Ethereum',
      { posted: 3n, l2Finalized: lastBlockOf(3n), l1Finalized: postedAt(1n) - 1n },
    ],
  ])('is absent if %s', async (_what, rollup) => {
    expect(await finalBlock(rollup)).toEqual({ kind: 'none' });
  });

  const replaced = headerAt(ROLLUP.l2Finalized, 0xbadn);
  const call = only('eth_getTransactionByHash', postingCall(10n, [500n, 600n]));
  const accumulator = only('eth_call', wordOf(0xbad));
  const batch = only('eth_call', wordOf(9));
  const moved = headerAt(postedAt(10n), 0xbadn);
  const twice = only('eth_getLogs', [deliveryOf(10n), { ...deliveryOf(10n), logIndex: '0x4' }]);

  it.each<readonly [string, Faults]>([
    ['a node is silent', { l2: silent }],
    ['the other node is silent', { otherL2: silent }],
    ['an observer of Ethereum is silent', { l1: silent }],
    ['the other observer of Ethereum is silent', { otherL1: silent }],
    ['one node has another block there', { l2: replaced }],
    ['one node names another batch', { otherL2: batch }],
    ['both nodes name a batch whose call does not cover the block', { l2: batch, otherL2: batch }],
    ['one observer hides the delivery', { l1: only('eth_getLogs', []) }],
    ['both list two deliveries', { l1: twice, otherL1: twice }],
    ['one observer shows another call', { otherL1: call }],
    ['both show a call that does not cover the block', { l1: call, otherL1: call }],
    [
      'both show no call',
      { l1: only('eth_getTransactionByHash', null), otherL1: only('eth_getTransactionByHash', null) },
    ],
    ['the delivery is in a block that was replaced', { l1: moved, otherL1: moved }],
    ['one observer has another block at the checkpoint', { l1: headerAt(ROLLUP.l1Finalized, 0xbadn) }],
    ['one observer reads another accumulator', { otherL1: accumulator }],
    ['both read an accumulator that the batch did not leave', { l1: accumulator, otherL1: accumulator }],
  ])('is unknown if %s', async (_what, faults) => {
    expect(await finalBlock(ROLLUP, faults)).toMatchObject({ kind: 'indeterminate', reason: expect.any(String) });
  });

  it('is unknown if a reorg replaces its block during the judgement', async () => {
    let asked = 0;
    const later: Fault = (method, params, honest) => {
      const struck = replaced(method, params, honest);
      return struck === undefined || (asked += 1) <= 4 ? undefined : struck;
    };
    // Both nodes return the old block to the common head and to the posting, and a new one after the finalized tips.
    expect(await finalBlock(ROLLUP, { l2: later, otherL2: later })).toMatchObject({
      kind: 'indeterminate',
      reason: expect.stringMatching(/^block \d+: not the canonical one any more/),
    });
  });
});

describe('the final block of Ethereum', () => {
  const finalOf = (one?: Fault, other?: Fault, behind = ROLLUP.l1Finalized): Promise<FinalBlock> =>
    finalEthereumBlock([
      ethereumObserver('c', ROLLUP, one),
      ethereumObserver('d', { ...ROLLUP, l1Finalized: behind }, other),
    ]);

  it('is the lower block of both observers, which both have', async () => {
    expect(await finalOf(undefined, undefined, 550n)).toEqual({
      kind: 'final',
      block: { number: 550n, hash: blockHash(1, 550n) },
      evidence: null,
    });
  });

  it.each<readonly [string, Fault | undefined, Fault | undefined]>([
    ['one is silent', undefined, silent],
    ['they have different blocks there', headerAt(ROLLUP.l1Finalized, 0xbadn), undefined],
    ['one has none', only('eth_getBlockByNumber', null), undefined],
  ])('is unknown if %s', async (_what, one, other) => {
    expect(await finalOf(one, other)).toMatchObject({ kind: 'indeterminate' });
  });
});
