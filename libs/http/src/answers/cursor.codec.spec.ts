import { describe, expect, it } from '@jest/globals';
import { Secret } from '@launch/platform';
import { CursorCodec, type CursorScope } from './cursor.codec.js';

const codec = new CursorCodec(new Secret('the key of this deployment'));
const scope: CursorScope = { route: 'GET /list', reader: 'lineage-1' };
const refused = (other: CursorScope, cursor: string, by = codec): boolean => {
  try {
    by.decode(other, cursor);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'CURSOR_INVALID';
  }
};

describe('a cursor', () => {
  const cursor = codec.encode(scope, ['2026-11-20T00:00:00.000Z', 'id']);

  it('decodes in the scope that issued it, and fits its length limit', () => {
    expect(codec.decode(scope, cursor)).toEqual(['2026-11-20T00:00:00.000Z', 'id']);
    expect(cursor.length).toBeLessThanOrEqual(512);
  });

  it('is refused in any other scope', () => {
    for (const other of [
      { ...scope, reader: 'lineage-2' },
      { ...scope, reader: null },
      { ...scope, route: 'GET /other' },
    ])
      expect(refused(other, cursor)).toBe(true);
    expect(refused(scope, cursor, new CursorCodec(new Secret('another key')))).toBe(true);
    // Route and lineage are bound separately, not as one text.
    expect(refused({ route: 'GET /list"', reader: 'lineage-1' }, cursor)).toBe(true);
  });

  it('is refused after a change of any bit', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect([bit, refused(scope, changed.toString('base64url'))]).toEqual([bit, true]);
    }
  });
});
