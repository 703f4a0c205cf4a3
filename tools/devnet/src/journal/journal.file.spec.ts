import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JournalFile, readJournal } from './journal.file.js';
import type { JournalRecord } from './journal.records.js';

const address = `0x${'11'.repeat(20)}` as const;
const genesis: JournalRecord = {
  kind: 'genesis',
  baseFee: 1_000_000_000,
  schemaVersion: 'launch.devnet-journal.v1',
  timestamp: 1,
  accounts: { '1': [], '4663': [{ address, wei: '5' }] },
  keys: {
    controller: address,
    owner: address,
    batchPoster: address,
    platformFeeRecipient: address,
    permitAuthority: address,
  },
};
const block = (number: number): JournalRecord => ({
  kind: 'block',
  chain: '1',
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
  timestamp: number,
});

describe('the journal of the chains', () => {
  let dir: string;
  let file: string;

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'launch-journal-'));
    file = join(dir, 'journal.log');
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function write(...records: JournalRecord[]): Promise<void> {
    const journal = await JournalFile.create(file, [genesis]);
    for (const record of records) await journal.append(record);
    await journal.close();
  }

  it('returns the appended records in order, over several runs', async () => {
    expect(await readJournal(file)).toBeNull();
    await write(block(1), block(2));
    const content = await readJournal(file);
    if (content === null) throw new Error('no journal');
    const journal = await JournalFile.continue(file, content);
    // One write contains all records that arrive during another.
    await Promise.all([3, 4, 5, 6].map((number) => journal.append(block(number))));
    await journal.close();
    expect((await readJournal(file))?.records).toEqual([genesis, ...[1, 2, 3, 4, 5, 6].map(block)]);
  });

  it('resolves an append only when the line can be read back', async () => {
    const journal = await JournalFile.create(file, [genesis]);
    for (let number = 1; number <= 20; number++) {
      await journal.append(block(number));
      expect((await readJournal(file))?.records.at(-1)).toEqual(block(number));
    }
    await journal.close();
  });

  it('drops a last line that was cut anywhere, and continues after the one before', async () => {
    await write(block(1), block(2));
    const whole = await readFile(file);
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;
    for (let length = lastLine; length < whole.length; length++) {
      await writeFile(file, whole.subarray(0, length));
      const content = await readJournal(file);
      expect([length, content?.records, content?.cutBytes]).toEqual([length, [genesis, block(1)], length - lastLine]);
    }
    const content = await readJournal(file);
    if (content === null) throw new Error('no journal');
    const journal = await JournalFile.continue(file, content);
    await journal.append(block(2));
    await journal.close();
    expect(await readFile(file)).toEqual(whole);
  });

  it('drops a last line whose bytes never reached the disk', async () => {
    await write(block(1));
    await appendFile(file, `${'\0'.repeat(80)}\n`);
    expect(await readJournal(file)).toMatchObject({ records: [genesis, block(1)], cutBytes: 81 });
  });

  it('counts as damaged after any changed byte before its last line, and after a missing or repeated line', async () => {
    await write(block(1), block(2), block(3));
    const whole = await readFile(file, 'utf8');
    const lines = whole.split('\n').slice(0, -1);
    const damaged = { code: 'CHAINS_UNREADABLE', data: { file } };
    for (let at = 0; at < whole.length - (lines.at(-1)?.length ?? 0) - 1; at += 7) {
      const byte = whole[at] === 'x' ? 'y' : 'x';
      await writeFile(file, whole.slice(0, at) + byte + whole.slice(at + 1));
      await expect(readJournal(file)).rejects.toMatchObject(damaged);
    }
    for (const changed of [
      lines.toSpliced(2, 1),
      lines.toSpliced(1, 1),
      lines.toSpliced(2, 0, lines[2] ?? ''),
      lines.slice(1),
    ]) {
      await writeFile(file, `${changed.join('\n')}\n`);
      await expect(readJournal(file)).rejects.toMatchObject(damaged);
    }
    await truncate(file, 0);
    await expect(readJournal(file)).rejects.toMatchObject(damaged);
  });

  it('reports once that it cannot be written, and writes nothing after that', async () => {
    const journal = await JournalFile.create(file, [genesis]);
    await journal.close();
    await expect(journal.append(block(1))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    await expect(journal.append(block(2))).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(await journal.failed).toMatchObject({ code: 'JOURNAL_FAILED' });
    expect((await readJournal(file))?.records).toEqual([genesis]);
  });
});
