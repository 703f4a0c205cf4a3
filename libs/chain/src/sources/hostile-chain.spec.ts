import { describe, expect, it } from '@jest/globals';
import { INDEX_SOURCE_SCHEMA, type IndexSource } from '@launch/contracts/index';
import type { SourceAdapter } from '@launch/evm/sources';
import type { Hex } from 'viem';
import { seededRandom, type Random } from '../finality/simulation/fixtures/random.js';
import { narrower, wider } from '../reads/log-range.js';
import { agreedLogs, moreAgreedLogs } from './agreed-logs.js';
import {
  HostileChain,
  hostileObserver,
  sizeOf,
  type Endpoint,
  type HostileBlock,
  type HostileSource,
} from './fixtures/hostile-chain.fixture.js';
import { addressOf, wordOf } from './fixtures/scripted-chain.fixture.js';
import { createChainReads, type RangeReads } from './range-reads.js';
import type { Incomplete } from './range-result.js';
import { verifyTransaction } from './verify-transaction.js';

/**
 * Readers of several sources follow hostile chains: 100,000 logs in a block, saturated filters, receipts of 70 MiB,
 * events forged by other contracts, junk coins, long words, silent tokens. The endpoints refuse ranges, accept no
 * batches, index late, bound their answers and fail for a while. Every reader reaches the head, finds every readable
 * launch, and stays within the stated number of requests. A failing run names its seed; CHAIN_SEED=<seed> runs that
 * seed alone, CHAIN_RUNS=<n> runs that many from it (or from 1) on.
 */
const FIRST_SEED = Number(process.env['CHAIN_SEED'] ?? 1);
const RUNS = Number(process.env['CHAIN_RUNS'] ?? (process.env['CHAIN_SEED'] === undefined ? 200 : 1));

/**
 * Maximum requests per block, of both observers together and for all sources of the chain, regardless of how often its
 * range is read: its logs of the sources and of the pool managers by hash and the check that it is indexed, from each
 * observer; and its logs of the sources once more if a batch with long ones is refused (ADR 0086).
 */
const MAX_CALLS_PER_BLOCK = 8;
/**
 * Maximum requests per reading of a range besides one for each header: chain IDs, the range's end, and its logs of the
 * sources and of the pool managers, from each observer.
 */
const MAX_CALLS_PER_RANGE = 8;
/** Attempts for a launch with a silent token, and for a range in dispute. */
const MAX_TRIES = 3;
const BLOCKS = 24;
/** Far more steps than an advancing reader needs: one each for blocks, failures, narrower ranges and silent tokens. */
const MAX_STEPS = 600;

const SOURCES: readonly HostileSource[] = Array.from({ length: 4 }, (_, at) => ({
  address: addressOf(0x5f00 + at),
  anchor: wordOf(0xa0 + at),
}));
const SWAPS = { addresses: [addressOf(0x7777)], topics: [wordOf(0x77)] };

const sourceOf = ({ address }: HostileSource): IndexSource => ({
  schemaVersion: INDEX_SOURCE_SCHEMA,
  sourceVersion: 'custom-router-v1',
  chainId: 4663,
  address,
  runtimeCodeHash: wordOf(1),
  startBlock: '1',
  endBlock: null,
  abiSha256: `sha256:${'0'.repeat(64)}`,
  factoryVersion: null,
  contracts: {},
  profile: 'reference',
  sourceCommit: 'c'.repeat(40),
  finalityPolicyId: 'chain-ethereum-finalized-v1',
});

const tokenOf = (key: Hex): Hex => `0x${key.slice(-40)}`;
/** Every fiftieth token never answers. */
const isSilent = (token: Hex): boolean => BigInt(token) % 50n === 0n;

const adapterOf = ({ address, anchor }: HostileSource): SourceAdapter => ({
  sourceVersion: 'custom-router-v1',
  abi: [],
  anchorTopics: [anchor],
  candidates: (_source, { logs }) =>
    logs
      .filter((log) => log.address === address && log.topics[0] === anchor)
      .map((log) => ({ anchor: log, key: log.topics[1]!, logs: [log] })),
  reads: (_source, { key }, answers) =>
    answers.size > 0 ? [] : [{ kind: 'call', name: 'token.name', to: tokenOf(key as Hex), data: '0x01', gas: 100_000 }],
  judge: () => ({ kind: 'fail', reason: 'EVENT_MISSING', detail: '' }),
});

/** One source's progress, as an indexer keeps it. */
class Reader {
  next = 1n;
  readonly found = new Set<string>();
  readonly givenUp = new Set<string>();
  readonly gaps = new Set<bigint>();
  #range = 8n;
  #refusals = 0;
  readonly #tries = new Map<string, number>();

  constructor(
    private readonly source: HostileSource,
    private readonly head: bigint,
  ) {}

  /** @returns the range that it read or attempted. */
  async step(reads: RangeReads): Promise<string> {
    const { address, anchor } = this.source;
    const last = this.next + this.#range - 1n;
    const to = last < this.head ? last : this.head;
    const asked = `${this.next}-${to}`;
    const found = await agreedLogs(reads, { addresses: [address], topics: [anchor] }, this.next, to);
    if (found.kind === 'incomplete') return this.#refused(found, asked);
    const swaps = await moreAgreedLogs(reads, SWAPS, found.blocks);
    if (swaps.kind === 'incomplete') return this.#refused(swaps, asked);
    const blockOf = new Map(found.logs.map((log) => [log.transactionHash, found.blocks.at(log.blockNumber)]));
    for (const [transactionHash, block] of blockOf) {
      const isOver = await this.#judged(reads, { transactionHash, block });
      if (!isOver) return asked;
    }
    this.next = to + 1n;
    this.#range = wider(this.#range, 32n);
    return asked;
  }

  async #judged(reads: RangeReads, place: Parameters<typeof verifyTransaction>[3]): Promise<boolean> {
    const placeOf = (logIndex: number): string => `${place.transactionHash}/${logIndex}`;
    const prefix = `${place.transactionHash}/`;
    const skipped = [...this.givenUp].filter((one) => one.startsWith(prefix)).map((one) => Number(one.split('/')[1]));
    const judged = await verifyTransaction(
      reads,
      sourceOf(this.source),
      adapterOf(this.source),
      place,
      new Set(skipped),
    );
    if (judged.kind === 'indeterminate') return false;
    if (judged.kind === 'unreadable') {
      this.givenUp.add(`${judged.transactionHash}`);
      return true;
    }
    for (const { candidate } of judged.launches) this.found.add(placeOf(candidate.anchor.logIndex));
    for (const { candidate, isUnreadable } of judged.open) {
      const launch = placeOf(candidate.anchor.logIndex);
      const tries = (this.#tries.get(launch) ?? 0) + 1;
      this.#tries.set(launch, tries);
      if (isUnreadable || tries >= MAX_TRIES) this.givenUp.add(launch);
    }
    return judged.open.every(({ isUnreadable }) => isUnreadable);
  }

  #refused({ cause, obstacle }: Incomplete, asked: string): string {
    // Read up to the failing block, then past it.
    if (cause === 'unreadable' && obstacle.from > this.next) this.#range = obstacle.from - this.next;
    else if (cause === 'unreadable') {
      this.gaps.add(obstacle.from);
      this.next += 1n;
    }
    // A permanent obstacle in a range may be one block, which is read by its hash.
    this.#refusals = cause === 'transient' && obstacle.block === null ? this.#refusals + 1 : 0;
    if (cause === 'too-much' || this.#refusals % MAX_TRIES === MAX_TRIES - 1) this.#range = narrower(this.#range, 1n);
    return asked;
  }
}

const endpointOf = (random: Random, isWell: boolean): Endpoint => ({
  answerBytes: isWell ? 8 * 1024 * 1024 : random.pick([8 * 1024 * 1024, 1024 * 1024, 400 * 1024]),
  maxRange: isWell ? 1_000 : random.pick([1_000, 10, 1]),
  batches: isWell || random.chance(0.7),
  unindexed: isWell ? 0 : random.below(4),
  failures: isWell ? 0 : random.below(20),
  failure: random.pick(['RPC_TIMEOUT', 'RPC_UNREACHABLE', 'RPC_REFUSED', 'RPC_ANSWER_INVALID']),
});

/** Checks whether any request for a launch alone can be answered within both endpoints' bounds. */
const isReadable = (block: HostileBlock, { address }: HostileSource, transactionHash: Hex, bound: number): boolean =>
  sizeOf(block.logs.filter((log) => log.address === address)) <= bound ||
  sizeOf(
    block.logs.filter((log) => log.transactionHash === transactionHash),
    block.noise,
  ) <= Math.min(bound, 1024 * 1024);

/** @returns the number of launches found. @throws Error naming the seed */
async function simulate(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const isWell = random.chance(0.4);
  const chain = new HostileChain(random, SOURCES, BLOCKS);
  const endpoints = [endpointOf(random, isWell), endpointOf(random, isWell)] as const;
  const at = { random, isSilent };
  const pair = [hostileObserver('a', chain, endpoints[0], at), hostileObserver('b', chain, endpoints[1], at)] as const;
  const head = BigInt(BLOCKS - 1);
  const chainReads = createChainReads(pair);
  const readers = SOURCES.map((source) => new Reader(source, head));
  let [ranges, headers] = [0, 0];
  for (let step = 0; readers.some(({ next }) => next <= head); step += 1) {
    if (step > MAX_STEPS) throw new Error(`CHAIN_SEED=${seed}: readers are at ${readers.map(({ next }) => next)}`);
    const view = chainReads.under();
    for (const { address, anchor } of SOURCES) view.watch({ addresses: [address], topics: [anchor] });
    const behind = readers.filter(({ next }) => next <= head);
    for (const asked of new Set(await Promise.all(behind.map((reader) => reader.step(view))))) {
      const [from, to] = asked.split('-').map(Number) as [number, number];
      ranges += 1;
      headers += to - from + 1;
    }
  }
  const bound = Math.min(...endpoints.map(({ answerBytes }) => answerBytes));
  for (const [index, source] of SOURCES.entries()) {
    const { found, givenUp, gaps } = readers[index]!;
    const expected = chain.blocks.flatMap((block) => {
      const anchors = block.logs.filter(
        ({ address, topics }) => address === source.address && topics[0] === source.anchor,
      );
      if (sizeOf(anchors) > bound && gaps.has(block.number)) return [];
      return anchors
        .filter(({ topics: [, key], transactionHash }) => {
          if (isSilent(tokenOf(key!))) return false;
          return isReadable(block, source, transactionHash, bound) || !givenUp.has(transactionHash);
        })
        .map(({ transactionHash, logIndex }) => `${transactionHash}/${Number(logIndex)}`);
    });
    if ([...found].sort().join() !== expected.sort().join())
      throw new Error(`CHAIN_SEED=${seed}: source ${index} has ${found.size} of ${expected.length} launches`);
  }
  const calls = pair.reduce(
    (sum, { asked }) =>
      sum + ['eth_chainId', 'eth_getBlockByNumber', 'eth_getLogs'].reduce((all, one) => all + (asked.get(one) ?? 0), 0),
    0,
  );
  const most = MAX_CALLS_PER_BLOCK * BLOCKS + MAX_CALLS_PER_RANGE * ranges + headers;
  if (isWell && calls > most) throw new Error(`CHAIN_SEED=${seed}: ${calls} questions, ${most} at most`);
  return readers.reduce((sum, { found }) => sum + found.size, 0);
}

describe('readers of a hostile chain', () => {
  it('reach the head, lose no launch, and stay within the request bounds', async () => {
    let launches = 0;
    for (let run = 0; run < RUNS; run += 1) launches += await simulate(FIRST_SEED + run);
    expect(launches).toBeGreaterThan(0);
  });
});
