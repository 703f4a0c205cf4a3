import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from '../errors/api.error.js';
import { listQuerySchema, readQuery } from './query.js';

const list = listQuerySchema(25);

describe('a query', () => {
  it('that was read before is not read again, and nobody changes what was read', () => {
    const first = readQuery('limit=2', list);
    expect(first).toEqual({ limit: 2 });
    expect(readQuery('limit=2', list)).toBe(first);
    expect(Object.isFrozen(first)).toBe(true);
  });

  it('is read by each schema for itself', () => {
    expect(readQuery('', list)).toEqual({ limit: 25 });
    expect(readQuery('', listQuerySchema(7))).toEqual({ limit: 7 });
    expect(readQuery('limit=2', z.strictObject({ limit: z.string() }))).toEqual({ limit: '2' });
  });

  it('that is refused is refused each time', () => {
    for (let time = 0; time < 2; time += 1)
      for (const raw of ['limit=0', 'limit=2&limit=2', 'offset=1'])
        expect(() => readQuery(raw, list)).toThrow(ApiError);
  });

  it('is read right after more others than are kept', () => {
    for (let number = 0; number < 1_000; number += 1)
      expect(readQuery(`cursor=${number}`, list)).toEqual({ limit: 25, cursor: String(number) });
    expect(readQuery('limit=2', list)).toEqual({ limit: 2 });
  });
});
