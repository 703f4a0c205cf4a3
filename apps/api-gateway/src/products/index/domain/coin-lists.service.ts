import { Inject, Injectable } from '@nestjs/common';
import {
  FOUNDATION_GRAPH_KIND,
  MODE_OF_SOURCE,
  PRESENTATION_LINKS,
  PROFILE_PAGE_SIZE,
  type ChainPresentation,
  type ExploreItem,
  type LaunchRecord,
  type Market,
  type PublishedLaunch,
} from '@launch/contracts/index';
import { addressOf, checksummed } from '@launch/contracts/primitives';
import { PageCache } from '../../../core/feeds/page-cache.js';
import { CoinAxesService } from './coin-axes.service.js';
import { CoinLabelService } from './coin-label.service.js';
import type { ExploreQuery, PresentationQuery, ProfileQuery } from './coin-queries.js';
import { CoinListRepository, type CoinFilter } from '../data/coin-list.repository.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';
import { MarketService } from './market.service.js';

/** Returns the mode of a coin. A coin that a router stamped as a Foundation graph is a module coin. */
const modeOf = ({ sourceKind, launchKind }: LaunchRecord): ExploreItem['mode'] =>
  launchKind === FOUNDATION_GRAPH_KIND ? 'module' : MODE_OF_SOURCE[sourceKind];

function itemOf(
  { record, metadata, finality_stage }: PublishedLaunch,
  label: ExploreItem['label'],
  market: Market,
): ExploreItem {
  const { chainId, name, symbol, sourceKind, factoryVersion, moduleFamilyIds, poolId, launchedAt } = record;
  return {
    chainId,
    tokenAddress: checksummed(record.tokenAddress),
    name,
    symbol,
    mode: modeOf(record),
    sourceKind,
    factoryVersion,
    moduleFamilyIds,
    creator: checksummed(record.creator),
    poolId,
    launchedAt,
    finalityStage: finality_stage,
    label,
    imageUrl: metadata.imageUrl,
    market,
  };
}

/** Lists coins of every source for the site, the provisional layer included (docs/reference/index-reads.md#lists-of-the-site). */
@Injectable()
export class CoinListsService {
  private readonly pages = new PageCache();

  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'coin'>,
    @Inject(CoinListRepository) private readonly lists: Pick<CoinListRepository, 'page'>,
    private readonly index: IndexStateService,
    @Inject(CoinLabelService) private readonly labels: Pick<CoinLabelService, 'version' | 'labelsOf'>,
    @Inject(CoinAxesService) private readonly axes: Pick<CoinAxesService, 'assess'>,
    @Inject(MarketService) private readonly markets: Pick<MarketService, 'of'>,
  ) {}

  /** Returns a page of the listing as canonical JSON. */
  explore({ mode, page, pageSize, q, sort }: ExploreQuery): Promise<Uint8Array> {
    const token = q === undefined ? null : addressOf(q);
    const text = token === null && q !== undefined ? q : null;
    const name = JSON.stringify(['explore', mode, page, pageSize, q ?? null, sort]);
    return this.list(
      name,
      { mode, text, token, creator: null },
      { sort, page, pageSize },
      { schemaVersion: 'service.chain-explore.v1' },
    );
  }

  /** Returns a page of the coins of a launch wallet as canonical JSON; an unknown wallet has an empty page. */
  profile({ account, page }: ProfileQuery): Promise<Uint8Array> {
    const name = JSON.stringify(['profile', account, page]);
    const filter: CoinFilter = { mode: 'all', text: null, token: null, creator: account };
    return this.list(
      name,
      filter,
      { sort: 'newest', page, pageSize: PROFILE_PAGE_SIZE },
      { schemaVersion: 'service.chain-profile.v1', account: checksummed(account) },
    );
  }

  /**
   * Returns a coin's own metadata. For an address on two chains it is the coin of 4663, unless the query names the chain.
   * @throws ApiError `NOT_FOUND` for an absent coin while every source is current; else `INDEX_NOT_CURRENT`.
   */
  async presentation({ token, chainId }: PresentationQuery): Promise<ChainPresentation> {
    const { sources } = await this.index.state();
    const chains = chainId === undefined ? ([4663, 1] as const) : ([chainId] as const);
    const found = (await Promise.all(chains.map((chain) => this.rows.coin(chain, token)))).find((row) => row !== null);
    const asked = sources.filter(({ document }) => chains.some((chain) => chain === document.chainId));
    const { updatedAt } = this.index.freshness(asked);
    if (found === undefined || updatedAt === null) throw this.index.missing(asked);
    const { record, metadata } = found;
    return {
      schemaVersion: 'service.chain-presentation.v1',
      chainId: record.chainId,
      token: checksummed(record.tokenAddress),
      imageUrl: metadata.imageUrl,
      description: metadata.description,
      links: PRESENTATION_LINKS.flatMap((label) => {
        const url = metadata[label];
        return url === null ? [] : [{ label, url }];
      }),
      market: (await this.markets.of([found], sources))[0] ?? null,
      metadataStatus: metadata.status,
      ...(await this.axes.assess(found, sources)),
      updatedAt,
    };
  }

  /** @param frame the members of a page besides those that every list has. */
  private list(
    name: string,
    filter: CoinFilter,
    { sort, page, pageSize }: Pick<ExploreQuery, 'sort' | 'page'> & { readonly pageSize: number },
    frame: object,
  ): Promise<Uint8Array> {
    return this.pages.bytesOf({
      name,
      version: async () => {
        const [{ sources, version }, labels] = await Promise.all([this.index.state(), this.labels.version()]);
        return `${version} ${labels} ${this.index.freshness(sources).status}`;
      },
      read: async () => {
        const { total, rows } = await this.lists.page(filter, sort, pageSize, (page - 1) * pageSize);
        const { sources } = await this.index.state();
        const [labels, markets] = await Promise.all([this.labels.labelsOf(rows), this.markets.of(rows, sources)]);
        const totalPages = Math.ceil(total / pageSize);
        const body = {
          ...frame,
          items: rows.map((row, index) => itemOf(row, labels[index] ?? null, markets[index] ?? null)),
          page: { number: page, pageSize, totalItems: total, totalPages, hasMore: page < totalPages },
          ...this.index.freshness(sources),
        };
        return { body };
      },
    });
  }
}
