import { CUSTOM_LAUNCH_FEED_PATH, customLaunchFinalizedListSchema } from '@launch/contracts/custom-launch';
import { ROUTER_IDENTITIES_PATH, type SourceVersion } from '@launch/contracts/index';
import { finalizedListSchema, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { type Hex, sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import type { z } from 'zod';
import { readPublished } from '../reference-launch/pack-custom-launch.js';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import type { MadeLaunch } from './made-launch.js';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Every item of a public list, page after page. @param query without a cursor. */
export async function everyItem<Item>(
  stack: Stack,
  route: string,
  schema: z.ZodType<Page<Item>>,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ;) {
    const asked = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) }).toString();
    const page: Page<Item> = await readPublished(stack, asked === '' ? route : `${route}?${asked}`, schema);
    items.push(...page.items);
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}

/** Reads the launches of the service's own public feeds, which an index must find on chain by itself. */
export async function launchesOfFeeds(stack: Stack): Promise<readonly MadeLaunch[]> {
  const multiRole = await everyItem(stack, `${MULTI_ROLE_BASE_PATH}/finalized`, finalizedListSchema);
  const custom = await everyItem(stack, CUSTOM_LAUNCH_FEED_PATH, customLaunchFinalizedListSchema);
  return [
    ...multiRole.map(({ market, apiLaunchId }) => launchOf('custom-multi-role-v2', market.token, apiLaunchId)),
    ...custom.map(({ market, launchId }) => launchOf('custom-router-v1', market.token, launchId)),
  ];
}

const launchOf = (sourceVersion: SourceVersion, token: Hex, what: string): MadeLaunch => ({
  sourceVersion,
  what,
  token,
  launchWallet: null,
});

/** Digest of the identity snapshot. @throws ReferenceLaunchError where an equal checkpoint has other bytes. */
export async function snapshotDigest({ gateway }: Stack): Promise<Sha256Digest> {
  const read = async (): Promise<{ readonly bytes: Uint8Array; readonly checkpoint: string }> => {
    const response = await fetch(`${gateway}${ROUTER_IDENTITIES_PATH}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (!response.ok) throw new ReferenceLaunchError(`GET ${ROUTER_IDENTITIES_PATH} answers ${response.status}`);
    const { checkpoint } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly checkpoint: unknown };
    return { bytes, checkpoint: JSON.stringify(checkpoint) };
  };
  // The chain goes on: another checkpoint has another snapshot.
  for (let before = await read(); ;) {
    const now = await read();
    const [first, second] = [sha256Digest(before.bytes), sha256Digest(now.bytes)];
    if (before.checkpoint === now.checkpoint) {
      if (first !== second) throw new ReferenceLaunchError('one checkpoint has two snapshots');
      return first;
    }
    before = now;
  }
}
