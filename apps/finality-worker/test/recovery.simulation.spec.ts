import { describe, expect, it } from '@jest/globals';
import { encodeEventTopics, keccak256, toHex, type Hex } from 'viem';
import { ChainError, quantity, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { FoundStamp, RecoveryBlock } from '@launch/contracts/orchestration';
import { ROUTER_V2_ABI } from '@launch/evm';
import {
  searchRound,
  type RecoverySteps,
} from '../../../libs/workflows/src/recover-launches/recover-launches.logic.js';
import type { CheckpointRepository } from '../src/recovery/checkpoint.repository.js';
import { readFinalizedHead, searchStamps, type RecoveryDependencies } from '../src/recovery/search-stamps.service.js';

/**
 * Simulates the recovery over a modelled chain 4663. Launches are handed off and sent without a hint. One of both
 * observers at a time is faulty, endpoints bound their queries, and the recovery dies before or after any of its steps.
 * A failing run names its seed; RECOVERY_SEED=<seed> runs that seed alone, RECOVERY_RUNS=<n> runs that many from it (or
 * from 1) on.
 */
const FIRST_SEED = Number(process.env['RECOVERY_SEED'] ?? 1);
const RUNS = Number(process.env['RECOVERY_RUNS'] ?? (process.env['RECOVERY_SEED'] === undefined ? 50 : 1));
const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);
const ROUTER: Hex = `0x${'2'.repeat(40)}`;
const STAMPED = encodeEventTopics({ abi: ROUTER_V2_ABI, eventName: 'MultiRoleLaunchStampedV2' })[0] as Hex;
const ROUNDS = 60;
/** Rounds on healthy observers and services within which everything must be found. */
const HEALTHY_ROUNDS = 60;
const FAULTS = ['silent', 'hiding', 'inventing', 'lagging', 'forked', 'empty'] as const;

const word = (text: string): Hex => keccak256(toHex(text));

interface Launch {
  readonly id: Hex;
  readonly hash: Hex;
  readonly simulatedAt: bigint;
  /** Block of its stamp; null until it is sent. */
  stampedAt: bigint | null;
  found: boolean;
}

class Recovered {
  private state: number;
  readonly launches: Launch[] = [];
  private head = 20n;
  private finalized = 10n;
  private checkpoint: RecoveryBlock | null = null;
  private bad: { readonly side: 0 | 1; readonly fault: (typeof FAULTS)[number] } | null = null;
  private isFrail = true;
  private readonly accepts: bigint;
  private readonly deps: RecoveryDependencies;
  private readonly l2: ObserverPair = [this.observer(0), this.observer(1)];

  constructor(readonly seed: number) {
    this.state = seed;
    this.accepts = [12n, 100n, 1_000n][this.below(3)] as bigint;
    const checkpoints: CheckpointRepository = {
      find: async () => this.checkpoint,
      move: async (_router, before, through) => {
        if (through !== null && this.checkpoint?.blockHash === before?.blockHash) this.checkpoint = through;
      },
    };
    this.deps = {
      l2: this.l2,
      checkpoints,
      stampSearch: { rangeBlocks: 200n, queries: 12, stamps: 8 },
      recoveryPollMs: 1,
    };
  }

  private below(limit: number): number {
    this.state = (Math.imul(this.state ^ (this.state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((this.state ^ (this.state >>> 13)) >>> 0) % limit;
  }

  /** Applies the events between two rounds, or many more while every service is down. */
  live(events: number): void {
    for (let event = 0; event < events; event++) {
      this.head += BigInt(1 + this.below(30));
      const lag = BigInt(5 + this.below(40));
      if (this.head - lag > this.finalized) this.finalized = this.head - lag;
      if (this.below(4) === 0)
        this.launches.push({
          id: word(`${this.seed} ${this.launches.length}`),
          hash: word(`sent ${this.seed} ${this.launches.length}`),
          simulatedAt: this.head - BigInt(this.below(10)),
          stampedAt: null,
          found: false,
        });
      for (const launch of this.launches)
        if (launch.stampedAt === null && this.below(5) === 0) launch.stampedAt = this.head + 1n;
      // A reorganisation moves what is not finalized to a later block.
      if (this.below(6) === 0)
        for (const launch of this.launches)
          if (launch.stampedAt !== null && launch.stampedAt > this.finalized && launch.stampedAt <= this.head)
            launch.stampedAt = this.head + 1n;
      this.head += 1n;
    }
    if (this.below(5) === 0)
      this.bad =
        this.below(3) === 0
          ? null
          : { side: this.below(2) as 0 | 1, fault: FAULTS[this.below(FAULTS.length)] ?? 'silent' };
  }

  heal(): void {
    this.bad = null;
    this.isFrail = false;
    // Everything that was sent becomes final.
    this.head += 100n;
    this.finalized = this.head;
  }

  get missing(): readonly Launch[] {
    return this.launches.filter(({ stampedAt, found }) => stampedAt !== null && stampedAt <= this.finalized && !found);
  }

  /** Runs some rounds of the workflow, which may die. */
  async round(): Promise<void> {
    const steps = this.steps();
    try {
      for (let left = 1 + this.below(3); left > 0 && (await searchRound(steps)) === 0; left -= 1);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
    }
    const passed = this.missing.find(
      ({ stampedAt }) =>
        stampedAt !== null && this.checkpoint !== null && stampedAt <= BigInt(this.checkpoint.blockNumber),
    );
    if (passed !== undefined)
      throw new Error(
        `the checkpoint ${String(this.checkpoint?.blockNumber)} passed a stamp in ${String(passed.stampedAt)} that was never reported`,
      );
  }

  private steps(): RecoverySteps {
    const frail = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.isFrail && this.below(12) === 0) throw new Died();
      const done = await work();
      if (this.isFrail && this.below(12) === 0) throw new Died();
      return done;
    };
    return {
      finality: {
        finalizedHead: () => frail(() => readFinalizedHead(this.deps)),
        scanStamps: (input) => frail(() => searchStamps(this.deps, input)),
        commitCheckpoint: ({ router, before, through }) =>
          frail(() => this.deps.checkpoints.move(router, before, through, new Date(0))),
      },
      gateway: {
        recoveryTargets: () => frail(async () => [{ router: ROUTER, fromBlock: this.firstOpen() }]),
        resolveStamps: ({ stamps }) => frail(async () => ({ woken: this.resolve(stamps) })),
        recordRecovery: () => frail(async () => undefined),
      },
    };
  }

  private firstOpen(): string | null {
    const open = this.launches.filter(({ found }) => !found).map(({ simulatedAt }) => simulatedAt);
    return open.length === 0 ? null : open.reduce((a, b) => (a < b ? a : b)).toString();
  }

  private resolve(stamps: readonly FoundStamp[]): number {
    let woken = 0;
    for (const { onchainLaunchId, transactionHash } of stamps) {
      const launch = this.launches.find(({ id }) => id === onchainLaunchId);
      if (launch === undefined) throw new Error('a stamp that only one observer can have shown');
      expect(transactionHash).toBe(launch.hash);
      launch.found = true;
      woken += 1;
    }
    return woken;
  }

  private observer(side: 0 | 1): RpcObserver {
    const id = side === 0 ? 'a' : 'b';
    return {
      id,
      chainId: 4663,
      originCommitment: '0x',
      request: async (method, [first]) => {
        const fault = this.bad?.side === side ? this.bad.fault : null;
        if (fault === 'silent') throw new ChainError('RPC_TIMEOUT', { observer: id, method });
        if (method === 'eth_getBlockByNumber') {
          if (fault === 'empty') return null;
          const finalized = fault === 'lagging' && this.finalized > 60n ? this.finalized - 60n : this.finalized;
          const number = first === 'finalized' ? finalized : BigInt(first as string);
          const chain = fault === 'forked' ? 'fork' : 'chain';
          return {
            number: quantity(number),
            hash: word(`${chain} ${number}`),
            parentHash: word(`${chain} ${number - 1n}`),
            timestamp: '0x1',
          };
        }
        const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
        const [from, to] = [BigInt(fromBlock), BigInt(toBlock)];
        if (to - from + 1n > this.accepts)
          throw new ChainError('RPC_REFUSED', { observer: id, method, rpcCode: -32005, rpcMessage: 'range' });
        return fault === 'empty' ? [] : this.logs(from, to, fault);
      },
    };
  }

  private logs(from: bigint, to: bigint, fault: (typeof FAULTS)[number] | null): object[] {
    const stamped = this.launches.filter(({ stampedAt }) => stampedAt !== null && stampedAt >= from && stampedAt <= to);
    const shown = fault === 'hiding' ? stamped.slice(1) : stamped;
    const log = (id: Hex, hash: Hex, at: bigint, index: number): object => ({
      address: ROUTER,
      topics: [STAMPED, id],
      data: '0x',
      blockNumber: quantity(at),
      blockHash: word(`${fault === 'forked' ? 'fork' : 'chain'} ${at}`),
      transactionHash: hash,
      logIndex: quantity(BigInt(index)),
    });
    return [
      ...shown.map(({ id, hash, stampedAt }, index) => log(id, hash, stampedAt ?? 0n, index)),
      ...(fault === 'inventing' ? [log(word('nobody'), word('nothing'), to, 99)] : []),
    ];
  }
}

class Died extends Error {}

async function simulate(seed: number): Promise<number> {
  const run = new Recovered(seed);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      // From time to time no service runs for long; it does not matter which.
      run.live(round % 13 === 12 ? 40 : 1);
      await run.round();
    }
    run.heal();
    for (let round = 0; round < HEALTHY_ROUNDS && run.missing.length > 0; round++) await run.round();
    if (run.missing.length > 0)
      throw new Error(`${run.missing.length} of ${run.launches.length} launches were never found`);
  } catch (error) {
    throw new Error(`seed ${seed} (RECOVERY_SEED=${seed}): ${String(error)}`, { cause: error });
  }
  return run.launches.filter(({ found }) => found).length;
}

describe('The recovery over a modelled chain', () => {
  it(`passes no unreported stamp, and finds every launch in the end (${RUNS} runs from seed ${FIRST_SEED})`, async () => {
    let found = 0;
    for (const seed of seeds) found += await simulate(seed);
    expect(found).toBeGreaterThan(10 * seeds.length);
  });
});
