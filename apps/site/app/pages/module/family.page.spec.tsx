import { describe, expect, it } from '@jest/globals';
import { aCoin } from '../../site/listed-coin.fixture.js';
import { renderPage } from '../../site/render-page.fixture.js';
import type { FamilyCoins } from './family-coins.js';
import FamilyPage from './family.page.js';

const FAMILY = `0x${'f3'.repeat(32)}`;
const FOUND: FamilyCoins = {
  status: 'ok',
  updatedAt: '2026-11-28T11:59:00.000Z',
  coins: [aCoin({ mode: 'module', moduleFamilyIds: [FAMILY] })],
  searched: { from: 1, to: 200, of: 430 },
  totalPages: 3,
};
const page = (changes: Partial<FamilyCoins> = {}, number = 1): string =>
  renderPage(FamilyPage, { familyId: FAMILY, page: number, read: { is: 'value', value: { ...FOUND, ...changes } } });

describe('The page of a module family', () => {
  it('shows the coins that it found, where it searched, and what is not published', () => {
    const html = page();
    expect(html).toContain('href="/coins/4663/0xbe7F9392BA4Eb5e29EF02aE9755943EA21cDe3C8"');
    expect(html).toContain('1 to 200 of 430');
    expect(html).toContain(`href="/modules/${FAMILY}?page=2"`);
    expect(html.match(/Not published\./g)).toHaveLength(2);
    expect(html).not.toContain('style=');
  });

  it('says that an older coin may use the family, or that there is none', () => {
    expect(page({ coins: [] })).toContain('An older coin may use it: go to the next page.');
    expect(page({ coins: [] }, 3)).toContain('The service knows a family only from the coins that use it.');
  });

  it('says that no coin is built from modules', () => {
    expect(page({ coins: [], searched: { from: 1, to: 0, of: 0 }, totalPages: 0 })).toContain(
      'No coin built from modules has been launched yet.',
    );
  });

  it('leads back from a page past the end', () => {
    expect(page({ coins: [] }, 9)).toContain(`href="/modules/${FAMILY}?page=3"`);
  });

  it('says at the top that the list is behind', () => {
    const html = page({ status: 'stale' });
    expect(html.indexOf('This list is behind the chain')).toBeLessThan(html.indexOf('Name and author'));
  });

  it('says that the service did not answer', () => {
    const read = { is: 'unavailable', code: 'RATE_LIMITED', message: 'Too many requests.', requestId: null };
    const html = renderPage(FamilyPage, { familyId: FAMILY, page: 1, read });
    expect(html).toContain('The site could not read the coins of this family from the service.');
    expect(html).not.toContain('No coin');
  });

  it('says what names a family', () => {
    expect(renderPage(FamilyPage, { familyId: null, page: 1, read: null })).toContain(
      'This address names no module family',
    );
  });
});
