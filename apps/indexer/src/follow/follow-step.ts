import type { ObserverPair } from '@launch/chain';
import { narrower, wider } from '@launch/chain/sources';
import type { IndexState } from '@launch/contracts';
import { adapterOf, type SourceAdapter } from '@launch/evm/sources';
import type { ChainHeads, ChainView, Place } from '../chain/chain-heads.js';
import type { CommitRepository, Committed } from '../rows/commit.repository.js';
import type { KnownPools } from '../rows/swap-rows.js';
import type { KeptCheckpoint, SourceRepository, SourceRow } from '../rows/source.repository.js';
import { commonCheckpoint } from './common-checkpoint.js';
import type { RangeRead, SourceRange } from './read-range.js';

/** What one step came to. */
export interface StepOutcome {
  readonly state: IndexState;
  /** Null where nothing is in the way. */
  readonly reason: string | null;
  /** Whether there is more to do at once. */
  readonly isBusy: boolean;
  readonly finalizedHead: bigint | null;
  /** Every final block is checkpointed. */
  readonly isCurrent: boolean;
}

export interface IndexedChain {
  readonly pair: ObserverPair;
  readonly heads: ChainHeads;
}

export interface StepParts {
  readonly chainOf: (chainId: number) => IndexedChain;
  readonly sources: SourceRepository;
  readonly commits: CommitRepository;
  readonly pools: Pick<KnownPools, 'of'>;
  /** Reads and judges a range of blocks. */
  readonly readRange: (pair: ObserverPair, range: SourceRange) => Promise<RangeRead>;
  /** Blocks of a range at most. */
  readonly rangeBlocks: bigint;
}

/** What a run of steps of one source keeps in memory; all else is in the database. */
export interface StepMemory {
  range: bigint;
  /** Head and final block under which the last checkpoint was found in the chain. */
  checkedAt: string | null;
}

const FIRST_RANGE = 256n;
export const newStepMemory = ({ rangeBlocks }: Pick<StepParts, 'rangeBlocks'>): StepMemory => ({
  range: rangeBlocks < FIRST_RANGE ? rangeBlocks : FIRST_RANGE,
  checkedAt: null,
});

const least = (...numbers: readonly bigint[]): bigint => numbers.reduce((a, b) => (a < b ? a : b));

/**
 * What moves a source on: a rollback, or the admission of what became final and a range of blocks. Admission alone would be all
 * that a source comes to where blocks become final as fast as steps are taken.
 */
export async function followStep(parts: StepParts, row: SourceRow, memory: StepMemory): Promise<StepOutcome> {
  const { source } = row;
  const adapter = adapterOf(source.sourceVersion);
  if (adapter === null)
    return { ...ended('unsupported'), reason: `no adapter for source version ${source.sourceVersion}` };
  const chain = parts.chainOf(source.chainId);
  const view = await chain.heads.view();
  if ('kind' in view) return waiting(view.reason, null);
  return new Step(parts, chain, adapter, row, memory, view).run();
}

const ended = (state: IndexState): StepOutcome => ({
  state,
  reason: null,
  isBusy: false,
  finalizedHead: null,
  isCurrent: false,
});
const waiting = (reason: string, view: ChainView | null): StepOutcome => ({
  ...ended('waiting'),
  reason,
  finalizedHead: view?.final?.number ?? null,
});

class Step {
  readonly #pair;
  readonly #digest;
  /** The last block whose launches are admitted. */
  #checkpoint: bigint | null;

  constructor(
    private readonly parts: StepParts,
    chain: IndexedChain,
    private readonly adapter: SourceAdapter,
    private readonly row: SourceRow,
    private readonly memory: StepMemory,
    private readonly view: ChainView,
  ) {
    this.#pair = chain.pair;
    this.#digest = row.releaseDigest;
    this.#checkpoint = row.checkpoint;
  }

  async run(): Promise<StepOutcome> {
    const { row, view, memory } = this;
    // A final block that is new says nothing of what was read before it was known: the head may be an answer from before.
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
    return (await this.#rescanned()) ?? (await this.#extended()) ?? (await this.#caughtUp());
  }

  #moved(state: IndexState = this.row.state): StepOutcome {
    // What a step of progress shows is where it goes on, never the trouble before it.
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
    return this.#moved();
  }

  /**
   * Numbers what has become final. The last block that was read is in the chain, so all below it is.
   * @returns `elsewhere` where another worker has moved the source meanwhile.
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

  async #rescanned(): Promise<StepOutcome | null> {
    const { rescan } = this.row;
    if (rescan === null) return null;
    const to = least(rescan.next + this.memory.range - 1n, rescan.last);
    const read = await this.#read(rescan.next, to);
    if (read.kind === 'incomplete') return this.#refused(read);
    this.#answered();
    const again = { releaseDigest: this.#digest, through: to, ...rowsOf(read) };
    return this.#written(await this.parts.commits.commitAgain(again));
  }

  /**
   * Reads up to the final block, and on towards the head. Two ranges, since what is above the final block may be refused for long
   * and holds up nothing below it; one step, since where blocks become final as fast as steps are taken none would get further.
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
    return reached === null ? outcome : (await this.#readOn(reached, reached.number + 1n, to)).outcome;
  }

  /** @returns beside the outcome the place that was reached; null where nothing was written. */
  async #readOn(
    after: Place | null,
    from: bigint,
    to: bigint,
  ): Promise<{ reached: Place | null; outcome: StepOutcome }> {
    const { view, memory } = this;
    const last = this.#lastBlock();
    const read = await this.#read(from, to);
    if (read.kind === 'incomplete') return { reached: null, outcome: this.#refused(read) };
    if (after !== null && after.hash !== read.first.parentHash) {
      memory.checkedAt = null;
      const reason = `block ${from}: does not follow the one before`;
      return { reached: null, outcome: { ...waiting(reason, view), isBusy: true } };
    }
    this.#answered();
    const through = { number: read.last.number, hash: read.last.hash };
    const isFinal = view.final !== null && to <= view.final.number;
    const range = { releaseDigest: this.#digest, after, through, isFinal, ...rowsOf(read) };
    const committed = await this.parts.commits.commit(range);
    if (committed.kind !== 'written') return { reached: null, outcome: this.#written(committed) };
    if (isFinal) this.#checkpoint = to;
    // At the head nothing is left until the next look: another step would ask all of it once more.
    return { reached: through, outcome: to < last ? this.#moved('backfilling') : await this.#caughtUp() };
  }

  /** A coin that another source holds in a block that is not final is waited for: it is final soon, or gone. */
  #written(committed: Committed): StepOutcome {
    return committed.kind === 'contested' ? waiting(committed.reason, this.view) : this.#moved();
  }

  async #read(from: bigint, to: bigint): Promise<RangeRead> {
    const { source } = this.row;
    const pools = await this.parts.pools.of(this.#digest);
    return this.parts.readRange(this.view.pair, { source, adapter: this.adapter, from, to, pools });
  }

  /** After an answer the next question is larger again. */
  #answered(): void {
    this.memory.range = wider(this.memory.range, this.parts.rangeBlocks);
  }

  /** Incomplete moves nothing; asked for too much, the next question is smaller. */
  #refused({ reason, isTooMuch }: Extract<RangeRead, { kind: 'incomplete' }>): StepOutcome {
    const { memory, view } = this;
    const smaller = narrower(memory.range, 1n);
    const isBusy = isTooMuch && smaller < memory.range;
    if (isTooMuch) memory.range = smaller;
    return { ...waiting(reason, view), isBusy };
  }

  /** Launches that are not final show how far they have come, and go back where their batch falls out of Ethereum. */
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
      return { ...ended('ended'), finalizedHead: final, isCurrent: true };
    if (view.finalReason !== null) return waiting(view.finalReason, view);
    return { ...ended('following'), finalizedHead: final, isCurrent };
  }

  #lastBlock(): bigint {
    const { endBlock } = this.row.source;
    return endBlock === null ? this.view.head.number : least(this.view.head.number, BigInt(endBlock));
  }
}

const rowsOf = ({ launches, quarantine, swaps }: Extract<RangeRead, { kind: 'read' }>) => ({
  launches,
  quarantine,
  swaps,
});
