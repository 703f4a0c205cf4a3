import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { createLogger } from '@launch/platform';
import { moduleSubmission } from '../../../../libs/contracts/src/modules/module-package.fixture.js';
import { sourceProgram } from '../../../../tools/start/src/fixtures/source-program.fixture.js';
import { createSubmissionReader, type SubmissionReader } from './submission.reader.js';

const MEGABYTE = 1024 * 1024;
let dir: string;
let blobs: BlobStore;
let reader: SubmissionReader;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'submission-reader-'));
  blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
  const source = path.join(import.meta.dirname, 'submission.worker.ts');
  reader = createSubmissionReader({
    blobs,
    logger: createLogger({ service: 'test', level: 'silent' }),
    script: pathToFileURL(await sourceProgram(source, path.join(dir, 'program'))),
  });
});
afterAll(async () => {
  await reader.close();
  await rm(dir, { recursive: true, force: true });
});

it('The reader reads the largest submission in a thread and small ones without, with the same result.', async () => {
  const small = moduleSubmission({ 'a.sol': 'contract A {}' });
  const large = moduleSubmission(
    Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`${index}.txt`, 'x'.repeat(3.9 * MEGABYTE)])),
  );
  for (const submission of [small, large]) {
    const digest = await blobs.put(new TextEncoder().encode(JSON.stringify(submission)));
    const { planned, wallets } = await reader.read(digest);
    expect(planned.files.map((file) => file.path)).toEqual(submission.files.map((file) => file.path));
    expect(wallets).toEqual([submission.package.author, submission.package.rewardWallet.toLowerCase()]);
    expect(await reader.read(digest)).toMatchObject({ wallets });
  }
});

it('The reader refuses bytes that are not a submission, in a thread and without.', async () => {
  for (const text of ['{}', `"${'x'.repeat(MEGABYTE)}"`]) {
    const digest = await blobs.put(new TextEncoder().encode(text));
    await expect(reader.read(digest)).rejects.toMatchObject({ code: 'REVIEW_INPUT_UNREADABLE' });
  }
});
