import { describe, expect, it } from '@jest/globals';
import { aCoin } from '../../site/listed-coin.fixture.js';
import { renderPage } from '../../site/render-page.fixture.js';
import type { FamilyCoins } from './family-coins.js';
import ModulesPage from './modules.page.js';
import { aSource } from '../status/service-reads.fixture.js';
import { UNREAD } from './release-reads.fixture.js';

const FEE = `0x${'f3'.repeat(32)}`;
const DIGEST = `sha256:${'af'.repeat(32)}` as const;
const LOCK = `0x${'10'.repeat(32)}`;
const COINS: FamilyCoins = {
  status: 'ok',
  updatedAt: '2026-11-28T11:59:00.000Z',
  coins: [
    aCoin({ name: 'Newest', moduleFamilyIds: [LOCK, FEE] }),
    aCoin({ name: 'Older', moduleFamilyIds: [FEE] }),
    aCoin({ name: 'Plain', moduleFamilyIds: [] }),
  ],
  searched: { from: 1, to: 200, of: 430 },
  totalPages: 3,
};
const STATUS = { is: 'value', value: { sources: [aSource({ releaseDigest: DIGEST })] } } as const;
const page = (coins: unknown = { is: 'value', value: COINS }, status: unknown = STATUS): string =>
  renderPage(ModulesPage, { coins, status });

describe('The page of modules and releases', () => {
  it('links each family with the number of its coins, the one with most coins first', () => {
    const html = page();
    expect(
      [...html.matchAll(/href="\/modules\/(0x[0-9a-f]+)".*?tabular-nums">(\d+)</gs)].map(([, ...one]) => one),
    ).toEqual([
      [FEE, '2'],
      [LOCK, '1'],
    ]);
    expect(html).toContain('newest 200 of 430 coins');
    expect(html).not.toContain('Older');
    expect(html).not.toContain('style=');
  });

  it('links each release that the index follows', () => {
    expect(page()).toContain(`href="/releases/${DIGEST}"`);
  });

  it('says that there is no family, no release, or that it could not read them', () => {
    expect(page({ is: 'value', value: { ...COINS, coins: [] } })).toContain(
      'No coin with a module has been launched yet.',
    );
    expect(page(undefined, { is: 'value', value: { sources: [] } })).toContain('The index follows no release.');
    expect(page(UNREAD, UNREAD).match(/INDEX_NOT_CURRENT/g)).toHaveLength(2);
  });

  it('says at the top that the list is behind', () => {
    expect(page({ is: 'value', value: { ...COINS, status: 'stale' } })).toContain('This list is behind the chain');
  });
});
