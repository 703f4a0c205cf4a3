import { describe, expect, it } from '@jest/globals';
import type { IndexSource } from '@launch/contracts/index';
import { sourceReleaseDigest } from '@launch/evm/sources';
import { seededRandom } from '../../../libs/chain/src/finality/simulation/fixtures/random.js';
import { sizeOf } from '../../../libs/chain/src/sources/fixtures/hostile-chain.fixture.js';
import { followStep, type StepParts } from '../src/follow/follow-step.js';
import { readRange } from '../src/follow/read-range.js';
import { newStepMemory, type StepMemory } from '../src/follow/step-memory.js';
import { HostileNetwork, hostileAdapter, kindOf, POOL_MANAGER } from './fixtures/hostile-network.fixture.js';
import { ModelledIndex } from './fixtures/modelled-index.fixture.js';

/**
 * Runs the index of several sources, from their steps down to the requests, over a hostile chain: 100,000 logs in a
 * block, saturated filters, receipts of 70 MiB, long words, hundreds of junk coins in a transaction, silent tokens,
 * forged events, launches within foreign calls. Its endpoints bound ranges and answers, accept no batches, and for a
 * while fail, lag and truncate lists. Another chain is read in parallel. A failing run names its seed;
 * INDEX_SEED=<seed> runs that seed alone, INDEX_RUNS=<n> runs that many from it (or from 1) on.
 */
const FIRST_SEED = Number(process.env['INDEX_SEED'] ?? 1);
const RUNS = Number(process.env['INDEX_RUNS'] ?? (process.env['INDEX_SEED'] === undefined ? 200 : 1));

/**
 * Maximum requests per block, of both healthy observers together and for all sources of the chain: its header, once for
 * its range and once as its end, its logs of the sources and of the pool managers, and the check that it is indexed.
 */
const MAX_CALLS_PER_BLOCK = 12;
/**
 * Maximum requests per step of a source besides the headers of its ranges: head, checkpoint, chain IDs, and the ranges'
 * logs.
 */
const MAX_CALLS_PER_STEP = 12;
/** Maximum steps with work of a source, for its blocks in all their parts and for rounds of faults. */
const MAX_STEPS = 200;
/** Additional steps per claimed launch: silent ones are tried four at a time, three times, and again as held ones. */
const MAX_STEPS_PER_CLAIM = 2;
/** Rounds of all sources together, including idle ones. */
const MAX_ROUNDS = 5_000;
/** Rounds in which endpoints have faults. */
const TROUBLED_ROUNDS = 24;
const ROUND_MS = 1_000;
const PATIENCE = { attempts: 3, forMs: 5_000 };
const RANGE_BLOCKS = 16n;

class Follower {
  readonly index: ModelledIndex;
  readonly memory: StepMemory;
  steps = 0;
  /** The number of steps with work. */
  stepsAtWork = 0;
  isAtHead = false;
  #wakesAt = 0;

  constructor(
    readonly network: HostileNetwork,
    readonly place: number,
    private readonly clock: { now: number },
  ) {
    const now = (): number => clock.now;
    this.index = new ModelledIndex({ releaseDigest: sourceReleaseDigest(this.source), source: this.source }, now);
    this.memory = newStepMemory({ rangeBlocks: RANGE_BLOCKS, patience: PATIENCE, now });
  }

  get source(): IndexSource {
    return this.network.sources[this.place]!;
  }

  async step(): Promise<void> {
    if (this.#wakesAt > this.clock.now) return;
    this.steps += 1;
    const isRetrying = (this.nextRetry ?? Number.POSITIVE_INFINITY) <= this.clock.now;
    const outcome = await followStep(this.#parts(), this.index.row(), this.memory);
    if (outcome.state === 'stopped' || outcome.state === 'unsupported')
      throw new Error(`the source stopped: ${outcome.reason}`);
    if (isRetrying || !outcome.isAtHead) this.stepsAtWork += 1;
    this.isAtHead = outcome.isAtHead;
    this.#wakesAt = this.clock.now + (outcome.isBusy ? 0 : Math.max(ROUND_MS, outcome.retryMs ?? 0));
  }

  #parts(): StepParts {
    const { network, index, place, clock } = this;
    const adapter = hostileAdapter(place);
    return {
      chainOf: () => network,
      sources: index.sources,
      commits: index.commits,
      holds: index.holds,
      // No known pool is ever traded in: all trades are in foreign pools.
      pools: { of: () => ({ managers: async () => [POOL_MANAGER], withIds: async () => [], newest: async () => [] }) },
      readRange: (reads, range) => readRange({ putAll: async () => undefined }, reads, { ...range, adapter }),
      rangeBlocks: RANGE_BLOCKS,
      patience: PATIENCE,
      now: () => clock.now,
    };
  }

  /** Checks whether it has read the whole chain, and has tried every held place again since a time. */
  isSettledSince(time: number): boolean {
    const { network, index, isAtHead } = this;
    const isTried = [...index.held.values()].every(({ triedAt }) => triedAt !== null && triedAt > time);
    return network.isGrown && isAtHead && index.checkpoint?.number === network.blocks.at(-1)!.number && isTried;
  }

  /** Returns the time when its next held place is due; null without one. */
  get nextRetry(): number | null {
    return this.index.row().nextRetryAt?.getTime() ?? null;
  }
}

/** @throws Error if a launch is lost or invented, or is left out without need. @returns launches in the index */
function judge({ network, place, index, source }: Follower): number {
  const claims = network.claimsOf(place);
  const claimed = new Set(claims.map(({ event }) => event));
  const numbered = new Map(index.rows.map(({ event, sequence }) => [event, sequence]));
  for (const event of [...numbered.keys(), ...index.quarantine.keys()])
    if (!claimed.has(event)) throw new Error(`${event} is no log of the source`);
  if (numbered.size !== index.rows.length) throw new Error('a launch is there twice');
  const holds = [...index.held.values()].filter(({ subject }) => subject === 'launches');
  for (const { block, log, event, token } of claims) {
    const kind = kindOf(token, network.silentPercent);
    const reason = index.quarantine.get(event)?.reason ?? null;
    const number = numbered.get(event);
    if (number !== undefined && reason !== null) throw new Error(`${event} is a launch and in quarantine`);
    const ofBlock = block.logs.filter(({ address }) => address === source.address);
    const ofTransaction = block.logs.filter(({ transactionHash }) => transactionHash === log.transactionHash);
    const isListed = sizeOf(ofBlock.filter(({ topics }) => topics[0] === log.topics[0])) <= network.bound;
    const isReadable =
      sizeOf(ofBlock) <= network.bound || sizeOf(ofTransaction, block.noise) <= Math.min(network.bound, 1024 * 1024);
    const isHeld = holds.some(
      ({ blockNumber, transactionHash }) =>
        blockNumber === block.number && (transactionHash === null || transactionHash === log.transactionHash),
    );
    const said = `${event} (${kind}, ${reason ?? number ?? 'nothing'})`;
    if (kind === 'launch' && isListed && isReadable && typeof number !== 'number')
      throw new Error(`${said} is no launch`);
    // A temporary refusal is the answer of a silent token, which is then judged like any other.
    if (kindOf(token, 0) !== 'launch' && number !== undefined) throw new Error(`${said} is a launch`);
    if (kind === 'junk' && isListed && isReadable && reason !== 'GETTER_MISMATCH')
      throw new Error(`${said} is not judged`);
    if (number === undefined && reason === null && (isListed || !isHeld)) throw new Error(`${said} is lost`);
    if (reason === 'EVIDENCE_UNREADABLE' && !isHeld) throw new Error(`${said} is not tried again`);
  }
  return numbered.size;
}

interface Settled {
  readonly launches: number;
  readonly steps: number;
  /** The content of the index when the faults ended, and its cost. */
  readonly untroubled: string;
}

const summaryOf = ({ asked }: HostileNetwork, followers: readonly Follower[]): string =>
  JSON.stringify([
    asked.map((methods) => [...methods].sort()),
    followers.map(({ steps, index: { rows, quarantine, held, position } }) => [
      steps,
      rows.map(({ event, sequence }) => [event, sequence]),
      [...quarantine.keys()],
      [...held.keys()],
      position?.hash,
    ]),
  ]);

/** Follows the sources of some networks in parallel until all of them are settled. */
async function settle(networks: readonly HostileNetwork[], clock: { now: number }): Promise<readonly Settled[]> {
  const groups = networks.map((network) => network.sources.map((_, place) => new Follower(network, place, clock)));
  const settled: (Settled | null)[] = networks.map(() => null);
  const untroubled = networks.map(() => '');
  let recoveredAt = Number.POSITIVE_INFINITY;
  for (let round = 0; settled.includes(null); round += 1) {
    if (round > MAX_ROUNDS) throw new Error(`it is not settled after ${MAX_ROUNDS} rounds`);
    for (const [at, network] of networks.entries()) {
      if (settled[at] !== null) continue;
      if (round < TROUBLED_ROUNDS) {
        network.grow();
        network.trouble();
      } else if (round === TROUBLED_ROUNDS) {
        recoveredAt = clock.now;
        untroubled[at] = summaryOf(network, groups[at]!);
        network.finish();
        network.recover();
      }
    }
    clock.now += ROUND_MS;
    const going = groups.filter((_, at) => settled[at] === null).flat();
    await Promise.all(going.map((follower) => follower.step()));
    for (const { stepsAtWork, network, place, index } of going)
      if (stepsAtWork > MAX_STEPS + MAX_STEPS_PER_CLAIM * network.claimsOf(place).length)
        throw new Error(
          `source ${place} of ${network.blocks.length} blocks is at ${index.position?.number} after ${stepsAtWork} steps`,
        );
    for (const [at, followers] of groups.entries()) {
      if (round < TROUBLED_ROUNDS || settled[at] !== null) continue;
      if (!followers.every((follower) => follower.isSettledSince(recoveredAt))) continue;
      const launches = followers.reduce((sum, follower) => sum + judge(follower), 0);
      const steps = followers.reduce((sum, follower) => sum + follower.steps, 0);
      settled[at] = { launches, steps, untroubled: untroubled[at]! };
    }
    // Held places back off ever longer: advance the clock to the next one.
    const next = going.flatMap((follower) => (follower.isAtHead ? (follower.nextRetry ?? []) : clock.now));
    if (round > TROUBLED_ROUNDS && next.length > 0) clock.now = Math.max(clock.now, Math.min(...next));
  }
  return settled as readonly Settled[];
}

async function simulate(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const isWell = random.chance(0.3);
  const clock = { now: 0 };
  const network = new HostileNetwork(random, { chainId: 4663, blocks: 14, sources: 2, isWell }, () => clock.now);
  const otherOf = (its: { now: number }): HostileNetwork =>
    new HostileNetwork(seededRandom(seed + 0x5eed), { chainId: 1, blocks: 5, sources: 1, isWell: true }, () => its.now);
  const other = otherOf(clock);
  const [here, there] = (await settle([network, other], clock)) as [Settled, Settled];
  const aloneClock = { now: 0 };
  const [alone] = await settle([otherOf(aloneClock)], aloneClock);
  if (there.untroubled !== alone!.untroubled)
    throw new Error('the source of the other chain behaved differently than alone');
  for (const [well, { steps }] of [[other, there], ...(isWell ? [[network, here] as const] : [])] as const) {
    const calls = well.askedFor((method) => method !== 'eth_call');
    const most = MAX_CALLS_PER_BLOCK * well.blocks.length + (MAX_CALLS_PER_STEP + Number(RANGE_BLOCKS)) * steps;
    if (calls > most) throw new Error(`${calls} questions of ${well.blocks.length} blocks in ${steps} steps`);
  }
  return here.launches + there.launches;
}

describe('The index of sources on a hostile chain', () => {
  it('reaches the head, loses and invents no launch, stays within the request bounds, and does not affect another chain', async () => {
    let launches = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const seed = FIRST_SEED + run;
      try {
        launches += await simulate(seed);
      } catch (error) {
        throw new Error(`INDEX_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
    // One chain may have no readable launch.
    expect(launches > 0 || RUNS < 100).toBe(true);
  });
});
