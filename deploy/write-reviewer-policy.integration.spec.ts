import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { parseReviewerPolicy, sha256Digest } from '@launch/contracts';
import { createBuildSigner } from '../apps/module-builder/src/build.signer.js';

const root = path.resolve(import.meta.dirname, '..');
const [FIRST, SECOND] = [`0x${'1a'.repeat(20)}`, `0x${'2b'.repeat(20)}`];
const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'reviewer-policy-'));
  const { publicKey: p256 } = generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
  await Promise.all([writeFile(at('public.pem'), publicKey), writeFile(at('private.pem'), privateKey), writeFile(at('p256.pem'), p256)]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As the program's own first lines say it is called. */
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const program = ['--no-warnings', '--conditions=@launch/source', '--import', './tools/source-hooks.mjs', 'deploy/write-reviewer-policy.mjs', ...args];
    execFile(process.execPath, program, { cwd: root }, (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }));
  });

it('is the policy of these reviewers and of the builder that has the key, named by its bytes', async () => {
  const target = at('policy.json');
  const { code, stdout, stderr } = await run(at('public.pem'), target, SECOND, FIRST);
  expect([code, stderr]).toEqual([0, '']);
  const bytes = await readFile(target);
  expect(stdout).toBe(`${sha256Digest(bytes)}\n`);
  expect((await stat(target)).mode & 0o777).toBe(0o644);
  // What review worker, builder and gateway read of the file.
  const parsed = parseReviewerPolicy(bytes.toString('utf8'));
  expect(parsed).toMatchObject({
    policy: {
      chainId: 4663,
      reviewers: [FIRST, SECOND],
      workerPublicKey: createBuildSigner(privateKey).publicKey,
      compilerVersions: PINNED_COMPILER_VERSIONS,
    },
  });
});

it('is not written over another one', async () => {
  const target = at('standing.json');
  await writeFile(target, 'the policy of before');
  const { code, stdout, stderr } = await run(at('public.pem'), target, FIRST);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('EEXIST');
  expect(await readFile(target, 'utf8')).toBe('the policy of before');
});

it.each<[string, (target: string) => string[], number, RegExp]>([
  ['without a reviewer', (target) => [at('public.pem'), target], 2, /^usage: /],
  ['of a wallet that is no address', (target) => [at('public.pem'), target, FIRST, '0x1234'], 1, /reviewers/],
  ['of a wallet in capitals', (target) => [at('public.pem'), target, FIRST.toUpperCase().replace('0X', '0x')], 1, /reviewers/],
  ['of a key that is not Ed25519', (target) => [at('p256.pem'), target, FIRST], 1, /Ed25519/],
  ['of a private key, which it does not repeat', (target) => [at('private.pem'), target, FIRST], 1, /^the public key must be Ed25519 in SPKI PEM\n$/],
  ['of a key that is not there', (target) => [at('absent.pem'), target, FIRST], 1, /ENOENT/],
])('is not written %s', async (what, args, code, why) => {
  const target = at(`${what.replaceAll(/\W/g, '-')}.json`);
  const answer = await run(...args(target));
  expect([answer.code, answer.stdout]).toEqual([code, '']);
  expect(answer.stderr).toMatch(why);
  await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
});
