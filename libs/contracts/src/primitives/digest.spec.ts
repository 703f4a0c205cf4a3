import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { keccak256 } from 'viem';
import { decodeBase64 } from './base64.js';
import { keccak256Hex, sha256Digest } from './digest.js';
import * as native from './sha256.node.js';
import * as webAssembly from './sha256.wasm.js';

/** Lengths around the blocks of both functions (64 and 136 bytes) and of the copies into WebAssembly memory. */
const LENGTHS = [0, 1, 55, 56, 63, 64, 65, 127, 135, 136, 137, 271, 272, 273, 16_383, 16_384, 16_385, 400_001];
const bytesOf = (length: number): Buffer<ArrayBuffer> => {
  const bytes = Buffer.alloc(length);
  for (let index = 0; index < length; index += 1) bytes[index] = (index * 31 + length) & 0xff;
  return bytes;
};

describe('digests', () => {
  it.each(LENGTHS)('agree repeatedly with OpenSSL and viem over %d bytes', (length) => {
    const bytes = bytesOf(length);
    for (let round = 0; round < 2; round += 1) {
      expect(sha256Digest(bytes)).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
      expect(keccak256Hex(bytes)).toBe(keccak256(bytes));
    }
  });

  it.each(LENGTHS)('are the same with and without Node over %d bytes', (length) => {
    const bytes = bytesOf(length);
    expect(webAssembly.sha256Hex(bytes)).toBe(native.sha256Hex(bytes));
  });

  it.each([
    ['node', 'digest', 'sha256.node'],
    ['browser', 'digest', 'sha256.wasm'],
    ['node', 'base64', 'base64.node'],
    ['browser', 'base64', 'base64.web'],
  ] as const)('accept the byte types %s and %s of the platform', async (platform, entry, chosen) => {
    const { metafile } = await build({
      entryPoints: [join(import.meta.dirname, `${entry}.ts`)],
      absWorkingDir: import.meta.dirname,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform,
      conditions: ['@launch/source'],
      mainFields: ['module', 'main'],
    });
    expect(
      Object.keys(metafile.inputs).filter(
        (file) => file.startsWith(`${chosen.split('.')[0]}.`) && file !== 'base64.ts',
      ),
    ).toEqual([`${chosen}.ts`]);
  });

  it.each(LENGTHS)('Base64 of %d bytes decodes to the same bytes.', (length) => {
    const bytes = bytesOf(length);
    expect(Buffer.from(decodeBase64(bytes.toString('base64'))).equals(bytes)).toBe(true);
  });
});
