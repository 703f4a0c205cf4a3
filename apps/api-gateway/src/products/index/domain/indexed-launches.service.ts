import { Inject, Injectable } from '@nestjs/common';
import {
  INDEXED_LAUNCH_SCHEMA,
  INDEXED_LAUNCHES_PATH,
  INDEXED_LAUNCHES_SCHEMA,
  siteLaunchRecord,
  type IndexedChain,
  type IndexedLaunch,
  type LaunchRecord,
  type PublishedLaunch,
  type PublishedSource,
} from '@launch/contracts/index';
import type { Address } from '@launch/contracts/primitives';
import { CursorCodec, type CursorScope } from '@launch/http';
import { PageCache } from '../../../core/feeds/page-cache.js';
import { CoinAxesService } from './coin-axes.service.js';
import type { IndexedLaunchesQuery } from './coin-queries.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { IndexStateService, notCurrent, type Freshness } from './index-state.service.js';

type Filter = Pick<IndexedLaunchesQuery, 'chainId' | 'sourceKind'>;

/** A list over the admitted launches: its path, the schema versions of its pages and records, and the form of a record. */
export interface LaunchList<Page extends string, Launch extends string> {
  readonly path: string;
  readonly page: Page;
  readonly launch: Launch;
  readonly shown: (record: LaunchRecord) => LaunchRecord;
}

const INDEXED = {
  path: INDEXED_LAUNCHES_PATH,
  page: INDEXED_LAUNCHES_SCHEMA,
  launch: INDEXED_LAUNCH_SCHEMA,
  shown: siteLaunchRecord,
} as const satisfies LaunchList<string, string>;

/** Returns the scope of a cursor: it is valid for its own list and filter. */
const scopeOf = (path: string, { chainId, sourceKind }: Filter): CursorScope => ({
  route: `GET ${path}?chainId=${chainId ?? ''}&sourceKind=${sourceKind ?? ''}`,
  reader: null,
});

const isOf =
  ({ chainId, sourceKind }: Filter) =>
  ({ document }: PublishedSource): boolean =>
    (chainId === undefined || document.chainId === chainId) &&
    (sourceKind === undefined || document.sourceVersion === sourceKind);

/** Serves normalized records of finalized launches. The records of a full page never change: numbers follow the order of commits (docs/reference/index-reads.md#normalized-records). */
@Injectable()
export class IndexedLaunchesService {
  private readonly pages = new PageCache();

  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'admitted' | 'coin'>,
    private readonly index: IndexStateService,
    @Inject(CoinAxesService) private readonly axes: Pick<CoinAxesService, 'assess'>,
    private readonly cursors: CursorCodec,
  ) {}

  /** Returns a page as canonical JSON. */
  async list(
    query: IndexedLaunchesQuery,
    { path, page: schemaVersion, shown }: LaunchList<string, string> = INDEXED,
  ): Promise<Uint8Array> {
    const scope = scopeOf(path, query);
    const after = query.cursor === undefined ? '0' : (this.cursors.decode(scope, query.cursor)[0] ?? '0');
    return this.pages.bytesOf({
      name: `${scope.route}/${query.limit}/${after}`,
      version: async () => {
        const { sources, version } = await this.index.state();
        return `${version} ${this.freshness(sources, query).status}`;
      },
      read: async () => {
        const { chainId = null, sourceKind = null } = query;
        const rows = await this.rows.admitted(after, { chainId, sourceKind }, query.limit);
        const page = rows.slice(0, query.limit);
        const last = rows.length > query.limit ? page.at(-1)?.sequence : undefined;
        // Read after the items, so that it applies to all of them.
        const { sources } = await this.index.state();
        const body = {
          schemaVersion,
          items: page.map(({ record }) => shown(record)),
          nextCursor: typeof last === 'string' ? this.cursors.encode(scope, [last]) : null,
          ...this.freshness(sources, query),
        };
        return { body };
      },
    });
  }

  /**
   * Returns the finalized launch of a coin.
   * @throws ApiError `NOT_FOUND` while every source of the chain is current; `INDEX_NOT_CURRENT` while absence is not
   * proven.
   */
  async launch(chainId: IndexedChain, token: Address): Promise<IndexedLaunch> {
    const { row, sources } = await this.finalized(chainId, token);
    const { launch: schemaVersion } = INDEXED;
    return { schemaVersion, launch: siteLaunchRecord(row.record), ...(await this.axes.assess(row, sources)) };
  }

  /** Returns its record alone, under the schema version of another list. */
  async launchOf<Launch extends string>(
    { launch: schemaVersion, shown }: LaunchList<string, Launch>,
    chainId: IndexedChain,
    token: Address,
  ): Promise<{ schemaVersion: Launch; launch: LaunchRecord }> {
    const { row } = await this.finalized(chainId, token);
    return { schemaVersion, launch: shown(row.record) };
  }

  private async finalized(
    chainId: IndexedChain,
    token: Address,
  ): Promise<{ readonly row: PublishedLaunch; readonly sources: readonly PublishedSource[] }> {
    // Read before the row: a missing coin is then absent up to these checkpoints.
    const { sources } = await this.index.state();
    const row = await this.rows.coin(chainId, token);
    if (row !== null && row.sequence !== null) return { row, sources };
    throw row === null ? this.index.missing(sources.filter(isOf({ chainId }))) : notCurrent();
  }

  private freshness(sources: readonly PublishedSource[], filter: Filter): Freshness {
    return this.index.freshness(sources.filter(isOf(filter)));
  }
}
