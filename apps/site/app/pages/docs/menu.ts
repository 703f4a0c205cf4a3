import type { Read } from '../../site/gateway.js';
import type { DocumentLists } from './documentation.js';

export interface MenuLink {
  readonly to: string;
  readonly title: string;
  /** Whether only the page itself, and none below it, marks the link as current. */
  readonly isExact: boolean;
}
export interface MenuGroup {
  readonly title: string;
  readonly links: readonly MenuLink[];
}

const START: MenuGroup = {
  title: 'Start',
  links: [
    { to: '/docs', title: 'Overview', isExact: true },
    { to: '/docs/downloads', title: 'Downloads', isExact: true },
    { to: '/docs/changelog', title: 'Changelog', isExact: true },
  ],
};
const API: MenuGroup = {
  title: 'API',
  links: [
    { to: '/docs/api', title: 'All operations', isExact: false },
    { to: '/docs/errors', title: 'Error codes', isExact: true },
  ],
};

/** Returns the menu. Without the list of the service, it has the pages that need no list. */
export function menuOf(lists: Read<DocumentLists>): readonly MenuGroup[] {
  if (lists.is !== 'value') return [START, API];
  const groupOf = (title: string, links: DocumentLists['guides']): MenuGroup => ({
    title,
    links: links.map(({ to, title: name }) => ({ to, title: withoutKind(name), isExact: true })),
  });
  const { guides, reference } = lists.value;
  return [START, groupOf('Guides', guides), API, groupOf('Reference', reference)];
}

/** The menu says once that its entries are guides. */
const withoutKind = (title: string): string => title.replace(/: the guide$/, '');
