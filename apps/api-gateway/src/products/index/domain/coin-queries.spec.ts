import { describe, expect, it } from '@jest/globals';
import { checksummed } from '@launch/contracts/primitives';
import type { z } from 'zod';
import { account } from '../../../fixtures/published-rows.js';
import {
  developerLaunchesQuery,
  exploreQuery,
  indexedLaunchesQuery,
  moduleFoundationQuery,
  presentationQuery,
  profileQuery,
} from './coin-queries.js';

const token = account(0xabcdef);
const accepts = (query: z.ZodType, given: object): boolean => query.safeParse(given).success;

describe('A query of the index', () => {
  it.each<[string, z.ZodType, object]>([
    ['a size of a page that is not offered', exploreQuery, { pageSize: '20' }],
    ['page 0', exploreQuery, { page: '0' }],
    ['a page with a leading zero', exploreQuery, { page: '01' }],
    ['an unknown order', exploreQuery, { sort: 'size' }],
    ['an unknown mode', exploreQuery, { mode: 'token' }],
    ['a search for 65 characters', exploreQuery, { q: 'x'.repeat(65) }],
    ['an empty search', exploreQuery, { q: '' }],
    ['a search for U+0000', exploreQuery, { q: '\u0000' }],
    ['a profile without an account', profileQuery, {}],
    ['a short account', profileQuery, { account: '0x1' }],
    [
      'an account with a wrong checksum',
      profileQuery,
      { account: checksummed(token).toUpperCase().replace('0X', '0x') },
    ],
    ['an unknown chain', presentationQuery, { token, chainId: '5' }],
    ['a chain in hexadecimal', indexedLaunchesQuery, { chainId: '0x1' }],
    ['101 items a page', indexedLaunchesQuery, { limit: '101' }],
    ['an unknown source', indexedLaunchesQuery, { sourceKind: 'module-native-v9' }],
    ['an offset', indexedLaunchesQuery, { offset: '1' }],
    ['no items a page of the developer feed', developerLaunchesQuery, { limit: '0' }],
    ['101 items a page of the developer feed', developerLaunchesQuery, { limit: '101' }],
    ['an offset of the developer feed', developerLaunchesQuery, { offset: '1' }],
    ['a chain of the developer feed', developerLaunchesQuery, { chainId: '1' }],
    ['a token of Foundation in lowercase', moduleFoundationQuery, { chainId: '4663', token }],
    ['Foundation without a chain', moduleFoundationQuery, {}],
    ['Foundation of an unknown chain', moduleFoundationQuery, { chainId: '5' }],
    ['an unknown member of Foundation', moduleFoundationQuery, { chainId: '4663', x: '1' }],
  ])('refuses %s', (_what, query, given) => {
    expect(accepts(query, given)).toBe(false);
  });

  it('reads an address in lowercase or with its checksum as lowercase', () => {
    for (const given of [token, checksummed(token)]) {
      expect(profileQuery.parse({ account: given })).toEqual({ account: token, page: 1 });
      expect(presentationQuery.parse({ token: given })).toEqual({ token });
    }
    expect(moduleFoundationQuery.parse({ chainId: '1', token: checksummed(token) })).toEqual({ chainId: 1, token });
  });

  it('has the defaults of a first page', () => {
    expect(exploreQuery.parse({})).toEqual({ mode: 'all', page: 1, pageSize: 50, sort: 'newest' });
    expect(indexedLaunchesQuery.parse({})).toEqual({ limit: 25 });
  });

  it('counts the characters of a search, not their UTF-16 units', () => {
    expect(accepts(exploreQuery, { q: '\u{1F680}'.repeat(64) })).toBe(true);
    expect(accepts(exploreQuery, { q: '\u{1F680}'.repeat(65) })).toBe(false);
  });
});
