import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readGatewayConfig } from './gateway.config.js';
import { newSigningKey } from '@launch/testing';

const SITE = 'https://site.example';
const SIGN_IN = 'https://sign-in.example';

let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'gateway-config-'));
  const secret = path.join(dir, 'secret');
  await writeFile(secret, 'a secret of this test, long enough to be one');
  const publicKeys = path.join(dir, 'public-keys.pem');
  await writeFile(publicKeys, newSigningKey().publicKey);
  env = {
    DATABASE_URL: 'postgresql://gateway@127.0.0.1/launch_gateway',
    BLOB_STORE: dir,
    CREDENTIAL_PEPPER_FILE: secret,
    CURSOR_KEY_FILE: secret,
    ADMISSION_PUBLIC_KEY_FILE: publicKeys,
    FINALITY_PUBLIC_KEY_FILE: publicKeys,
    SIWE_ENABLED: 'true',
  };
});
afterAll(() => rm(dir, { recursive: true }));

it.each([
  [{ SITE_URL: SITE }, SITE],
  [{ SITE_URL: SITE, SIWE_ORIGIN: SIGN_IN }, SIGN_IN],
  [{ SIWE_ORIGIN: SIGN_IN }, SIGN_IN],
])('Wallets sign in, with the settings %j, on the page of %s.', (settings, origin) => {
  const { siteUrl, signIn } = readGatewayConfig({ ...env, ...settings });
  expect([siteUrl, signIn?.origin]).toEqual(['SITE_URL' in settings ? SITE : null, origin]);
});

it('Sign-in without an origin is refused by the name of its variable.', () =>
  expect(() => readGatewayConfig(env)).toThrow('SIWE_ORIGIN'));

it.each([`${SITE}/`, 'http://site.example', `${SITE}/wallet`, 'site.example'])(
  '%s is no origin of a site.',
  (SITE_URL) => expect(() => readGatewayConfig({ ...env, SITE_URL })).toThrow('SITE_URL'),
);
