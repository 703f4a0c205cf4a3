import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { MAX_SIGNATURE_S, recoverPermitSigner, type Hex } from '@launch/evm';
import { keccak256, recoverAddress } from 'viem';
import { createLocalKeySigner } from './index.js';
import { encodingOf } from './fixtures/signer-contract.fixture.js';
import { guardedSigner } from './permit.signer.js';

// The first account of the well-known development mnemonic.
const KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'signer-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function keyFile(content: string, mode = 0o600): Promise<string> {
  const file = path.join(dir, 'key');
  await writeFile(file, content, { mode });
  await chmod(file, mode);
  return file;
}

describe('a key in a file', () => {
  it.each([KEY, `0x${KEY}`, `${KEY.toUpperCase()}\n`, `0x${KEY}\r\n`])('signs as its own address', async (content) => {
    const signer = await createLocalKeySigner(await keyFile(content));
    expect(signer.address).toBe(ADDRESS);
    for (let byte = 0; byte < 32; byte += 1) {
      const encoding = encodingOf(byte);
      const digest = keccak256(encoding);
      const signature = await signer.signPermit(encoding);
      expect(recoverPermitSigner(digest, signature)).toBe(ADDRESS);
      expect((await recoverAddress({ hash: digest, signature })).toLowerCase()).toBe(ADDRESS);
      expect(BigInt(`0x${signature.slice(66, 130)}`)).toBeLessThanOrEqual(MAX_SIGNATURE_S);
      expect(await signer.signPermit(encoding)).toBe(signature);
    }
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o610])('is refused if its group or others have access: %o', async (mode) => {
    await expect(createLocalKeySigner(await keyFile(KEY, mode))).rejects.toMatchObject({
      code: 'SIGNER_KEY_FILE_EXPOSED',
    });
  });

  it.each([
    ['nothing', ''],
    ['too short', KEY.slice(1)],
    ['two lines', `${KEY}\n${KEY}\n`],
    ['zero', '0'.repeat(64)],
    ['the order of the curve', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['a mnemonic', 'test test test test test test test test test test test junk'],
    ['a long file', 'f'.repeat(4096)],
  ])('is refused when it holds %s', async (_name, content) => {
    await expect(createLocalKeySigner(await keyFile(content))).rejects.toMatchObject({ code: 'SIGNER_KEY_INVALID' });
  });

  it('is refused if it is a link, a folder, a pipe or absent', async () => {
    await keyFile(KEY);
    await symlink(path.join(dir, 'key'), path.join(dir, 'link'));
    await mkdir(path.join(dir, 'folder'), { mode: 0o700 });
    execFileSync('mkfifo', ['-m', '600', path.join(dir, 'pipe')]);
    for (const name of ['link', 'folder', 'pipe', 'absent']) {
      await expect(createLocalKeySigner(path.join(dir, name))).rejects.toMatchObject({
        code: 'SIGNER_KEY_FILE_UNREADABLE',
      });
    }
  });

  it('appears neither in errors nor in printed objects', async () => {
    const signer = await createLocalKeySigner(await keyFile(KEY));
    const failed = await createLocalKeySigner(await keyFile(`${KEY}x`)).catch((error: unknown) => error);
    for (const shown of [
      inspect(signer, { depth: 10, showHidden: true }),
      JSON.stringify(signer),
      inspect(failed),
      String((failed as Error).stack),
    ]) {
      expect(shown.toLowerCase()).not.toContain(KEY.slice(0, 16));
      expect(shown).not.toContain(dir);
    }
  });
});

describe('the guard around any signer', () => {
  it('returns no signature that the router would not accept from this address', async () => {
    const good = await createLocalKeySigner(await keyFile(KEY));
    const encoding = encodingOf(7);
    const signature = await good.signPermit(encoding);
    const giving = (given: Hex) => ({ sign: async () => given, check: async () => undefined });
    const order = 2n * MAX_SIGNATURE_S + 1n;
    const highS = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const wrong: readonly Hex[] = [
      '0x',
      `0x${'11'.repeat(65)}`,
      signature.slice(0, -2) as Hex,
      `${signature.slice(0, 66)}${highS}${signature.endsWith('1b') ? '1c' : '1b'}` as Hex,
      `${signature.slice(0, -2)}00` as Hex,
      await good.signPermit(encodingOf(8)),
    ];
    for (const given of wrong) {
      await expect(guardedSigner(good.address, giving(given)).signPermit(encoding)).rejects.toMatchObject({
        code: 'SIGNER_SIGNATURE_WRONG',
        retryable: true,
      });
    }
    await expect(guardedSigner(`0x${'ee'.repeat(20)}`, giving(signature)).signPermit(encoding)).rejects.toMatchObject({
      code: 'SIGNER_SIGNATURE_WRONG',
    });
    expect(await guardedSigner(good.address, giving(signature)).signPermit(encoding)).toBe(signature);
  });
});
