import { factsOf, type LaunchFacts, type LaunchKind, type OwnedLaunch } from './launch-facts.js';

/** The pages of one family that were read so far. */
export interface FamilyPages {
  readonly items: readonly OwnedLaunch[];
  /** The cursor of the next page; null after the last one. */
  readonly cursor: string | null;
}
export type PagesByKind = Readonly<Record<LaunchKind, FamilyPages>>;

export const LAUNCH_KINDS: readonly LaunchKind[] = ['launch', 'plan', 'multi-role'];

const createdAt = (owned: OwnedLaunch): string => owned.value.createdAt;

/** Returns the time of the oldest item of a family that has more pages: older items of other families may follow unread ones. */
const horizonOf = ({ items, cursor }: FamilyPages): string => {
  const last = items.at(-1);
  return cursor === null || last === undefined ? '' : createdAt(last);
};

/**
 * Merges the families, newest first, as far as the order is certain: an item that is older than the last read one of a family with
 * more pages is shown once that family was read further.
 */
export function mergedLaunches(pages: PagesByKind): readonly LaunchFacts[] {
  const horizon = horizonOfAll(pages);
  return LAUNCH_KINDS.flatMap((kind) => pages[kind].items)
    .filter((owned) => createdAt(owned) >= horizon)
    .map(factsOf)
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? -1 : 1));
}

const horizonOfAll = (pages: PagesByKind): string =>
  LAUNCH_KINDS.map((kind) => horizonOf(pages[kind])).reduce((newest, one) => (one > newest ? one : newest), '');

/** Returns the families to read further before older launches can be shown; none at the end of the list. */
export function familiesToRead(pages: PagesByKind): readonly LaunchKind[] {
  const horizon = horizonOfAll(pages);
  return LAUNCH_KINDS.filter((kind) => pages[kind].cursor !== null && horizonOf(pages[kind]) === horizon);
}
