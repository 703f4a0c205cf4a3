import type { CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import type { EthereumFinalized } from '@launch/contracts/index';
import { equal, holds, withinEvery, type BoundMember } from './bound-member.js';
import { pageMembers, type PageSubject } from './page.members.js';
import type { Wire } from './wire.types.js';

type CustomRecord = Wire<CustomLaunchFinalized>;
type EthereumRecord = Pick<Wire<EthereumFinalized>, 'onchain' | 'evidence' | 'launchedAt' | 'finalizedAt'>;

// As literals: a client in a browser would else contain every schema of the contracts.
const CUSTOM_FEED = '/v4/chains/4663/finalized-custom-launches';
const ETHEREUM_FEED = '/v3/finalized-custom-launches';
const evidencePath = (feed: string, id: string, { sha256 }: { readonly sha256: string }): string =>
  `${feed}/${id}/evidence/${sha256.slice('sha256:'.length)}`;

/** The members of a record of the finalized custom-launch feed that its other members determine. */
export const CUSTOM_FEED_MEMBERS: readonly BoundMember<CustomRecord, unknown>[] = [
  equal(
    '/onchain/l2Inclusion/transactionHash',
    'onchain.transactionHash',
    ({ onchain }) => onchain.l2Inclusion.transactionHash,
    (_subject, { onchain }) => onchain.transactionHash,
  ),
  equal(
    '/onchain/l2Inclusion/receiptStatus',
    'success: a reverted transaction launches nothing',
    ({ onchain }) => onchain.l2Inclusion.receiptStatus,
    () => 'success',
  ),
  ...(['blockNumber', 'blockHash'] as const).map((name) =>
    equal<CustomRecord, unknown>(
      `/onchain/${name}`,
      `${name} of the checkpoint`,
      ({ onchain }) => onchain[name],
      (_subject, { onchain }) => onchain.l1FinalizedCheckpoint[name],
    ),
  ),
  equal(
    '/onchain/logIndex',
    'logIndex of the posting',
    ({ onchain }) => onchain.logIndex,
    (_subject, { onchain }) => onchain.l1Posting.logIndex,
  ),
  equal(
    '/onchain/l1FinalizedCheckpoint/common',
    'blockNumber of the checkpoint: the lower of both finalized blocks',
    ({ onchain }) => onchain.l1FinalizedCheckpoint.common,
    (_subject, { onchain }) => onchain.l1FinalizedCheckpoint.blockNumber,
  ),
  holds(
    '/onchain/l1Posting',
    'a batch with the block of the launch, no later than the checkpoint',
    ({ onchain: { l2Inclusion, l1Posting, l1FinalizedCheckpoint } }) =>
      BigInt(l1Posting.firstL2Block) <= BigInt(l2Inclusion.blockNumber) &&
      BigInt(l2Inclusion.blockNumber) <= BigInt(l1Posting.lastL2Block) &&
      BigInt(l1Posting.l1BlockNumber) <= BigInt(l1FinalizedCheckpoint.blockNumber),
  ),
  equal(
    '/evidence/path',
    'the route of that evidence',
    ({ evidence }) => evidence.path,
    (_subject, { launchId, evidence }) => evidencePath(CUSTOM_FEED, launchId, evidence),
  ),
];

/** The members of a record of the feed of Ethereum that its other members determine. */
export const ETHEREUM_FEED_MEMBERS: readonly BoundMember<EthereumRecord, unknown>[] = [
  holds(
    '/onchain/ethereumFinalized/blockNumber',
    'at or above the block of the launch',
    ({ onchain: { inclusion, ethereumFinalized } }) =>
      BigInt(inclusion.blockNumber) <= BigInt(ethereumFinalized.blockNumber),
  ),
  equal(
    '/evidence/path',
    'the route of that evidence',
    ({ evidence }) => evidence.path,
    (_subject, { onchain, evidence }) => evidencePath(ETHEREUM_FEED, onchain.routerLaunchId, evidence),
  ),
  holds('/finalizedAt', 'no earlier than launchedAt', ({ launchedAt, finalizedAt }) => launchedAt <= finalizedAt),
];

const COUNTERS = ['sourceRowCount', 'publishedRowCount', 'quarantinedRowCount'] as const;
type Counters = Readonly<Record<(typeof COUNTERS)[number], number>>;

interface FeedPage<Item> extends Counters {
  readonly dataset: Counters;
  readonly quality: { readonly status: string; readonly reasons: readonly string[] };
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The members of a page of either feed that its other members determine. */
const countedMembers = <Item>(): readonly BoundMember<FeedPage<Item>, PageSubject>[] => [
  ...COUNTERS.map((name) =>
    equal<FeedPage<Item>, PageSubject>(
      `/${name}`,
      `dataset.${name}`,
      (page) => page[name],
      (_subject, { dataset }) => dataset[name],
    ),
  ),
  holds(
    '/quality/status',
    'ready exactly without a reason',
    ({ quality }) => (quality.status === 'ready') === (quality.reasons.length === 0),
  ),
];

/** The members of a page of the finalized custom-launch feed that its request determines. */
export const CUSTOM_FEED_LIST_MEMBERS: readonly BoundMember<FeedPage<CustomRecord>, PageSubject>[] = [
  ...pageMembers<'launchId', FeedPage<CustomRecord>>('launchId'),
  ...countedMembers<CustomRecord>(),
  ...withinEvery(
    '/items',
    ({ items }: FeedPage<CustomRecord>) => items,
    () => undefined,
    CUSTOM_FEED_MEMBERS,
  ),
];

/** The members of a page of the feed of Ethereum that its request determines. */
export const ETHEREUM_FEED_LIST_MEMBERS: readonly BoundMember<FeedPage<EthereumRecord>, PageSubject>[] = [
  holds('/items', 'at most as many as requested', ({ items }, { limit }) => items.length <= limit),
  ...countedMembers<EthereumRecord>(),
  ...withinEvery(
    '/items',
    ({ items }: FeedPage<EthereumRecord>) => items,
    () => undefined,
    ETHEREUM_FEED_MEMBERS,
  ),
];
