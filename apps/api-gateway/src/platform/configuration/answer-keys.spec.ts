import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicHalfOf } from '@launch/http';
import { readGatewayConfig } from '../../composition/configuration/gateway.config.js';
import { newSigningKey } from '@launch/testing';

let folder: string;
const file = (name: string, text: string): string => {
  writeFileSync(path.join(folder, name), text, { mode: 0o600 });
  return path.join(folder, name);
};
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'answer-keys-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (env: Record<string, string>) => {
  const secret = file('secret', 'x'.repeat(40));
  const publicKeys = file('public-keys.pem', newSigningKey().publicKey);
  return readGatewayConfig({
    DATABASE_URL: 'postgresql://127.0.0.1/x',
    BLOB_STORE: folder,
    CREDENTIAL_PEPPER_FILE: secret,
    CURSOR_KEY_FILE: secret,
    ADMISSION_PUBLIC_KEY_FILE: publicKeys,
    FINALITY_PUBLIC_KEY_FILE: publicKeys,
    ...env,
  }).answerKeys;
};
const pem = (pair: { privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'] }): string =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('The answer keys', () => {
  const [current, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const set = JSON.stringify({ keys: [{ ...other.publicKey.export({ format: 'jwk' }), kid: 'any', use: 'sig' }] });

  it('are absent, or one signing key with the other published keys', () => {
    expect(read({})).toBeNull();
    const key = { ANSWER_SIGNING_KEY_FILE: file('key.pem', pem(current)) };
    expect(read(key)).toMatchObject({ others: [] });
    expect(read({ ...key, ANSWER_OTHER_KEYS_FILE: path.join(folder, 'absent.json') })).toMatchObject({ others: [] });
    const both = read({ ...key, ANSWER_OTHER_KEYS_FILE: file('set.json', set) });
    expect(both?.others).toEqual([publicHalfOf(other.privateKey)]);
    expect(publicHalfOf(both!.key)).toEqual(publicHalfOf(current.privateKey));
  });

  it.each([
    ['a key that is not Ed25519', () => pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }))],
    ['a public key', () => current.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    ['anything else', () => 'hunter2hunter2'],
  ])('refuse %s without quoting it', (_what, text) => {
    const refused = () => read({ ANSWER_SIGNING_KEY_FILE: file('wrong.pem', text()) });
    expect(refused).toThrow(/ANSWER_SIGNING_KEY_FILE: names a file that is no Ed25519 key/);
    expect(refused).not.toThrow(/hunter2/);
  });

  it('accept other keys only as a set of Ed25519 public keys and only beside a signing key', () => {
    const key = { ANSWER_SIGNING_KEY_FILE: file('key.pem', pem(current)) };
    for (const text of ['{}', '{', JSON.stringify({ keys: [{ kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) }] })])
      expect(() => read({ ...key, ANSWER_OTHER_KEYS_FILE: file('bad.json', text) })).toThrow(
        /ANSWER_OTHER_KEYS_FILE: is not a JSON Web Key Set of Ed25519 public keys/,
      );
    expect(() => read({ ANSWER_OTHER_KEYS_FILE: file('set.json', set) })).toThrow(
      /ANSWER_SIGNING_KEY_FILE: is required/,
    );
  });
});
