import { answersOf } from './answers.js';
import type { Answer } from './answer.js';
import { axesInWords, stampSentence, type Axis } from './axes.js';
import {
  identityOf,
  type CoinIdentity,
  type ExploreRow,
  type LaunchRecord,
  type Market,
  type Presentation,
} from './coin-facts.js';
import { contractsOf, type CoinContract } from './components.js';
import type { ShownChain } from '../../site/chains.js';
import type { Read } from '../../site/gateway.js';
import type { TradeChart } from './chart-size.js';
import type { CoinRead, CoinTrades } from './read-coin.js';
import { chartOf } from './trade-chart.js';

/** A module of a coin: opaque ids in recorded order. */
export interface CoinModule {
  readonly familyId: string;
  readonly packageId: string | null;
}

/** Everything that the page shows about a coin, as the server sends it to the browser. */
export interface CoinView {
  readonly chainId: ShownChain;
  readonly token: string;
  readonly identity: CoinIdentity;
  readonly launch: LaunchRecord | null;
  readonly label: string | null;
  readonly stampSentence: string | null;
  readonly answers: readonly Answer[];
  readonly axes: readonly Axis[];
  readonly contracts: readonly CoinContract[];
  readonly modules: readonly CoinModule[];
  readonly market: Market;
  readonly metadata: Pick<Presentation, 'metadataStatus' | 'description' | 'imageUrl' | 'links'> | null;
  /** Path of the image in the finalized record, which the gateway serves. */
  readonly recordImage: { readonly path: string; readonly width: number; readonly height: number } | null;
  readonly others: Read<readonly ExploreRow[]>;
  readonly trades: Read<CoinTrades>;
  /** Null without a trade that has a price. */
  readonly chart: TradeChart | null;
  readonly listStatus: 'ok' | 'stale' | 'indeterminate' | 'unread';
  readonly updatedAt: string | null;
  readonly unread: readonly string[];
}

/** Builds the page's data from what the page read. */
export function coinView({ facts, others, trades, ...rest }: Extract<CoinRead, { is: 'coin' }>): CoinView {
  const { chainId, token, indexed, presentation, row, record } = facts;
  const identity = identityOf(facts);
  if (identity === null) throw new TypeError('a coin has a record or a row');
  const launch = indexed?.launch ?? null;
  const axes = indexed?.axes ?? presentation?.axes;
  const label = indexed?.label ?? presentation?.label ?? row?.label ?? null;
  return {
    chainId,
    token,
    identity,
    launch,
    label,
    stampSentence: axes === undefined ? null : stampSentence(axes.provenance, label),
    answers: answersOf(facts),
    axes: axes === undefined ? [] : axesInWords(axes),
    contracts: contractsOf(facts),
    modules: identity.moduleFamilyIds.map((familyId, index) => ({
      familyId,
      packageId: launch?.modulePackageIds[index] ?? null,
    })),
    market: presentation?.market ?? row?.market ?? null,
    metadata:
      presentation === null
        ? null
        : {
            metadataStatus: presentation.metadataStatus,
            description: presentation.description,
            imageUrl: presentation.imageUrl,
            links: presentation.links,
          },
    recordImage: record?.feed === 'multi-role' ? record.record.image : null,
    others,
    trades,
    chart: trades.is === 'value' ? chartOf(trades.value.items, trades.value.updatedAt) : null,
    ...rest,
  };
}
