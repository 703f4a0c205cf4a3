import { ROUTER_IDENTITIES_PATH, routerIdentitiesSchema, type RouterIdentities } from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { FeedError } from './feed.error.js';
import { readWholeFeed, type FeedUnavailable, type ReadFeed } from './reading.js';

/** The whole snapshot of Ethereum's Custom coins, or the reason why it is unavailable. */
export type IdentitiesReading =
  | { readonly availability: 'AVAILABLE'; readonly snapshot: RouterIdentities }
  | FeedUnavailable;

/**
 * Reads the snapshot, which is one answer. It counts its items, names only routers that it lists, and has each coin once in
 * chain order. It is canonical JSON, so equal states have equal bytes.
 */
export const readIdentities = (input: Omit<ReadFeed, 'pageSize'>): Promise<IdentitiesReading> =>
  readWholeFeed(input, async (service) => {
    const { bytes, json } = await service.getSigned(ROUTER_IDENTITIES_PATH);
    const read = routerIdentitiesSchema.safeParse(json);
    if (!read.success) throw new FeedError('PAGE_INVALID', 'the snapshot breaks its schema');
    if (Buffer.compare(canonicalizeJson(json), bytes) !== 0)
      throw new FeedError('PAGE_INVALID', 'the snapshot is not canonical JSON');
    checkSnapshot(read.data);
    return { snapshot: read.data };
  });

function checkSnapshot({ count, identities, routers, checkpoint }: RouterIdentities): void {
  const tokens = new Set(identities.map(({ tokenAddress }) => tokenAddress));
  if (identities.length !== count || tokens.size !== count)
    throw new FeedError('RECORDS_MISCOUNTED', 'the snapshot does not have as many coins as it counts');
  const known = new Set(routers.map(({ address }) => address));
  if (identities.some(({ routerAddress }) => !known.has(routerAddress)))
    throw new FeedError('PAGE_INVALID', 'a coin is of a router that the snapshot does not list');
  const places = identities.map(({ blockNumber, logIndex }) => [BigInt(blockNumber), BigInt(logIndex)] as const);
  const isOrdered = places.every(([block, log], index) => {
    const before = places[index - 1];
    return before === undefined || before[0] < block || (before[0] === block && before[1] < log);
  });
  if (!isOrdered || places.some(([block]) => block > BigInt(checkpoint.number)))
    throw new FeedError('PAGE_INVALID', 'coins of the snapshot are out of order, or above its checkpoint');
}
