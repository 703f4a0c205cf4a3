import { STALLED_AFTER_SECONDS } from '@launch/contracts/index';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { IndexerDatabase } from '@launch/prisma-indexer';

/** Consecutive refusals of one place above which the fault is not temporary. */
const REFUSED_REPEATEDLY = 5;
/** States in which a source is not expected to advance; `stopped` is reported separately. */
const AT_REST = ['ended', 'stopped', 'unsupported'];

interface SourceFaults {
  readonly stopped: readonly string[];
  readonly stalled: readonly string[];
  readonly refused: readonly string[];
  readonly unread: readonly string[];
}
const NONE: SourceFaults = { stopped: [], stalled: [], refused: [], unread: [] };

const said = (what: string, names: readonly string[]): string | null =>
  names.length === 0 ? null : `${what}: ${names.join(', ')}`;

/** Reports faults of the index from the database's rows, so that every worker reports the same. */
export class IndexReadiness {
  #faults = NONE;

  constructor(
    private readonly database: Pick<IndexerDatabase, 'source' | 'hold'>,
    private readonly refusalsOf: (releaseDigest: Sha256Digest) => number,
    private readonly now: () => number = Date.now,
  ) {}

  /** Reads the rows. @throws Error without a database. */
  async read(): Promise<void> {
    const since = this.now() - STALLED_AFTER_SECONDS * 1_000;
    const [sources, unread] = await Promise.all([
      this.database.source.findMany({
        select: { releaseDigest: true, sourceVersion: true, address: true, state: true, progressedAt: true },
        orderBy: { releaseDigest: 'asc' },
      }),
      this.database.hold.groupBy({
        by: ['releaseDigest'],
        where: { cause: 'index', subject: 'launches', transactionHash: '' },
        _count: true,
      }),
    ]);
    const nameOf = new Map(sources.map((one) => [one.releaseDigest, `${one.sourceVersion} ${one.address}`]));
    const named = (some: typeof sources): readonly string[] =>
      some.map(({ releaseDigest }) => nameOf.get(releaseDigest) ?? releaseDigest);
    this.#faults = {
      stopped: named(sources.filter(({ state }) => state === 'stopped')),
      stalled: named(
        sources.filter(({ state, progressedAt }) => !AT_REST.includes(state) && progressedAt.getTime() < since),
      ),
      refused: named(
        sources.filter(({ releaseDigest }) => this.refusalsOf(releaseDigest as Sha256Digest) >= REFUSED_REPEATEDLY),
      ),
      unread: unread.map(
        ({ releaseDigest, _count: count }) => `${count} of ${nameOf.get(releaseDigest) ?? releaseDigest}`,
      ),
    };
  }

  /** Returns the degradations of the indexer. The other sources and all reads are unaffected. */
  readonly degradations = {
    sources: (): string | null => said('stopped', this.#faults.stopped),
    stalled: (): string | null => said(`no progress for more than ${STALLED_AFTER_SECONDS} s`, this.#faults.stalled),
    refused: (): string | null => said('refused repeatedly', this.#faults.refused),
    unread: (): string | null => said('blocks that could not be read', this.#faults.unread),
  };
}
