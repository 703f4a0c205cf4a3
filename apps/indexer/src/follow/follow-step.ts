import type { ObserverPair } from '@launch/chain';
import { narrower, wider, type RangeReads } from '@launch/chain/sources';
import type { IndexState } from '@launch/contracts/index';
import { adapterOf, type SourceAdapter } from '@launch/evm/sources';
import type { ChainHeads, ChainView, Place } from '../chain/chain-heads.js';
import type { HoldRepository } from '../holds/hold.repository.js';
import { retryHold } from '../holds/retry-hold.js';
import type { CommitRepository, Committed } from '../rows/commit.repository.js';
import type { KnownPools } from '../rows/known-pools.js';
import type { KeptCheckpoint, SourceRepository, SourceRow } from '../rows/source.repository.js';
import { commonCheckpoint } from './common-checkpoint.js';
import { NOTHING, partOf, type LeftOut } from './left-out.js';
import { eventKey, type RangeRead, type SourceRange } from './read-range.js';
import type { StepMemory } from './step-memory.js';
import type { Patience } from './troubles.js';

/** The outcome of one step. */
export interface StepOutcome {
  readonly state: IndexState;
  /** Null without a fault. */
  readonly reason: string | null;
  /** Whether the next step should follow at once. */
  readonly isBusy: boolean;
  readonly finalizedHead: bigint | null;
  /** Every final block is checkpointed. */
  readonly isCurrent: boolean;
  /** No block is left to read. */
  readonly isAtHead: boolean;
  /** Whether the chain's observers refused a request for blocks. */
  readonly isRefused: boolean;
  /** Milliseconds until the next step; null for the usual pause. */
  readonly retryMs: number | null;
}

export interface IndexedChain {
  readonly pair: ObserverPair;
  readonly heads: ChainHeads;
}

export interface StepParts {
  readonly chainOf: (chainId: number) => IndexedChain;
  readonly sources: SourceRepository;
  readonly commits: CommitRepository;
  readonly holds: Pick<HoldRepository, 'within' | 'due' | 'postpone'>;
  readonly pools: Pick<KnownPools, 'of'>;
  /** Reads and judges a range of blocks. */
  readonly readRange: (reads: RangeReads, range: SourceRange) => Promise<RangeRead>;
  /** Maximum blocks of a range. */
  readonly rangeBlocks: bigint;
  /** The time and the number of attempts for a place without an answer. */
  readonly patience: Patience;
  readonly now: () => number;
}

/** The number of blocks below the position in which a readable control block is searched. */
const CONTROLS = 256n;
/** Launches without a verdict that are counted at a time; the others follow once these are given up. */
const MAX_COUNTED = 256;

const least = (...numbers: readonly bigint[]): bigint => numbers.reduce((a, b) => (a < b ? a : b));

/**
 * Advances a source by one step: a rollback, or the admission of final blocks and the reading of a range. If a step did
 * only one of both, a source would never read further while blocks become final as fast as steps are taken.
 */
export async function followStep(parts: StepParts, row: SourceRow, memory: StepMemory): Promise<StepOutcome> {
  const { source } = row;
  const adapter = adapterOf(source.sourceVersion);
  if (adapter === null)
    return { ...ended('unsupported'), reason: `no adapter for source version ${source.sourceVersion}` };
  const chain = parts.chainOf(source.chainId);
  const view = await chain.heads.view();
  if ('kind' in view) return waiting(view.reason, null);
  return new Step(parts, adapter, row, memory, view).run();
}

const ended = (state: IndexState): StepOutcome => ({
  state,
  reason: null,
  isBusy: false,
  finalizedHead: null,
  isCurrent: false,
  isAtHead: false,
  isRefused: false,
  retryMs: null,
});
const waiting = (reason: string, view: ChainView | null): StepOutcome => ({
  ...ended('waiting'),
  reason,
  finalizedHead: view?.final?.number ?? null,
});

class Step {
  readonly #pair;
  readonly #digest;
  /** The last block with admitted launches. */
  #checkpoint: bigint | null;

  constructor(
    private readonly parts: StepParts,
    private readonly adapter: SourceAdapter,
    private readonly row: SourceRow,
    private readonly memory: StepMemory,
    private readonly view: ChainView,
  ) {
    this.#pair = view.reads.pair;
    this.#digest = row.releaseDigest;
    this.#checkpoint = row.checkpoint;
  }

  async run(): Promise<StepOutcome> {
    const { row, view, memory } = this;
    // A new final block does not confirm earlier reads: the head may be an older answer.
    const checkedAt = `${view.head.hash}/${view.final?.hash ?? ''}`;
    if (row.position !== null && memory.checkedAt !== checkedAt) {
      const kept = await this.parts.sources.checkpoints(this.#digest);
      const common = await commonCheckpoint(this.#pair, kept, view.head.number);
      if (common.kind === 'indeterminate') return waiting(common.reason, view);
      if (common.kind === 'final-replaced') return this.#stopped(common.checkpoint);
      if (common.isReplaced) return this.#rollBack(row.position, common.checkpoint);
      memory.checkedAt = checkedAt;
    }
    if ((await this.#admitted()) === 'elsewhere') return this.#moved();
    await this.#retried();
    return (await this.#rescanned()) ?? (await this.#extended()) ?? (await this.#caughtUp());
  }

  #moved(state: IndexState = this.row.state): StepOutcome {
    // A successful step publishes its next position, not the fault before it.
    const shown = state === 'waiting' || state === 'stopped' || state === 'unsupported' ? 'following' : state;
    return { ...ended(shown), isBusy: true, finalizedHead: this.view.final?.number ?? null };
  }

  #stopped({ number, hash }: KeptCheckpoint): StepOutcome {
    return {
      ...ended('stopped'),
      reason: `CHECKPOINT_REPLACED: block ${number} was final as ${hash}, and both observers have another one`,
    };
  }

  async #rollBack(position: Place, to: KeptCheckpoint | null): Promise<StepOutcome> {
    await this.parts.commits.rollBack(this.#digest, position, to);
    this.#forget();
    return this.#moved();
  }

  /**
   * Numbers the launches that became final. The last read block is in the chain, so every block below it is.
   * @returns `elsewhere` if another worker moved the source meanwhile.
   */
  async #admitted(): Promise<'elsewhere' | 'done'> {
    const { row, view } = this;
    const { position } = row;
    if (view.final === null || position === null || position.number > view.head.number) return 'done';
    const final = view.final.number < position.number ? view.final : position;
    if (this.#checkpoint !== null && final.number <= this.#checkpoint) return 'done';
    if (final.number < BigInt(row.source.startBlock)) return 'done';
    if (!(await this.parts.commits.admit(this.#digest, position, final))) return 'elsewhere';
    this.#checkpoint = final.number;
    return 'done';
  }

  /** Reads a due held place again, so that a place that was once unreadable is not lost. */
  async #retried(): Promise<void> {
    const { row, parts } = this;
    if (this.#checkpoint === null || row.nextRetryAt === null || row.nextRetryAt.getTime() > parts.now()) return;
    const hold = await parts.holds.due(this.#digest, this.#checkpoint);
    if (hold === null) return;
    const { blockNumber: block, transactionHash } = hold;
    const read = (leftOut: LeftOut, givenUp: ReadonlyMap<string, string>): Promise<RangeRead> =>
      this.#readPart(block, block, leftOut, transactionHash, givenUp);
    await retryHold({ ...parts, open: this.memory.heldOpen, read }, this.#digest, hold);
  }

  async #rescanned(): Promise<StepOutcome | null> {
    const { rescan } = this.row;
    if (rescan === null) return null;
    const to = least(rescan.next + this.memory.range - 1n, rescan.last);
    const read = await this.#read(rescan.next, to);
    if (read.kind === 'incomplete') return this.#refused(read, rescan.next, to);
    this.#answered(read);
    const again = { releaseDigest: this.#digest, through: read.last.number, ...rowsOf(read) };
    return this.#written(await this.parts.commits.commitAgain(again));
  }

  /**
   * Reads up to the final block, then towards the head. Two ranges, because blocks above the final one may be refused
   * for long and must not delay those below. One step, because otherwise no step would read above the final block while
   * blocks become final as fast as steps are taken.
   */
  async #extended(): Promise<StepOutcome | null> {
    const { row, view, memory } = this;
    const from = row.position === null ? BigInt(row.source.startBlock) : row.position.number + 1n;
    const last = this.#lastBlock();
    if (from > last) return null;
    const to = least(from + memory.range - 1n, last);
    if (view.final === null || view.final.number < from || view.final.number >= to)
      return (await this.#readOn(row.position, from, to)).outcome;
    const { reached, outcome } = await this.#readOn(row.position, from, view.final.number);
    if (reached === null || reached.number < view.final.number) return outcome;
    return (await this.#readOn(reached, reached.number + 1n, to)).outcome;
  }

  /** @returns the outcome and the place that was reached; null if nothing was written. */
  async #readOn(
    after: Place | null,
    from: bigint,
    to: bigint,
  ): Promise<{ reached: Place | null; outcome: StepOutcome }> {
    const { view } = this;
    const last = this.#lastBlock();
    const read = await this.#read(from, to);
    if (read.kind === 'incomplete') return { reached: null, outcome: await this.#refused(read, from, to) };
    if (after !== null && after.hash !== read.first.parentHash) {
      this.memory.checkedAt = null;
      this.#forget();
      const reason = `block ${from}: does not follow the one before`;
      return { reached: null, outcome: { ...waiting(reason, view), isBusy: true } };
    }
    const through = { number: read.last.number, hash: read.last.hash };
    const isFinal = view.final !== null && through.number <= view.final.number;
    const range = { releaseDigest: this.#digest, after, through, isFinal, ...rowsOf(read) };
    const committed = await this.parts.commits.commit(range);
    if (committed.kind !== 'written') return { reached: null, outcome: this.#written(committed) };
    this.#answered(read);
    if (isFinal) this.#checkpoint = through.number;
    // No block is left until the next poll; another step would repeat all requests.
    return { reached: through, outcome: through.number < last ? this.#moved('backfilling') : await this.#caughtUp() };
  }

  /**
   * Waits for a coin that another source holds in a block that is not final, since that block soon becomes final or is
   * dropped. A launch that waits too long is quarantined, and judged again once its own block is final.
   */
  #written(committed: Committed): StepOutcome {
    if (committed.kind !== 'contested') return this.#moved();
    const event = eventKey(committed.event.transactionHash, committed.event.logIndex);
    const { isOver, retryMs } = this.memory.troubles.failed(`contested/${event}`);
    if (isOver) this.memory.givenUp.set(event, committed.reason);
    return { ...waiting(committed.reason, this.view), isBusy: isOver, retryMs };
  }

  /** Reads a range up to the first block that is left out, or that block alone. */
  async #read(from: bigint, to: bigint): Promise<RangeRead> {
    const { row, memory, parts } = this;
    const holds = row.hasHolds ? await parts.holds.within(this.#digest, from, to) : [];
    const part = partOf(from, to, holds, memory.asides, memory.obstacle);
    return this.#readPart(from, part.to, part.leftOut, null);
  }

  async #readPart(
    from: bigint,
    to: bigint,
    leftOut: LeftOut,
    only: string | null,
    givenUp: ReadonlyMap<string, string> = this.memory.givenUp,
  ): Promise<RangeRead> {
    const { source } = this.row;
    const pools = this.parts.pools.of(this.#digest, source);
    const range = { source, adapter: this.adapter, from, to, leftOut, givenUp, only, pools };
    return this.parts.readRange(this.view.reads, range);
  }

  /** Widens the next range after an answer, and forgets the obstacle, which is written. */
  #answered({ last, isComplete }: Extract<RangeRead, { kind: 'read' }>): void {
    const { memory } = this;
    memory.range = wider(memory.range, this.parts.rangeBlocks);
    memory.troubles.answered();
    memory.givenUp.clear();
    for (const number of memory.asides.keys()) if (number <= last.number) memory.asides.delete(number);
    if (memory.obstacle !== null && memory.obstacle <= last.number) memory.obstacle = null;
    if (isComplete) memory.control = last.number;
  }

  /** Drops findings about replaced blocks. */
  #forget(): void {
    const { asides, givenUp, heldOpen } = this.memory;
    for (const kept of [asides, givenUp, heldOpen]) kept.clear();
    this.memory.obstacle = null;
  }

  /**
   * Handles an incomplete range, which changes no row and never blocks the source for long. After `too-much` the next
   * range is smaller, down to one block. After a place's patience, a launch without a verdict is quarantined and a
   * block without an answer is held.
   */
  async #refused(read: Extract<RangeRead, { kind: 'incomplete' }>, from: bigint, to: bigint): Promise<StepOutcome> {
    const { memory, view } = this;
    const { reason, cause, obstacle } = read;
    const outcome = { ...waiting(reason, view), isRefused: true };
    const narrow = (): void => {
      memory.range = narrower(least(memory.range, to - from + 1n), 1n);
    };
    if (cause === 'too-much' && from < to) {
      narrow();
      return { ...outcome, isBusy: true };
    }
    if (obstacle.events.length > 0) {
      const events = obstacle.events.slice(0, MAX_COUNTED);
      const counted = events.map((event) => ({ event, ...memory.troubles.failed(event) }));
      const over = counted.filter(({ isOver }) => isOver);
      for (const { event } of over) memory.givenUp.set(event, reason);
      return { ...outcome, isBusy: over.length > 0, retryMs: Math.max(...counted.map(({ retryMs }) => retryMs)) };
    }
    const block = obstacle.block ?? (from === to ? from : null);
    if (block === null) {
      const { attempts, retryMs } = memory.troubles.failed(`from ${from}`);
      // One refusal of many blocks may be temporary; a second one may be due to one block.
      if (attempts > 1) narrow();
      return { ...outcome, retryMs };
    }
    if (block > from) {
      memory.obstacle = block;
      return { ...outcome, isBusy: true };
    }
    const isTrades = obstacle.subject === 'trades';
    const { isOver, retryMs } = memory.troubles.failed(`${obstacle.subject} of ${block}`, isTrades ? 0 : undefined);
    // The launches of the same block are the control of its trades: they have been read.
    const isBlocks = isOver && (isTrades || (await this.#isControlRead()));
    if (isBlocks) memory.asides.set(block, { subject: obstacle.subject, reason });
    return { ...outcome, isBusy: isBlocks, retryMs };
  }

  /** Returns the newest earlier block that is not held, for a process that has read none itself. */
  async #earlierControl(): Promise<bigint | null> {
    const { position, source } = this.row;
    if (position === null) return null;
    const first = BigInt(source.startBlock);
    const from = position.number - CONTROLS > first ? position.number - CONTROLS : first;
    const held = new Set(
      (await this.parts.holds.within(this.#digest, from, position.number))
        .filter(({ transactionHash }) => transactionHash === null)
        .map(({ blockNumber }) => blockNumber),
    );
    for (let block = position.number; block >= from; block -= 1n) if (!held.has(block)) return block;
    return null;
  }

  /** Checks whether the observers still return the last read block; without one, the fault cannot be attributed. */
  async #isControlRead(): Promise<boolean> {
    const control = this.memory.control ?? (await this.#earlierControl());
    if (control === null) return true;
    const read = await this.#readPart(control, control, { ...NOTHING, trades: true }, null);
    // A launch without a verdict is that launch's fault: the block itself was returned.
    return read.kind === 'read' || read.obstacle.events.length > 0;
  }

  /** Marks launches that are not final as posted, or as unposted if their batch fell out of Ethereum. */
  async #posted(): Promise<void> {
    const { commits, chainOf } = this.parts;
    const { heads } = chainOf(this.row.source.chainId);
    const { lowestUnposted, highestPosted } = await commits.openPostings(this.#digest);
    if (highestPosted !== null && (await heads.postingOf(highestPosted)).kind === 'absent')
      await commits.markUnposted(this.#digest, highestPosted.number);
    if (lowestUnposted === null) return;
    const posting = await heads.postingOf(lowestUnposted);
    if (posting.kind === 'posted') await commits.markPosted(this.#digest, posting.through);
  }

  async #caughtUp(): Promise<StepOutcome> {
    await this.#posted();
    const { row, view } = this;
    const final = view.final?.number ?? null;
    const last = this.#lastBlock();
    const checkpoint = this.#checkpoint;
    const isCurrent = final !== null && checkpoint !== null && checkpoint >= least(final, last);
    const { endBlock } = row.source;
    if (endBlock !== null && checkpoint !== null && checkpoint >= BigInt(endBlock))
      return { ...ended('ended'), finalizedHead: final, isCurrent: true, isAtHead: true };
    this.memory.troubles.atHead();
    if (view.finalReason !== null) return waiting(view.finalReason, view);
    return { ...ended('following'), finalizedHead: final, isCurrent, isAtHead: true };
  }

  #lastBlock(): bigint {
    const { endBlock } = this.row.source;
    return endBlock === null ? this.view.head.number : least(this.view.head.number, BigInt(endBlock));
  }
}

const rowsOf = ({ launches, quarantine, swaps, holds }: Extract<RangeRead, { kind: 'read' }>) => ({
  launches,
  quarantine,
  swaps,
  holds,
});
