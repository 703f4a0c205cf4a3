import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseSignature, serializeCompactSignature, signatureToCompactSignature, type Hex } from 'viem';
import { call, codeOf } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { DAY, ORIGIN, signInOn, textFor, wallet, type Wallet } from '../../../fixtures/sign-in.fixture.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { SIGN_IN_KEYS } from '../credentials/credential.service.js';
import { signInKeySchema, type SignInKey } from './sign-in.schema.js';

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness({ signIn: { origin: ORIGIN, keySeconds: 30 * DAY } });
});
afterAll(() => gateway.close());

const { invite, send, signIn, signInForModules } = signInOn(() => gateway);
const statusesOf = (keys: readonly SignInKey[]): Promise<number[]> =>
  Promise.all(keys.map(async ({ key }) => (await call(gateway.base, { key })).status));

describe('Signing in with a wallet', () => {
  it('issues a key that is bound to the wallet and has the launch scopes, once', async () => {
    const who = wallet();
    const answer = await signIn(who);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    const issued = signInKeySchema.parse(answer.json);
    expect(issued).toMatchObject({
      boundController: who.address.toLowerCase(),
      scopes: ['custom-launch:create', 'custom-launch:read'],
      chainGrants: ['4663'],
    });
    expect((await call(gateway.base, { key: issued.key })).status).toBe(200);
    gateway.clock.shiftMs = 31 * DAY * 1_000;
    try {
      expect((await call(gateway.base, { key: issued.key })).status).toBe(401);
    } finally {
      gateway.clock.shiftMs = 0;
    }
  });

  it('issues a module key on request, beside the launch key, and neither opens the routes of the other', async () => {
    const who = wallet();
    const launches = signInKeySchema.parse((await signIn(who)).json);
    const answer = await signInForModules(who);
    const modules = signInKeySchema.parse(answer.json);
    expect([answer.status, modules.scopes]).toEqual([201, ['modules:submit', 'modules:read']]);
    expect([modules.boundController, modules.lineageId === launches.lineageId]).toEqual([
      who.address.toLowerCase(),
      false,
    ]);
    const drafts = `${gateway.url}/v1/modules/submissions`;
    const asked = [
      [drafts, modules.key],
      [drafts, launches.key],
      [gateway.base, modules.key],
      [gateway.base, launches.key],
    ] as const;
    const answers = await Promise.all(asked.map(([url, key]) => call(url, { key })));
    expect(answers.map((one) => (one.status === 200 ? 200 : codeOf(one)))).toEqual([
      200,
      'API_SCOPE_REQUIRED',
      'INSUFFICIENT_SCOPE',
      200,
    ]);
    // Signing in again ends neither key. No other purpose exists.
    const again = (await signInForModules(who)).json;
    expect(again.lineageId).toBe(modules.lineageId);
    const living = await Promise.all([
      call(drafts, { key: modules.key }),
      call(drafts, { key: again.key }),
      call(gateway.base, { key: launches.key }),
    ]);
    expect(living.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(codeOf(await signInForModules(who, 'launches'))).toBe('SCHEMA_INVALID');
  });

  it('again continues the lineage, and ends the oldest key once the wallet has five', async () => {
    const who = wallet();
    const keys: SignInKey[] = [];
    for (let index = 0; index < SIGN_IN_KEYS; index += 1) keys.push((await signIn(who)).json);
    expect(new Set(keys.map(({ lineageId }) => lineageId)).size).toBe(1);
    expect(await statusesOf(keys)).toEqual([200, 200, 200, 200, 200]);
    keys.push((await signIn(who)).json);
    expect(await statusesOf(keys)).toEqual([401, 200, 200, 200, 200, 200]);
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => signIn(who)));
    keys.push(...atOnce.map(({ json }): SignInKey => json));
    expect(await statusesOf(keys)).toEqual([401, 401, 401, 401, 401, 200, 200, 200, 200, 200]);
  });

  it('counts only living keys', async () => {
    const who = wallet();
    const keys: SignInKey[] = [];
    for (let index = 0; index < SIGN_IN_KEYS; index += 1) keys.push((await signIn(who)).json);
    // An operator's revocation blocks the wallet too.
    await gateway.credentials.revoke(keys[3]!.credentialId);
    await gateway.credentials.unblockWallet(who.address.toLowerCase());
    keys.push((await signIn(who)).json);
    expect(await statusesOf(keys)).toEqual([200, 200, 200, 401, 200, 200]);
  });

  it('ends the oldest key, in any order of the transactions', async () => {
    const who = wallet();
    const keys: SignInKey[] = [];
    for (let index = 0; index < SIGN_IN_KEYS; index += 1) keys.push((await signIn(who)).json);
    // Of two concurrent sign-ins, the one that gets the lock first may have begun last.
    await runSql(gateway.database, 'ALTER TABLE credential DISABLE TRIGGER USER');
    await runSql(
      gateway.database,
      `UPDATE credential SET created_at = created_at - interval '1 minute' WHERE credential_id = $1`,
      [keys[4]!.credentialId],
    );
    await runSql(gateway.database, 'ALTER TABLE credential ENABLE TRIGGER USER');
    keys.push((await signIn(who)).json);
    expect(keys[5]!.lineageId).toBe(keys[0]!.lineageId);
    expect(await statusesOf(keys)).toEqual([401, 200, 200, 200, 200, 200]);
  });

  it("does not bypass a revocation or join the lineage of an operator's key", async () => {
    const who = wallet();
    const operators = await gateway.issueKey(undefined, who.address.toLowerCase());
    const { json } = await signIn(who);
    expect(json.lineageId).not.toBe(operators.lineageId);
    await gateway.credentials.revoke(json.credentialId);
    const answer = await signIn(who);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'SIGN_IN_REVOKED']);
    expect((await call(gateway.base, { key: operators.key })).status).toBe(200);
  });
});

describe('A wallet that is blocked from signing in', () => {
  const lower = (who: Wallet): string => who.address.toLowerCase();
  const refused = async (who: Wallet): Promise<unknown[]> => {
    const answer = await signIn(who);
    return [answer.status, codeOf(answer)];
  };
  const REVOKED = [403, 'SIGN_IN_REVOKED'];

  it('is every wallet of which an operator revoked a key: from its own sign-in, however old, or from the operator', async () => {
    const [first, second] = [wallet(), wallet()];
    const older = (await signIn(first)).json;
    const newer = (await signIn(first)).json;
    expect(await gateway.credentials.revoke(older.credentialId)).toEqual({
      blockedWallet: lower(first),
      livingKeys: [newer.credentialId],
    });
    const operators = await gateway.issueKey(undefined, lower(second));
    await gateway.credentials.revoke(operators.credentialId);
    expect([await refused(first), await refused(second)]).toEqual([REVOKED, REVOKED]);
    // Its living key stays valid until its own revocation.
    expect((await call(gateway.base, { key: newer.key })).status).toBe(200);
  });

  it("is not one of a partner's list when the partner's key is revoked", async () => {
    const who = wallet();
    const partner = await gateway.credentials.issue({
      kind: 'partner',
      allowedControllers: [lower(who)],
      scopes: ['custom-launch:read'],
      chains: ['4663'],
      label: null,
      expiresAt: null,
    });
    expect(await gateway.credentials.revoke(partner.credentialId)).toEqual({ blockedWallet: null, livingKeys: [] });
    expect((await signIn(who)).status).toBe(201);
  });

  it('is also one that the operator blocked, before or after it had a key, and its keys stay valid', async () => {
    const [never, once] = [wallet(), wallet()];
    const { json } = await signIn(once);
    expect(await gateway.credentials.blockWallet(lower(never))).toEqual({ isNew: true, livingKeys: [] });
    expect(await gateway.credentials.blockWallet(lower(once))).toEqual({
      isNew: true,
      livingKeys: [json.credentialId],
    });
    expect(await gateway.credentials.blockWallet(lower(once))).toEqual({
      isNew: false,
      livingKeys: [json.credentialId],
    });
    expect([await refused(never), await refused(once)]).toEqual([REVOKED, REVOKED]);
    expect((await call(gateway.base, { key: json.key })).status).toBe(200);
  });

  it('signs in again, into its own lineage, once it is unblocked', async () => {
    const who = wallet();
    const { json } = await signIn(who);
    await gateway.credentials.revoke(json.credentialId);
    expect(await refused(who)).toEqual(REVOKED);
    expect([
      await gateway.credentials.unblockWallet(lower(who)),
      await gateway.credentials.unblockWallet(lower(who)),
    ]).toEqual([true, false]);
    const again = await signIn(who);
    expect([again.status, again.json.lineageId]).toEqual([201, json.lineageId]);
    expect(
      await Promise.all(
        [json.key, again.json.key].map(async (key: string) => (await call(gateway.base, { key })).status),
      ),
    ).toEqual([401, 200]);
  });

  it('learns so only from its own request, after every other check passed', async () => {
    const [who, stranger] = [wallet(), wallet()];
    await gateway.credentials.blockWallet(lower(who));
    const message = textFor(who.address, await invite());
    expect(codeOf(await send(message, await stranger.signMessage({ message })))).toBe('SIGN_IN_SIGNATURE_INVALID');
    const signature = await who.signMessage({ message });
    expect(codeOf(await send(message, signature))).toBe('SIGN_IN_REVOKED');
    // The nonce is used up like any other.
    expect(codeOf(await send(message, signature))).toBe('SIGN_IN_NONCE_INVALID');
  });

  it('gets no key after the block, even from concurrent sign-ins, and the operator sees the keys issued before it', async () => {
    for (let round = 0; round < 6; round += 1) {
      const who = wallet();
      const { json } = await signIn(who);
      const prepared = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const message = textFor(who.address, await invite());
          return { message, signature: await who.signMessage({ message }) };
        }),
      );
      const [revocation, ...answers] = await Promise.all([
        gateway.credentials.revoke(json.credentialId),
        ...prepared.map(({ message, signature }) => send(message, signature)),
      ]);
      const issued = answers
        .filter(({ status }) => status === 201)
        .map((answer) => answer.json as { credentialId: string; key: string });
      expect(answers.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
        Array.from({ length: 4 - issued.length }, () => 'SIGN_IN_REVOKED'),
      );
      const alive = [];
      for (const one of issued)
        if ((await call(gateway.base, { key: one.key })).status === 200) alive.push(one.credentialId);
      expect(revocation?.livingKeys.toSorted()).toEqual(alive.toSorted());
      expect(await refused(who)).toEqual(REVOKED);
    }
  });
});

describe('A message', () => {
  const past = new Date(Date.now() - 3_600_000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  it.each([
    ['of another domain', (text: string) => text.replace('launch.example wants', 'evil.example wants')],
    [
      'of the right domain at another port',
      (text: string) => text.replace('launch.example wants', 'launch.example:444 wants'),
    ],
    ['of another scheme', (text: string) => text.replace(/^/, 'http://')],
    [
      'with a URI elsewhere',
      (text: string) => text.replace('URI: https://launch.example', 'URI: https://evil.example'),
    ],
    [
      'with a URI that only begins like ours',
      (text: string) => text.replace('URI: https://launch.example', 'URI: https://launch.example.evil.example'),
    ],
    [
      'with a name before our host',
      (text: string) => text.replace('URI: https://launch.example', 'URI: https://me@launch.example'),
    ],
    ['for another chain', (text: string) => text.replace('Chain ID: 4663', 'Chain ID: 1')],
    ['with another statement', (text: string) => text.replace('Issue an API key', 'Log me in')],
    ['issued long ago', (text: string) => text.replace(/Issued At: .*/, `Issued At: ${past}`)],
    ['issued in the future', (text: string) => text.replace(/Issued At: .*/, `Issued At: ${future}`)],
    ['expired', (text: string) => text.replace(/Expiration Time: .*/, `Expiration Time: ${past}`)],
    ['not valid yet', (text: string) => `${text}\nNot Before: ${future}`],
    ['with resources', (text: string) => `${text}\nResources:\n- https://launch.example/x`],
    [
      'with an address in lower case',
      (text: string) => text.replace(/0x[0-9a-fA-F]{40}/, (address) => address.toLowerCase()),
    ],
    ['with trailing characters', (text: string) => `${text}\n`],
    ['that is no sign-in message', () => 'hello'],
  ])('%s is refused', async (_name, change) => {
    const answer = await signIn(wallet(), change);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'SIGN_IN_MESSAGE_INVALID']);
  });

  it('may omit its expiration and name its scheme', async () => {
    expect(
      (await signIn(wallet(), (text) => text.replace(/\nExpiration Time: .*/, '').replace(/^/, 'https://'))).status,
    ).toBe(201);
  });

  it('that changed after it was signed is refused, and so is a signature with an upper-half s', async () => {
    const who = wallet();
    const message = textFor(who.address, await invite());
    const signature = await who.signMessage({ message });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const flipped = `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
    for (const [text, by] of [
      [`${message.replace('Expiration', 'Not Before: 2020-01-01T00:00:00Z\nExpiration')}`, signature],
      [message, flipped],
      [message, `0x${'0'.repeat(130)}`],
    ] as const) {
      expect(['SIGN_IN_SIGNATURE_INVALID', 'SIGN_IN_MESSAGE_INVALID']).toContain(codeOf(await send(text, by)));
    }
    expect(codeOf(await send(message, flipped))).toBe('SIGN_IN_SIGNATURE_INVALID');
    expect((await send(message, signature)).status).toBe(201);
  });

  it.each<[string, (signature: Hex) => Hex]>([
    ['v of 0 or 1', (signature) => `${signature.slice(0, 130) as Hex}${signature.endsWith('1b') ? '00' : '01'}`],
    [
      '64 bytes (EIP-2098)',
      (signature) => serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
    ],
  ])('signed in the encoding of %s issues a key', async (_name, encode) => {
    const who = wallet();
    const message = textFor(who.address, await invite());
    expect((await send(message, encode(await who.signMessage({ message })))).status).toBe(201);
  });

  it.each([
    ['a contract that is deployed', (signature: string) => `${signature}${signature.slice(2)}`, 'EIP-1271'],
    ['a contract that is not deployed', (signature: string) => `${signature}${'6492'.repeat(16)}`, 'EIP-6492'],
    ['a transaction', (signature: string) => `${signature.slice(0, 130)}25`, 'a v of 37'],
    ['no wallet', () => '0xsignature', 'not hexadecimal'],
  ])('with the signature of %s is refused by the name of its encoding', async (_name, encode, named) => {
    const who = wallet();
    const message = textFor(who.address, await invite());
    const answer = await send(message, encode(await who.signMessage({ message })));
    expect([answer.status, codeOf(answer)]).toEqual([401, 'SIGN_IN_SIGNATURE_INVALID']);
    expect(JSON.stringify(answer.json)).toContain(named);
  });
});

describe('The routes', () => {
  it('are bounded and counted by address, separately from all other routes', async () => {
    const oversized = await call(`${gateway.url}/v4/auth/siwe/keys`, { body: Buffer.alloc(8 * 1024 + 1, 0x20) });
    expect(codeOf(oversized)).toBe('REQUEST_TOO_LARGE');
    expect(codeOf(await call(`${gateway.url}/v4/auth/siwe/nonce`, { body: '{}' }))).toBe('REQUEST_TOO_LARGE');
    const few = await startHarness({
      beside: gateway,
      signIn: { origin: ORIGIN, keySeconds: DAY },
      quotas: { 'sign-in': { quantity: 1, windowSeconds: 60, burst: 2 } },
    });
    try {
      const statuses = [];
      for (let turn = 0; turn < 3; turn += 1)
        statuses.push((await call(`${few.url}/v4/auth/siwe/nonce`, { method: 'POST' })).status);
      expect(statuses).toEqual([201, 201, 429]);
      expect((await call(`${few.base}/capabilities`)).status).toBe(200);
    } finally {
      await few.close();
    }
  });

  it('are described where they are served', async () => {
    const { json } = await call(`${gateway.url}/openapi.json`);
    expect(Object.keys(json.paths)).toEqual(expect.arrayContaining(['/v4/auth/siwe/nonce', '/v4/auth/siwe/keys']));
    expect(json.components.schemas.SignInKey).toMatchObject({ type: 'object', additionalProperties: false });
  });

  it('are neither served nor described where signing in is off', async () => {
    const off = await startHarness({ beside: gateway });
    try {
      for (const path of ['nonce', 'keys']) {
        for (const method of ['POST', 'GET', 'OPTIONS'])
          expect(codeOf(await call(`${off.url}/v4/auth/siwe/${path}`, { method }))).toBe('NOT_FOUND');
      }
      const described = (await call(`${off.url}/openapi.json`)).text + (await call(`${off.url}/v4/errors`)).text;
      for (const trace of ['siwe', 'SignInKey']) expect(described).not.toContain(trace);
    } finally {
      await off.close();
    }
  });
});
