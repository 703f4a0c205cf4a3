import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '../errors/api.error.js';
import { listQuerySchema, readQuery } from './query.js';

const list = listQuerySchema(25);

describe('a query', () => {
  it('is parsed once, and its result cannot be changed', () => {
    const first = readQuery('limit=2', list);
    expect(first).toEqual({ limit: 2 });
    expect(readQuery('limit=2', list)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('is parsed separately for each schema', () => {
    expect(readQuery('', list)).toEqual({ limit: 25 });
    expect(readQuery('', listQuerySchema(7))).toEqual({ limit: 7 });
    expect(readQuery('limit=2', z.strictObject({ limit: z.string() }))).toEqual({ limit: '2' });
  });

  it('is refused each time if it is invalid', () => {
    for (let time = 0; time < 2; time += 1)
      for (const raw of ['limit=0', 'limit=2&limit=2', 'offset=1'])
        expect(() => readQuery(raw, list)).toThrow(ApiError);
  });

  it.each([
    'limit=0',
    'limit=01',
    'limit=26',
    'limit=-1',
    'limit=1.0',
    'limit=',
    'limit=1&limit=1',
    'Limit=1',
    'page=2',
    'limit=1e1',
    'limit=%31%30%30',
  ])('The query ?%s of a list is refused.', (raw) => {
    let refused: unknown;
    try {
      readQuery(raw, list);
    } catch (error) {
      refused = error;
    }
    expect(refused).toMatchObject({ code: 'QUERY_INVALID', status: 400 });
  });

  it('states in its findings the form of a missing parameter, without the text of a library', () => {
    const required = z.strictObject({
      account: z.string(),
      side: z.enum(['buy', 'sell']),
      page: z.string().max(2).optional(),
    });
    const expectedOf = (raw: string): unknown => {
      try {
        return readQuery(raw, required);
      } catch (error) {
        return (error as ApiError).findings.map(({ path, expected }) => [path, expected]);
      }
    };
    expect(expectedOf('page=123')).toEqual([
      ['/account', 'a string'],
      ['/page', 'at most 2 characters'],
      ['/side', 'one of "buy", "sell"'],
    ]);
  });

  it('is parsed correctly after its eviction from the cache', () => {
    for (let number = 0; number < 1_000; number += 1)
      expect(readQuery(`cursor=${number}`, list)).toEqual({ limit: 25, cursor: String(number) });
    expect(readQuery('limit=2', list)).toEqual({ limit: 2 });
  });
});
