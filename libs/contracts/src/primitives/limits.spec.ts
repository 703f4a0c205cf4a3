import { describe, expect, it } from '@jest/globals';
import { CAIP2, CHAIN_ID, LIMITS } from './limits.js';
import { MULTI_ROLE_BASE_PATH, ROUTER_PROTOCOL } from '../multi-role/routes.js';
import { roleMaskSchema } from './scalars.schema.js';

describe('Published numbers and names', () => {
  it('include chain, base path and router protocol', () => {
    expect([CHAIN_ID, CAIP2, MULTI_ROLE_BASE_PATH, ROUTER_PROTOCOL]).toEqual([
      4663,
      'eip155:4663',
      '/v4/chains/4663/multi-role-custom-launches',
      'service.multi-role-launch-stamp-router.v2',
    ]);
  });

  it('set the bounds of lists, bodies and windows', () => {
    expect(LIMITS).toMatchObject({
      requestBytes: 16_777_216,
      hintBytes: 1_024,
      permitWindowSeconds: 3_600,
      validAfterPastSeconds: 3_600,
      validAfterFutureSeconds: 60,
      deadlineLeadSeconds: 60,
      listMax: 25,
      ownerListDefault: 10,
      finalizedListDefault: 25,
    });
  });

  it.each<[string, boolean]>([
    ['a'.repeat(15), false],
    ['a'.repeat(16), true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['azAZ09._:-azAZ09', true],
    ['sixteen letters!', false],
    ['seventeen/letters', false],
    ['sechzehn-zeichen-ü', false],
    ['a'.repeat(16) + '\n', false],
    ['\u0660'.repeat(16), false],
  ])('decide whether an idempotency key %j is valid: %s', (key, accepted) =>
    expect(LIMITS.idempotencyKeyPattern.test(key)).toBe(accepted),
  );

  it.each<[string, number, boolean]>([
    ['auxiliary role mask', 0, true],
    ['token and hook in one', 3, true],
    ['all roles', 63, true],
    ['an unknown role', 64, false],
    ['a negative mask', -1, false],
    ['half a role', 0.5, false],
  ])('decide for %s whether role mask %d is valid: %s', (_what, mask, accepted) =>
    expect(roleMaskSchema.safeParse(mask).success).toBe(accepted),
  );
});
