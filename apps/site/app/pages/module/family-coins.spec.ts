import { describe, expect, it } from '@jest/globals';
import type { Read } from '../../site/gateway.js';
import { aCoin, aCoinPage } from '../../site/listed-coin.fixture.js';
import type { CoinPage } from '../../site/listed-coin.js';
import { familyIdOf, familyIn } from './family-coins.js';

const FAMILY = `0x${'f3'.repeat(32)}`;
const OTHER = `0x${'d9'.repeat(32)}`;
const read = (...[items, changes]: Parameters<typeof aCoinPage>): Read<CoinPage> => ({
  is: 'value',
  value: aCoinPage(items, changes),
});
const of = (totalItems: number) => ({
  page: { number: 1, pageSize: 50 as const, totalItems, totalPages: Math.ceil(totalItems / 50), hasMore: true },
});

describe('The id of a family', () => {
  it('is a 32-byte word in any letter case', () => {
    expect(familyIdOf(FAMILY.toUpperCase().replace('0X', '0x'))).toBe(FAMILY);
  });
  it.each([undefined, '', '0x12', 'f3'.repeat(32), `${FAMILY}0`])('is not %j', (text) => {
    expect(familyIdOf(text)).toBeNull();
  });
});

describe('The coins of a family', () => {
  it('are those of the searched pages that use it', () => {
    const uses = aCoin({ moduleFamilyIds: [OTHER, FAMILY] });
    const answer = familyIn(
      [read([uses, aCoin({ moduleFamilyIds: [OTHER] })], of(60)), read([aCoin()], of(60))],
      FAMILY,
      1,
    );
    expect(answer).toMatchObject({
      is: 'value',
      value: { coins: [uses], searched: { from: 1, to: 3, of: 60 }, totalPages: 1 },
    });
  });

  it('count on from the pages before', () => {
    const answer = familyIn([read([aCoin()], of(430))], FAMILY, 3);
    expect(answer).toMatchObject({ value: { searched: { from: 401, to: 401, of: 430 }, totalPages: 3 } });
  });

  it('end where the list of the service ends', () => {
    expect(familyIn([read([aCoin()], of(25_000))], FAMILY, 1)).toMatchObject({
      value: { searched: { of: 10_000 }, totalPages: 50 },
    });
  });

  it('are as reliable as the least reliable page, and as old as the oldest', () => {
    const answer = familyIn(
      [
        read([], { status: 'stale', updatedAt: '2026-11-28T11:00:00.000Z' }),
        read([], { status: 'indeterminate', updatedAt: '2026-11-28T10:00:00.000Z' }),
        read([]),
      ],
      FAMILY,
      1,
    );
    expect(answer).toMatchObject({ value: { status: 'indeterminate', updatedAt: '2026-11-28T10:00:00.000Z' } });
  });

  it('are unknown while one page is unread', () => {
    const unread = { is: 'unavailable', code: 'RATE_LIMITED', message: 'Too many requests.', requestId: null } as const;
    expect(familyIn([read([aCoin()]), unread], FAMILY, 1)).toBe(unread);
  });
});
