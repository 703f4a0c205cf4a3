import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { DAY, SIGN_IN, signInOn, textFor, wallet, type Wallet } from '../../../fixtures/sign-in.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { SIGN_IN_KEYS } from '../credentials/credential.service.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness({ signIn: SIGN_IN });
});
afterAll(() => gateway.close());

const { invite, send, signIn, signInForModules } = signInOn(() => gateway);

describe('Signing in', () => {
  it('accepts a signature for its own purpose only', async () => {
    const who = wallet();
    const forLaunches = await signInForModules(who, 'modules', '?purpose=launches');
    expect([forLaunches.status, codeOf(forLaunches), forLaunches.json.error.findings]).toMatchObject([
      422,
      'SIGN_IN_MESSAGE_INVALID',
      [{ path: '/message', expected: 'another statement' }],
    ]);
    const message = textFor(who.address, await invite('?purpose=modules'));
    const forModules = await send(message, await who.signMessage({ message }));
    expect([forModules.status, codeOf(forModules)]).toEqual([422, 'SIGN_IN_MESSAGE_INVALID']);
    expect(message).toContain('module contributions');
    const unknown = await call(`${gateway.url}/v4/auth/siwe/nonce?purpose=reviews`, { method: 'POST' });
    expect([unknown.status, codeOf(unknown)]).toEqual([400, 'QUERY_INVALID']);
    expect(
      await runSql(gateway.database, 'SELECT 1 FROM credential WHERE controller = $1', [who.address.toLowerCase()]),
    ).toEqual([]);
  });

  it('leaves a wallet five living keys for each purpose, however often it signs in', async () => {
    const who = wallet();
    for (let round = 0; round < SIGN_IN_KEYS + 2; round += 1) {
      await signIn(who);
      await signInForModules(who);
    }
    const living = await runSql<{ origin: string; keys: number }>(
      gateway.database,
      `SELECT origin, count(*)::int AS keys FROM credential
       WHERE controller = $1 AND revoked_at IS NULL AND expires_at > now() GROUP BY origin ORDER BY origin`,
      [who.address.toLowerCase()],
    );
    expect(living).toEqual([
      { origin: 'sign-in', keys: SIGN_IN_KEYS },
      { origin: 'sign-in-modules', keys: SIGN_IN_KEYS },
    ]);
  });

  it.each(['sign-in-wallet', 'sign-in-address'] as const)(
    'issues at most the daily number of keys, by %s',
    async (name) => {
      const limited = await startHarness({
        beside: gateway,
        signIn: SIGN_IN,
        quotas: { [name]: { quantity: 2, windowSeconds: DAY, burst: 2 } },
      });
      try {
        const [who, another] = [wallet(), wallet()];
        const onLimited = async (one: Wallet): Promise<Answer> => {
          const message = textFor(one.address, await invite('', limited));
          return send(message, await one.signMessage({ message }), limited);
        };
        // A signature by another wallet uses up none of this wallet's keys.
        const message = textFor(who.address, await invite('', limited));
        for (let round = 0; round < 3; round += 1)
          expect((await send(message, await another.signMessage({ message }), limited)).status).toBe(401);
        expect([(await onLimited(who)).status, (await onLimited(who)).status]).toEqual([201, 201]);
        const refused = await onLimited(who);
        expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
        expect(refused.headers.get('ratelimit-policy')).toBe(`"${name}";q=2;w=86400`);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_600);
        expect((await onLimited(another)).status).toBe(name === 'sign-in-wallet' ? 201 : 429);
      } finally {
        await limited.close();
        // All tests here sign in from the same address.
        await runSql(gateway.database, 'TRUNCATE rate_bucket');
      }
    },
  );
});

describe('A nonce', () => {
  it('is valid once, even when many requests use it at the same moment', async () => {
    const who = wallet();
    const message = textFor(who.address, await invite());
    const signature = await who.signMessage({ message });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(message, signature)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
    expect(codeOf(await send(message, signature))).toBe('SIGN_IN_NONCE_INVALID');
  });

  it('must come from this service', async () => {
    expect(codeOf(await signIn(wallet(), (text) => text.replace(/Nonce: \w+/, `Nonce: ${'a'.repeat(32)}`)))).toBe(
      'SIGN_IN_NONCE_INVALID',
    );
  });

  it('expires after five minutes, with its message', async () => {
    const who = wallet();
    const invitation = await invite();
    const message = textFor(who.address, {
      ...invitation,
      issuedAt: new Date(Date.now() + 301_000).toISOString(),
      expirationTime: new Date(Date.now() + 600_000).toISOString(),
    });
    const late = textFor(who.address, invitation);
    gateway.clock.shiftMs = 301_000;
    try {
      expect(codeOf(await send(message, await who.signMessage({ message })))).toBe('SIGN_IN_NONCE_INVALID');
      expect(codeOf(await send(late, await who.signMessage({ message: late })))).toBe('SIGN_IN_MESSAGE_INVALID');
      await invite();
      expect(
        await runSql(gateway.database, 'SELECT 1 FROM sign_in_nonce WHERE nonce = $1', [invitation.nonce]),
      ).toEqual([]);
    } finally {
      gateway.clock.shiftMs = 0;
    }
  });

  it('is not spent by a client that cannot sign', async () => {
    const [who, thief] = [wallet(), wallet()];
    const message = textFor(who.address, await invite());
    expect(codeOf(await send(message, await thief.signMessage({ message })))).toBe('SIGN_IN_SIGNATURE_INVALID');
    expect((await send(message, await who.signMessage({ message }))).status).toBe(201);
  });
});
