import { describe, expect, it } from '@jest/globals';
import { CursorCodec } from '@launch/http';
import { Secret } from '@launch/platform';
import { refusalOfWork } from '../../fixtures/refused.js';
import { testCaller } from '../../fixtures/test-caller.js';
import { storedLaunch } from '../../fixtures/test-launch.js';
import { OwnedLaunchesService } from './owned-launches.service.js';

const FAMILY = 'multi-role.v2';
const ROUTE = 'GET /launches';
const launches = Array.from({ length: 7 }, (_, index) => storedLaunch({ createdAt: new Date(7_000 - index) }));

/** Returns the service over rows in memory, newest first; the repository's contract test holds the SQL to the same order. */
function owned() {
  const rows = {
    findOwned: async (family: string, launchId: string) =>
      launches.find((one) => one.launchId === launchId && one.family === family) ?? null,
    listOwned: async (
      _family: string,
      _owner: unknown,
      limit: number,
      after: { readonly createdAt: Date; readonly launchId: string } | null,
    ) => {
      const start = after === null ? 0 : launches.findIndex(({ launchId }) => launchId === after.launchId) + 1;
      return launches.slice(start, start + limit + 1);
    },
  };
  return new OwnedLaunchesService(rows, new CursorCodec(new Secret('a key of cursors')));
}

describe('The launches of an owner', () => {
  it('are found by their id, and absent, malformed and foreign ids of a family are not found', async () => {
    const [launch] = launches as [(typeof launches)[0]];
    expect(await owned().find(FAMILY, testCaller(), launch.launchId)).toBe(launch);
    const refused = (id: string, family: 'multi-role.v2' | 'plan.v1' = FAMILY) =>
      refusalOfWork(() => owned().find(family, testCaller(), id));
    expect((await refused('00000000-0000-4000-8000-000000000000')).code).toBe('NOT_FOUND');
    expect((await refused('not-a-launch')).code).toBe('NOT_FOUND');
    expect((await refused(launch.launchId, 'plan.v1')).code).toBe('NOT_FOUND');
  });

  it('are listed page by page without gaps or repeats, and the last page has no cursor', async () => {
    const service = owned();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await service.page(FAMILY, ROUTE, testCaller(), { limit: 3, ...(cursor && { cursor }) });
      expect(page.rows.length).toBeLessThanOrEqual(3);
      seen.push(...page.rows.map(({ launchId }) => launchId));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(launches.map(({ launchId }) => launchId));
  });

  it('accept a cursor of their own list, lineage and wallets alone', async () => {
    const service = owned();
    const { nextCursor } = await service.page(FAMILY, ROUTE, testCaller(), { limit: 1 });
    const cursor = nextCursor ?? '';
    const refused = async (one: string, caller = testCaller(), route = ROUTE) =>
      (await refusalOfWork(() => service.page(FAMILY, route, caller, { limit: 1, cursor: one }))).code;
    const flipped = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    for (const one of ['', 'abc', flipped, `${cursor}A`, `${cursor}=`, cursor.slice(0, -1), 'A'.repeat(513)])
      expect([one, await refused(one)]).toEqual([one, 'CURSOR_INVALID']);
    expect(await refused(cursor, testCaller({ lineageId: 'another lineage' }))).toBe('CURSOR_INVALID');
    expect(await refused(cursor, testCaller({ controllers: [`0x${'9'.repeat(40)}`] }))).toBe('CURSOR_INVALID');
    expect(await refused(cursor, testCaller(), 'GET /finalized')).toBe('CURSOR_INVALID');
  });
});
