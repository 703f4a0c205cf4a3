import { mkdir, open, readFile, rename, truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { DevnetError } from '../devnet.errors.js';
import { journalRecordSchema } from './journal.records.js';
import type { JournalRecord } from './journal.records.js';

/** The complete part of a journal. */
export interface JournalContent {
  readonly records: readonly JournalRecord[];
  /** Length of the complete lines, in bytes. */
  readonly wholeBytes: number;
  /** Bytes of a last line that was cut during its write. */
  readonly cutBytes: number;
}

/** Reads the journal; null without one. @throws DevnetError `CHAINS_UNREADABLE` if anything but its end is damaged. */
export async function readJournal(file: string): Promise<JournalContent | null> {
  try {
    return parseJournal(await readFile(file, 'utf8'), file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function parseJournal(text: string, file: string): JournalContent {
  const lines = text.split('\n');
  // Text after the last line break is a cut line; a complete file ends with a line break.
  const cut = lines.pop() ?? '';
  const records: JournalRecord[] = [];
  for (const [index, line] of lines.entries()) {
    const content = contentOf(line);
    if (content !== null) {
      records.push(recordOf(content, index) ?? refuse(file, index));
      continue;
    }
    // A crash of the machine may leave a last line of the right length with wrong content.
    const isLast = index === lines.length - 1 && cut === '';
    if (!isLast || index === 0) refuse(file, index);
    const cutBytes = Buffer.byteLength(line) + 1;
    return { records, wholeBytes: Buffer.byteLength(text) - cutBytes, cutBytes };
  }
  if (records[0]?.kind !== 'genesis') refuse(file, 0);
  const cutBytes = Buffer.byteLength(cut);
  return { records, wholeBytes: Buffer.byteLength(text) - cutBytes, cutBytes };
}

function refuse(file: string, index: number): never {
  throw new DevnetError('CHAINS_UNREADABLE', 'the journal of the chains is damaged', { file, line: index + 1 });
}

/** Reads `<crc32> <sequence number> <JSON>`. Null if the line is not as written. */
function contentOf(line: string): string | null {
  const match = /^([0-9a-f]{8}) (.*)$/.exec(line);
  return match?.[1] === checksum(match?.[2] ?? '') ? (match?.[2] ?? null) : null;
}

/** Returns the record; null if the line is intact but out of sequence, or of another release. */
function recordOf(content: string, sequence: number): JournalRecord | null {
  const prefix = `${sequence} `;
  if (!content.startsWith(prefix)) return null;
  return journalRecordSchema.safeParse(JSON.parse(content.slice(prefix.length))).data ?? null;
}

function lineOf(record: JournalRecord, sequence: number): string {
  const content = `${sequence} ${JSON.stringify(record)}`;
  return `${checksum(content)} ${content}\n`;
}

function checksum(content: string): string {
  return crc32(content).toString(16).padStart(8, '0');
}

/** The file from which chains are computed again. Lines are appended and never changed. It has one writer. */
export class JournalFile {
  readonly #handle: FileHandle;
  #sequence: number;
  #waiting = '';
  /** The pending write, which takes the waiting records. */
  #next: Promise<void> | null = null;
  #running: Promise<void> = Promise.resolve();
  #tellFailure: (error: DevnetError) => void = () => undefined;
  /** Settles only when a write fails; nothing is written after that. */
  readonly failed = new Promise<DevnetError>((resolve) => (this.#tellFailure = resolve));

  private constructor(handle: FileHandle, sequence: number) {
    this.#handle = handle;
    this.#sequence = sequence;
  }

  /** Creates a journal with its first records, as a whole or not at all. */
  static async create(file: string, records: readonly JournalRecord[]): Promise<JournalFile> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const temporary = `${file}.tmp`;
    const handle = await open(temporary, 'w', 0o600);
    try {
      await handle.writeFile(records.map(lineOf).join(''));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    await syncFolder(dirname(file));
    return new JournalFile(await open(file, 'a'), records.length);
  }

  /** Continues after the content that was read; removes a cut last line first. */
  static async continue(file: string, content: JournalContent): Promise<JournalFile> {
    if (content.cutBytes > 0) await truncate(file, content.wholeBytes);
    const handle = await open(file, 'a');
    await handle.sync();
    return new JournalFile(handle, content.records.length);
  }

  /** Resolves when the record, and all before it, are safely on disk. Records that arrive during a write share the next one. */
  append(record: JournalRecord): Promise<void> {
    this.#waiting += lineOf(record, this.#sequence);
    this.#sequence += 1;
    return (this.#next ??= this.#running = this.#running.then(() => this.#write()));
  }

  /** Waits for the appended records, then closes the file. */
  async close(): Promise<void> {
    try {
      await this.#running;
    } finally {
      await this.#handle.close();
    }
  }

  async #write(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    this.#next = null;
    try {
      await this.#handle.appendFile(text);
      await this.#handle.datasync();
    } catch (cause) {
      const problem = (cause as Error).message;
      const error = new DevnetError(
        'JOURNAL_FAILED',
        `what happens on the chains cannot be written down: ${problem}`,
        {},
        { cause },
      );
      this.#tellFailure(error);
      throw error;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
