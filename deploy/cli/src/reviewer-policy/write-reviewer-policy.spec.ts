import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { parseReviewerPolicy } from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';
import { createBuildSigner } from '../../../../apps/module-builder/src/build.signer.js';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';

const [FIRST, SECOND] = [`0x${'1a'.repeat(20)}`, `0x${'2b'.repeat(20)}`];
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reviewer-policy-'));
  const { publicKey: p256 } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  await Promise.all([
    writeFile(at('public.pem'), publicKey),
    writeFile(at('private.pem'), privateKey),
    writeFile(at('p256.pem'), p256),
  ]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = (key: string, target: string, reviewers: string) =>
  runDeploy(['write-reviewer-policy', '--public-key', at(key), '--out', target, '--reviewers', reviewers], hostOf());

describe('launch-deploy write-reviewer-policy', () => {
  it('writes the policy of the reviewers and of the builder that has the key, and prints its digest', async () => {
    const target = at('policy.json');
    const { exitCode, stdout, stderr } = await write('public.pem', target, `${SECOND},${FIRST}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    const bytes = await readFile(target);
    expect(stdout).toBe(`${sha256Digest(bytes)}\n`);
    expect((await stat(target)).mode & 0o777).toBe(0o644);
    // Review worker, builder and gateway read the file so.
    expect(parseReviewerPolicy(bytes.toString('utf8'))).toMatchObject({
      policy: {
        chainId: 4663,
        reviewers: [FIRST, SECOND],
        workerPublicKey: createBuildSigner(privateKey).publicKey,
        compilerVersions: PINNED_COMPILER_VERSIONS,
      },
    });
  });

  it('refuses to overwrite a policy', async () => {
    const target = at('standing.json');
    await writeFile(target, 'the policy of before');
    const { exitCode, stdout, stderr } = await write('public.pem', target, FIRST);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain(`TARGET_EXISTS: --out ${target}`);
    expect(await readFile(target, 'utf8')).toBe('the policy of before');
  });

  it.each<[string, string, string, number, RegExp]>([
    ['a wallet that is no address', 'public.pem', `${FIRST},0x1234`, 3, /DOCUMENT_INVALID: --reviewers: 1: /],
    [
      'a wallet in capitals',
      'public.pem',
      FIRST.toUpperCase().replace('0X', '0x'),
      3,
      /DOCUMENT_INVALID: --reviewers: 0: /,
    ],
    ['a key that is not Ed25519', 'p256.pem', FIRST, 3, /DOCUMENT_INVALID: --public-key: .*Ed25519/],
    [
      'a private key, which it does not repeat',
      'private.pem',
      FIRST,
      3,
      /^launch-deploy: DOCUMENT_INVALID: --public-key: the public key must be Ed25519 in SPKI PEM\n[^\n]*\n$/,
    ],
    ['a key that does not exist', 'absent.pem', FIRST, 11, /FILE_NOT_READ: --public-key .*ENOENT/],
  ])('refuses %s and writes nothing', async (what, key, reviewers, code, why) => {
    const target = at(`${what.replaceAll(/\W/g, '-')}.json`);
    const { exitCode, stdout, stderr } = await write(key, target, reviewers);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).toMatch(why);
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
