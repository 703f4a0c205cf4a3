import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'deploy-keys-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function show(command: string, content: string) {
  const file = path.join(folder, 'key');
  await writeFile(file, content);
  return runDeploy([command, '--key', file], hostOf());
}

describe('launch-deploy permit-authority', () => {
  /** The first account of the mnemonic `test test … junk`, which every development chain has. */
  const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

  it.each([KEY, `0x${KEY}\n`, KEY.toUpperCase()])('prints the address of the key %s', async (text) => {
    expect(await show('permit-authority', text)).toEqual({
      exitCode: 0,
      stdout: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266\n',
      stderr: '',
    });
  });

  it.each([KEY.slice(1), '0'.repeat(64), 'f'.repeat(64), `${KEY}00`])(
    'refuses %s, which it does not repeat',
    async (text) => {
      const { exitCode, stdout, stderr } = await show('permit-authority', text);
      expect([exitCode, stdout]).toEqual([3, '']);
      expect(stderr).toContain('DOCUMENT_INVALID: --key');
      expect(stderr).not.toContain(text);
    },
  );
});

describe('launch-deploy answer-key', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');

  it('prints the same public half and thumbprint for the private and the public key', async () => {
    const jwk = publicKey.export({ format: 'jwk' });
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest('base64url');
    const ofPrivate = await show('answer-key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    expect(ofPrivate.exitCode).toBe(0);
    expect(JSON.parse(ofPrivate.stdout)).toEqual({ key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x }, kid });
    expect(await show('answer-key', publicKey.export({ type: 'spki', format: 'pem' }).toString())).toEqual(ofPrivate);
  });

  it('refuses a key of another curve, and text that is no key', async () => {
    const { privateKey: other } = generateKeyPairSync('x25519');
    for (const text of [other.export({ type: 'pkcs8', format: 'pem' }).toString(), 'no key'])
      expect(await show('answer-key', text)).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining('is not an Ed25519 key'),
      });
  });
});
