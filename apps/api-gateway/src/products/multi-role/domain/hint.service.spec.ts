import { describe, expect, it } from '@jest/globals';
import {
  MULTI_ROLE_BASE_PATH,
  transactionHintReceiptSchema,
  transactionHintReceiptV3Schema,
} from '@launch/contracts/multi-role';
import { CursorCodec } from '@launch/http';
import { Secret } from '@launch/platform';
import { OwnedLaunchesService } from '../../../core/launches/owned-launches.service.js';
import type { StoredLaunch } from '../../../core/launches/stored-launch.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { handedOff, storedLaunch } from '../../../fixtures/test-launch.js';
import { requestBytes } from '../../../fixtures/test-request.js';
import type { HintOutcome } from '../data/hint.repository.js';
import { HintService } from './hint.service.js';
import { ReadLaunchService } from './read-launch.service.js';

type Generation = 'v2' | 'v3';
const HASH = `0x${'7'.repeat(64)}`;
const registeredAt = new Date('2026-11-20T10:00:01.000Z');
const body = (version: string = 'v2', transactionHash = HASH): Uint8Array =>
  requestBytes({ schemaVersion: `service.multi-role-transaction-hint.${version}`, transactionHash });

/** Returns the hints of one launch whose rows are in memory. */
function hintsOf(row: StoredLaunch, outcome: HintOutcome = { kind: 'registered', registeredAt }) {
  const delivered: string[] = [];
  const registered: string[] = [];
  const rows = {
    findOwned: async (
      _family: string,
      launchId: string,
      { readsLineageId }: { readonly readsLineageId: string | null },
    ) => (launchId === row.launchId && readsLineageId === row.lineageId ? row : null),
    listOwned: async () => [],
  };
  const owned = new OwnedLaunchesService(rows, new CursorCodec(new Secret('a key of cursors')));
  const service = new HintService(
    new ReadLaunchService(owned, null, { now: () => row.createdAt.getTime() }),
    {
      register: async (_launchId, transactionHash) => {
        registered.push(transactionHash);
        return outcome;
      },
    },
    { deliverHint: async (_launchId, transactionHash) => void delivered.push(transactionHash) },
  );
  const register = (bytes: Uint8Array, generation: Generation = 'v2', caller = testCaller()) =>
    service.register(caller, row.launchId, bytes, generation);
  return { register, registered, delivered };
}

describe('A transaction hint', () => {
  it('is registered once, delivered to the observation and asserts no inclusion', async () => {
    const row = handedOff(storedLaunch());
    const { register, delivered } = hintsOf(row);
    expect(transactionHintReceiptSchema.parse(await register(body()))).toMatchObject({
      launchId: row.launchId,
      transactionHash: HASH,
      registeredAt: registeredAt.toISOString(),
      assertsInclusion: false,
      statusUrl: `${MULTI_ROLE_BASE_PATH}/${row.launchId}/finality`,
    });
    expect(delivered).toEqual([HASH]);
  });

  it('that repeats an earlier one has the receipt of the first and is not delivered again', async () => {
    const { register, delivered } = hintsOf(handedOff(storedLaunch()), { kind: 'repeated', registeredAt });
    expect(await register(body())).toMatchObject({ registeredAt: registeredAt.toISOString() });
    expect(delivered).toEqual([]);
  });

  it('beyond the bound of a launch is refused and not delivered', async () => {
    const { register, delivered } = hintsOf(handedOff(storedLaunch()), { kind: 'full' });
    const refused = await refusalOfWork(() => register(body()));
    expect([refused.status, refused.code, delivered]).toEqual([422, 'HINT_LIMIT_REACHED', []]);
  });

  it.each(['reserved', 'action_required'] as const)('comes too early for a launch that is %s', async (status) => {
    const { register, registered } = hintsOf(storedLaunch({ status }));
    expect([(await refusalOfWork(() => register(body()))).code, registered]).toEqual(['HINT_NOT_READY', []]);
  });

  it.each([
    ['of another generation', 422, 'HINT_VERSION_MISMATCH', () => body('v3')],
    ['of an unknown generation', 422, 'SCHEMA_INVALID', () => body('vX')],
    ['with a hash in capitals', 422, 'SCHEMA_INVALID', () => body('v2', `0x${'F'.repeat(64)}`)],
    [
      'with an unknown field',
      422,
      'SCHEMA_UNKNOWN_FIELD',
      () => requestBytes({ schemaVersion: 'service.multi-role-transaction-hint.v2', transactionHash: HASH, x: 1 }),
    ],
    [
      'in JSON that is not canonical',
      400,
      'JSON_NOT_CANONICAL',
      () => Buffer.from(`{"transactionHash":"${HASH}","schemaVersion":"service.multi-role-transaction-hint.v2"}`),
    ],
  ] as const)('with a body %s is refused with %i %s', async (_body, status, code, bytes) => {
    const { register, registered } = hintsOf(handedOff(storedLaunch()));
    const refused = await refusalOfWork(() => register(bytes()));
    expect([refused.status, refused.code, registered]).toEqual([status, code, []]);
  });

  it('for a launch of another lineage is refused like one for an absent launch', async () => {
    const { register } = hintsOf(handedOff(storedLaunch()));
    const stranger = testCaller({ lineageId: 'another lineage' });
    expect((await refusalOfWork(() => register(body(), 'v2', stranger))).code).toBe('NOT_FOUND');
  });

  it('of V3 has a receipt with the context of the launch', async () => {
    const row = handedOff(storedLaunch({}, 'v3'));
    expect(transactionHintReceiptV3Schema.parse(await hintsOf(row).register(body('v3'), 'v3'))).toMatchObject({
      contextHash: row.contextHash,
      statusUrl: `${MULTI_ROLE_BASE_PATH}/${row.launchId}/finality-v3`,
    });
  });

  it.each([
    ['v3', 'v2', 'v2'],
    ['v2', 'v3', 'v3'],
    ['v3', 'v3', 'v2'],
    ['v2', 'v2', 'v3'],
  ] as const)('for a %s launch on the %s route with a %s body is refused', async (generation, route, version) => {
    const { register } = hintsOf(handedOff(storedLaunch({}, generation)));
    expect((await refusalOfWork(() => register(body(version), route))).code).toBe('HINT_VERSION_MISMATCH');
  });
});
