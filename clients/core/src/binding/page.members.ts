import { everyItem, holds, type BoundMember } from './bound-member.js';

/** The request of a page. */
export interface PageSubject {
  /** The requested number of items; the default of the route without one. */
  readonly limit: number;
  /** The cursor that was sent, if one was. */
  readonly cursor?: string | undefined;
}

interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The members of a page that its request determines, apart from those of its items. @param id the name of an item's id */
export const pageMembers = <Id extends string, Page extends PageOf<Readonly<Record<Id, string>>>>(
  id: Id,
): readonly BoundMember<Page, PageSubject>[] => [
  holds('/items', 'at most as many as requested', ({ items }, { limit }) => items.length <= limit),
  everyItem<Page, PageSubject, Page['items'][number]>(
    `/items/*/${id}`,
    'another one than the items before',
    ({ items }) => items,
    (item, index, { items }) => items.findIndex((one) => one[id] === item[id]) === index,
  ),
  holds(
    '/nextCursor',
    'null for an empty page; never the cursor that was sent',
    ({ items, nextCursor }, { cursor }) => nextCursor === null || (items.length > 0 && nextCursor !== cursor),
  ),
];

/** The members of a page of an owner's launches, newest first. @param id the name of an item's id */
export const ownerPageMembers = <Id extends string, Page extends PageOf<Readonly<Record<Id | 'createdAt', string>>>>(
  id: Id,
): readonly BoundMember<Page, PageSubject>[] => [
  ...pageMembers<Id, Page>(id),
  everyItem<Page, PageSubject, Page['items'][number]>(
    '/items/*/createdAt',
    'no later than the item before',
    ({ items }) => items,
    ({ createdAt }, index, { items }) => index === 0 || createdAt <= items[index - 1]!.createdAt,
  ),
];
