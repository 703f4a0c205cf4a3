import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Receipts } from './receipts.js';

const ID = '0b6f7b0e-95f5-4a3c-8d53-6a2f9a1f2b3c';

it('keeps no receipt if its origin cannot be written beside it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receipts-'));
  try {
    writeFileSync(join(folder, `${ID}.origin`), 'taken');
    const kept = { bytes: new Uint8Array(), receipt: { submissionId: ID, requestDigest: 'sha256:0' } as never };
    expect(() => new Receipts(folder).keep(kept, 'https://service.example', false)).toThrow('MODULE_CLI_FILE');
    expect(readdirSync(folder)).toEqual([`${ID}.origin`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
