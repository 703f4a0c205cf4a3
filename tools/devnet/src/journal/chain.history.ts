import { DevnetError } from '../devnet.errors.js';
import type { ChainId } from '../chain-id.js';
import type { BlockRecord, CommandRecord, JournalRecord } from './journal.records.js';

export type HistoryEntry = BlockRecord | CommandRecord;

/**
 * Returns the final content of one chain: the records of its blocks without those that were replaced later, and the changes of
 * state between them. @throws DevnetError `CHAINS_UNREADABLE` when a block does not follow the one before.
 */
export function historyOf(chain: ChainId, genesisNumber: number, records: readonly JournalRecord[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  let head = genesisNumber;
  const expect = (holds: boolean, at: number): void => {
    if (!holds)
      throw new DevnetError('CHAINS_UNREADABLE', 'a record of the journal does not follow the one before', {
        chainId: chain,
        block: at,
      });
  };
  for (const record of records) {
    if (!('chain' in record) || record.chain !== chain) continue;
    if (record.kind === 'block') {
      expect(record.number === head + 1, record.number);
      head = record.number;
      entries.push(record);
    } else if (record.kind === 'command') {
      expect(record.after === head, record.after);
      entries.push(record);
    } else {
      expect(record.to >= genesisNumber && record.to <= head, record.to);
      // A change after a block belongs to the state that its successors began from.
      const first = entries.findIndex((entry) => entry.kind === 'block' && entry.number > record.to);
      if (first >= 0) entries.splice(first);
      head = record.to;
    }
  }
  return entries;
}
