import { describe, expect, it } from '@jest/globals';
import { chainProfileSchema } from '@launch/contracts/index';
import { aCoin, aCoinPage } from '../../site/listed-coin.fixture.js';
import { renderPage } from '../../site/render-page.fixture.js';
import CreatorPage from './creator.page.js';

const ACCOUNT = '0x7310074aF5fdC1c661B926Cf91c81A6bd6999CF9';
const page = (loaded: object): string => renderPage(CreatorPage, { account: ACCOUNT, fault: null, ...loaded });
const listed = (items: Parameters<typeof aCoinPage>[0], changes: object = {}): string => {
  const { page: shown, ...list } = aCoinPage(items);
  const value = {
    ...list,
    schemaVersion: 'service.chain-profile.v1',
    account: ACCOUNT,
    page: { ...shown, pageSize: 50 },
  };
  return page({ read: { is: 'value', value: chainProfileSchema.parse({ ...value, ...changes }) } });
};

describe('The page of a creator', () => {
  it('shows the coins of the wallet, and says that the person is unknown', () => {
    const html = listed([aCoin(), aCoin({ chainId: 1, name: 'US\u202eCD' })]);
    expect(html).toContain('href="/coins/4663/0xbe7F9392BA4Eb5e29EF02aE9755943EA21cDe3C8"');
    expect(html).toContain('On Ethereum, this page');
    expect(html).toContain('https://explorer.example/address/0x7310074aF5fdC1c661B926Cf91c81A6bd6999CF9');
    expect(html).toContain('US[U+202E]CD');
    expect(html).toContain('Unknown. An address proves control of a key');
    expect(html).not.toContain('>Creator</th>');
    expect(html).not.toContain('style=');
  });

  it('links its other pages', () => {
    const html = listed([aCoin()], {
      page: { number: 2, pageSize: 50, totalItems: 120, totalPages: 3, hasMore: true },
    });
    expect(html).toContain(`href="/creators/${ACCOUNT}?page=3"`);
    expect(html).toContain(`href="/creators/${ACCOUNT}"`);
  });

  it('says that a wallet has no coins, and when that may be out of date', () => {
    expect(listed([])).toContain('This wallet has launched no coin that the service knows.');
    const stale = listed([], { status: 'indeterminate' });
    expect(stale).toContain('a new coin may be missing');
    expect(stale.indexOf('This list may be incomplete')).toBeGreaterThan(0);
  });

  it('leads back from a page past the end', () => {
    const html = listed([], { page: { number: 9, pageSize: 50, totalItems: 3, totalPages: 1, hasMore: false } });
    expect(html).toContain('This list has no such page.');
    expect(html).not.toContain('has launched no coin');
  });

  it('says what is wrong with an address', () => {
    const html = page({ account: '0x12<script>', fault: 'account', read: null });
    expect(html).toContain('This is not the address of a wallet');
    expect(html).not.toContain('<script>');
  });

  it('says that a page has a number', () => {
    expect(page({ fault: 'page', read: null })).toContain('This list has no such page.');
  });

  it('says that the service did not answer', () => {
    const html = page({
      read: { is: 'unavailable', code: 'RATE_LIMITED', message: 'Too many requests.', requestId: null },
    });
    expect(html).toContain('The site could not read the coins of this wallet from the service.');
    expect(html).not.toContain('has launched no coin');
  });
});
