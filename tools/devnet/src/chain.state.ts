import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DevnetError } from './devnet.errors.js';
import { readJournal } from './journal/journal.file.js';
import type { JournalContent } from './journal/journal.file.js';

/** The files of one development chain pair. */
export interface StateFiles {
  readonly keysDir: string;
  readonly journal: string;
  /** Rebuilt at every start. */
  readonly caches: { readonly '1': string; readonly '4663': string };
  readonly genesis: { readonly '1': string; readonly '4663': string };
}

export function stateFilesIn(dir: string): StateFiles {
  return {
    keysDir: join(dir, 'keys'),
    journal: join(dir, 'journal.log'),
    caches: { '1': join(dir, 'cache-1'), '4663': join(dir, 'cache-4663') },
    genesis: { '1': join(dir, 'genesis-1.json'), '4663': join(dir, 'genesis-4663.json') },
  };
}

/** The state of a folder: empty, chains that can continue, or chains that cannot. */
export type KeptChains =
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly genesis: Readonly<Record<'1' | '4663', string>> | null }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Inspects the folder without changing anything. */
export async function chainsIn(dir: string): Promise<KeptChains> {
  try {
    const content = await readKept(dir);
    if (content === null) return { kind: 'none' };
    const origin = content.records.find((record) => record.kind === 'origin');
    return { kind: 'kept', genesis: origin?.hashes ?? null };
  } catch (error) {
    if (error instanceof DevnetError && error.code === 'CHAINS_UNREADABLE')
      return { kind: 'unreadable', reason: describe(error) };
    throw error;
  }
}

function describe(error: DevnetError): string {
  const details = Object.entries(error.data).map(([name, value]) => `${name} ${value}`);
  return [error.message, ...details].join(', ');
}

/** Reads the journal in a folder; null without one. @throws DevnetError `CHAINS_UNREADABLE`. */
export async function readKept(dir: string): Promise<JournalContent | null> {
  return readJournal(stateFilesIn(dir).journal);
}

/** Removes the chains of an earlier run and its keys, because a key belongs to the chains that it was made for. */
export async function clearState(dir: string, keyFiles: readonly string[]): Promise<void> {
  const files = stateFilesIn(dir);
  await rm(files.journal, { force: true });
  for (const file of keyFiles) await rm(file, { force: true });
}
