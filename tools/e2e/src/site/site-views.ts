import { setTimeout } from 'node:timers/promises';
import { chainExploreSchema, type ChainExplore } from '@launch/contracts/index';
import type { Stack } from '@launch/start';
import type { OwnedLaunches, OwnedSubmissions } from './owners-desk.js';

/** A page in one of its states. */
export interface SiteView {
  readonly name: string;
  readonly path: string;
  /** A text by which the state is recognized. */
  readonly shows?: string;
  /** Opens everything that a page closes at first. */
  readonly isOpened?: true;
}

/** The windows and themes of every picture and every check. */
export const VIEWPORTS = [
  { width: 1_280, theme: 'light' },
  { width: 1_280, theme: 'dark' },
  { width: 360, theme: 'light' },
  { width: 360, theme: 'dark' },
] as const;

type ListedCoin = ChainExplore['items'][number];
const LARGEST_PAGE = 50;
const ABSENT_TOKEN = '0x0000000000000000000000000000000000000001';
const UNUSED_WALLET = '0x000000000000000000000000000000000000dEaD';

/** Coins of the index by kind. */
export interface ShownCoins {
  readonly modular: string;
  readonly stamped: string;
  readonly unstamped: string;
  readonly ethereum: string;
  readonly creator: string;
}

/** The index records a coin and its stamp some blocks after the launch. */
const INDEXED_WITHIN_MS = 180_000;

/** Chooses a coin of each kind as soon as the index has them. @throws Error where it lacks one for three minutes */
export async function shownCoins(stack: Pick<Stack, 'site'>): Promise<ShownCoins> {
  const until = Date.now() + INDEXED_WITHIN_MS;
  for (;;)
    try {
      return await coinsNow(stack);
    } catch (error) {
      if (Date.now() > until) throw error;
      await setTimeout(1_000);
    }
}

async function coinsNow({ site }: Pick<Stack, 'site'>): Promise<ShownCoins> {
  const response = await fetch(`${site}/api/explore/chain?pageSize=${LARGEST_PAGE}`);
  const { items } = chainExploreSchema.parse(await response.json());
  const pathOf = (kind: string, fits: (coin: ListedCoin) => boolean): string => {
    // A coin with trades shows more of the page.
    const coins = items.filter(fits);
    const coin = coins.find(({ market }) => (market?.priceNative ?? null) !== null) ?? coins[0];
    if (coin === undefined) throw new Error(`the index has no coin ${kind}`);
    return `/coins/${coin.chainId}/${coin.tokenAddress}`;
  };
  return {
    modular: pathOf('built from modules', ({ chainId, mode }) => chainId === 4663 && mode === 'module'),
    stamped: pathOf('with a stamp', ({ label }) => label !== null),
    unstamped: pathOf('without a stamp', ({ label, mode }) => label === null && mode === 'custom'),
    ethereum: pathOf('of Ethereum', ({ chainId }) => chainId === 1),
    creator: items[0]!.creator,
  };
}

/** Returns the first address on a page that begins like this. @throws Error where the page links none */
export async function linkOn(origin: string, page: string, begins: string): Promise<string> {
  const html = await (await fetch(new URL(page, origin))).text();
  const found = new RegExp(`href="(${begins}[^"]+)"`).exec(html)?.[1];
  if (found === undefined) throw new Error(`${page} links no ${begins}`);
  return found;
}

/** The pages that each visitor sees, in their ordinary and empty states. */
export function publicViews(coins: ShownCoins, family: string, release: string): readonly SiteView[] {
  return [
    { name: 'explore', path: '/' },
    { name: 'explore-opened', path: '/', isOpened: true },
    { name: 'explore-empty', path: '/?q=nothing-has-this-name' },
    { name: 'explore-refused', path: '/?sort=sideways' },
    { name: 'coin-modular', path: coins.modular },
    { name: 'coin-stamped', path: coins.stamped },
    { name: 'coin-stamped-opened', path: coins.stamped, isOpened: true },
    { name: 'coin-unstamped', path: coins.unstamped },
    { name: 'coin-ethereum', path: coins.ethereum },
    { name: 'coin-absent', path: `/coins/1/${ABSENT_TOKEN}` },
    { name: 'coin-no-address', path: '/coins/1/0x12' },
    { name: 'creator', path: `/creators/${coins.creator}` },
    { name: 'creator-empty', path: `/creators/${UNUSED_WALLET}` },
    { name: 'modules', path: '/modules' },
    { name: 'family', path: family },
    { name: 'family-empty', path: `/modules/0x${'1'.repeat(64)}` },
    { name: 'release', path: release },
    { name: 'release-absent', path: `/releases/${'1'.repeat(64)}` },
    { name: 'status', path: '/status' },
    { name: 'status-opened', path: '/status', isOpened: true },
    { name: 'docs', path: '/docs' },
    { name: 'docs-guide', path: '/docs/guides/custom-launch' },
    { name: 'docs-reference', path: '/docs/reference/limits' },
    { name: 'docs-api', path: '/docs/api' },
    { name: 'docs-operation', path: '/docs/api/createCustomLaunch' },
    { name: 'docs-errors', path: '/docs/errors' },
    { name: 'docs-downloads', path: '/docs/downloads' },
    { name: 'docs-changelog', path: '/docs/changelog' },
    { name: 'not-found', path: '/no-such-page' },
  ];
}

/** The pages that tell how current they are, in front of an altered gateway. */
export const alteredViews = (coins: ShownCoins, release: string): readonly SiteView[] => [
  { name: 'explore', path: '/' },
  { name: 'coin', path: coins.stamped },
  { name: 'creator', path: `/creators/${coins.creator}` },
  { name: 'release', path: release },
  { name: 'status', path: '/status' },
  { name: 'docs-guide', path: '/docs/guides/custom-launch' },
  { name: 'docs-errors', path: '/docs/errors' },
];

/** The pages of a launcher, for the owner of these launches. */
export const launcherViews = (launches: OwnedLaunches): readonly SiteView[] => [
  { name: 'launches', path: '/launches', shows: 'Waits for your wallet' },
  { name: 'launch-waiting', path: `/launches/${launches.waiting}`, shows: 'Review and sign' },
  { name: 'launch-refused', path: `/launches/${launches.refused}`, shows: 'line 8' },
  { name: 'launch-plan', path: `/launches/${launches.plan}`, shows: 'transactions of the plan' },
  { name: 'launch-finalized', path: `/launches/${launches.finalized}`, shows: 'The launch is final' },
  { name: 'launch-absent', path: '/launches/0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a11', shows: 'does not have' },
  { name: 'wallet-review', path: `/wallet/launches/${launches.waiting}`, shows: 'You pay' },
  { name: 'wallet-plan', path: `/wallet/plans/${launches.plan}`, shows: 'You pay' },
  { name: 'wallet-refused', path: `/wallet/launches/${launches.refused}`, shows: 'has ended' },
  { name: 'wallet-finalized', path: `/wallet/launches/${launches.finalized}`, shows: 'is final' },
];

/** The pages of a module author, for the owner of these submissions. */
export const authorViews = (submissions: OwnedSubmissions): readonly SiteView[] => [
  { name: 'author', path: '/author', shows: 'Owned fee' },
  { name: 'author-waiting', path: `/author/${submissions.waiting}`, shows: 'Waits for a reviewer' },
  { name: 'author-failed', path: `/author/${submissions.failed}`, shows: 'COMPILER_ERROR' },
  { name: 'author-changes', path: `/author/${submissions.changes}`, shows: 'Changes requested' },
  { name: 'author-accepted', path: `/author/${submissions.accepted}`, shows: 'Accepted' },
  { name: 'author-absent', path: '/author/0b8f6f0e-8f4e-4c7b-9a53-2f6f0f1f7a11', shows: 'does not have' },
];
