import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, Secret } from '@launch/platform';
import { connectTemporal, EncryptingCodec, parsePayloadKeys } from '@launch/temporal';
import { locateTemporal } from '@launch/temporal-server';
import { sharedTemporal, uniqueName } from '@launch/testing';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { createAccessCheck } from './access-token.js';
import { createCodecServer } from './codec.server.js';

const UI = 'https://temporal.example';
const AUDIENCE = 'temporal-ui';
const keys = parsePayloadKeys(`one=${'12'.repeat(32)}`);
const codec = new EncryptingCodec('launches', keys);

const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listening = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));

let issuer: Server;
let server: Server;
let signing: CryptoKey;
let stranger: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  signing = pair.privateKey;
  stranger = (await generateKeyPair('ES256')).privateKey;
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] });
  issuer = await listening(createServer((_request, response) => void response.end(jwks)));
  const { namespace } = await sharedTemporal();
  server = await listening(
    createCodecServer({
      config: {
        TEMPORAL_UI_ORIGIN: UI,
        CODEC_KEY_FILES: new Map(['launches', namespace].map((name) => [name, new Secret(keys)])),
      },
      checkAccess: createAccessCheck({
        OIDC_ISSUER: originOf(issuer),
        OIDC_AUDIENCE: AUDIENCE,
        OIDC_JWKS_URL: `${originOf(issuer)}/keys`,
        OIDC_GROUP: 'launch-operators',
      }),
      logger: createLogger({ service: 'codec-server', level: 'silent' }),
    }),
  );
});
afterAll(() => {
  issuer.close();
  server.close();
});

const token = (claims: JWTPayload = {}, key: CryptoKey = signing): Promise<string> =>
  new SignJWT({ groups: ['launch-operators'], ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .setIssuer(claims.iss ?? originOf(issuer))
    .setAudience(claims.aud ?? AUDIENCE)
    .setExpirationTime(claims.exp ?? '5m')
    .sign(key);

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly authorization?: string | null;
  readonly namespace?: string;
  readonly body?: string;
}

async function call({
  path = '/decode',
  method = 'POST',
  authorization,
  namespace = 'launches',
  body = '{"payloads":[]}',
}: Call) {
  const bearer = authorization === undefined ? `Bearer ${await token()}` : authorization;
  const response = await fetch(new URL(path, originOf(server)), {
    method,
    headers: { 'X-Namespace': namespace, ...(bearer === null ? {} : { Authorization: bearer }) },
    ...(method === 'POST' ? { body } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : (JSON.parse(text) as unknown),
  };
}

const base64 = (value: string | Uint8Array): string => Buffer.from(value).toString('base64');

describe('The codec server', () => {
  it('decodes what a worker encoded, and encodes what a worker decodes', async () => {
    const payload = { metadata: { encoding: base64('json/plain') }, data: base64('"confidential"') };
    const encoded = await call({ path: '/encode', body: JSON.stringify({ payloads: [payload] }) });
    expect(encoded.status).toBe(200);
    expect(JSON.stringify(encoded.body)).not.toContain(payload.data);
    expect(await call({ body: JSON.stringify(encoded.body) })).toMatchObject({
      status: 200,
      body: { payloads: [payload] },
    });
    const { payloads } = encoded.body as { payloads: [{ metadata: Record<string, string>; data: string }] };
    const [plain] = await codec.decode([
      {
        metadata: Object.fromEntries(
          Object.entries(payloads[0].metadata).map(([key, value]) => [key, Buffer.from(value, 'base64')]),
        ),
        data: Buffer.from(payloads[0].data, 'base64'),
      },
    ]);
    expect(base64(plain!.data!)).toBe(payload.data);
  });

  it('shows the history of an encrypted workflow to the program temporal', async () => {
    const target = { ...(await sharedTemporal()), payloadKeys: keys };
    const temporal = await connectTemporal(target);
    const workflowId = uniqueName('shown');
    await temporal.client.workflow.start('shown', {
      taskQueue: uniqueName('shown'),
      workflowId,
      args: ['confidential'],
    });
    const { program } = await locateTemporal();
    const show = async (...further: string[]): Promise<string> => {
      const args = ['workflow', 'show', '--address', target.address, '--namespace', target.namespace, '-w', workflowId];
      return (await promisify(execFile)(program, [...args, '--output', 'json', ...further], { timeout: 30_000 }))
        .stdout;
    };
    // The program prints data as base64.
    const shown = base64('"confidential"');
    expect(await show()).not.toContain(shown);
    const endpoint = ['--codec-endpoint', originOf(server), '--codec-auth', `Bearer ${await token()}`];
    expect(await show(...endpoint)).toContain(shown);
    await temporal.client.workflow.getHandle(workflowId).terminate();
    await temporal.close();
  });

  it('permits only pages of the Temporal UI', async () => {
    const { status, headers } = await call({ method: 'OPTIONS', authorization: null });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, UI]);
    expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type, x-namespace');
  });

  it.each<[string, () => Promise<string | null>, number]>([
    ['no token', async () => null, 401],
    ['another scheme', async () => 'Basic YTpi', 401],
    ['a token of another signer', async () => `Bearer ${await token({}, stranger)}`, 401],
    ['a token of another issuer', async () => `Bearer ${await token({ iss: 'https://other.example' })}`, 401],
    ['a token for another audience', async () => `Bearer ${await token({ aud: 'other' })}`, 401],
    ['an expired token', async () => `Bearer ${await token({ exp: 1 })}`, 401],
    [
      'an unsigned token',
      async () => `Bearer ${base64('{"alg":"none"}')}.${base64('{"aud":"temporal-ui"}')}.x`.replaceAll('=', ''),
      401,
    ],
    ['a token without the group', async () => `Bearer ${await token({ groups: ['others'] })}`, 403],
  ])('refuses %s', async (_name, authorization, status) => {
    expect(await call({ authorization: await authorization() })).toMatchObject({ status });
  });

  it.each<[string, Call, number]>([
    ['another path', { path: '/keys' }, 404],
    ['another method', { method: 'GET' }, 405],
    ['a namespace without keys', { namespace: 'other' }, 404],
    ['a body that is not JSON', { body: 'x' }, 400],
    ['payloads that are not base64', { body: '{"payloads":[{"data":"?"}]}' }, 400],
    ['plaintext to decode', { body: JSON.stringify({ payloads: [{ data: base64('1') }] }) }, 422],
    ['a body over 8 MiB', { body: JSON.stringify({ payloads: [{ data: 'A'.repeat(9 << 20) }] }) }, 413],
  ])('refuses %s', async (_name, request, status) => {
    expect(await call(request)).toMatchObject({ status });
  });

  it('answers 503 while the issuer does not answer', async () => {
    const checkAccess = createAccessCheck({
      OIDC_ISSUER: originOf(issuer),
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_JWKS_URL: 'http://127.0.0.1:1/',
    });
    const alone = await listening(
      createCodecServer({
        config: { TEMPORAL_UI_ORIGIN: UI, CODEC_KEY_FILES: new Map() },
        checkAccess,
        logger: createLogger({ service: 'codec-server', level: 'silent' }),
      }),
    );
    const response = await fetch(`${originOf(alone)}/decode`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await token()}` },
    });
    expect(response.status).toBe(503);
    alone.close();
  });
});
