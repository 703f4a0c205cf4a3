import { describe, expect, it } from '@jest/globals';
import { historyOf } from './chain.history.js';
import type { JournalRecord } from './journal.records.js';

const block = (number: number, fork = 0): JournalRecord => ({
  kind: 'block',
  chain: '1',
  number,
  hash: `0x${`${number}${fork}`.padStart(64, '0')}`,
  timestamp: number,
});
const command = (after: number, wei: string): JournalRecord => ({
  kind: 'command',
  chain: '1',
  after,
  method: 'anvil_setBalance',
  params: ['0x1', wei],
});
const rollback = (to: number): JournalRecord => ({ kind: 'rollback', chain: '1', to });
const other: JournalRecord = {
  kind: 'block',
  chain: '4663',
  number: 50_469_365,
  hash: `0x${'f'.repeat(64)}`,
  timestamp: 1,
};

describe('the history of a chain', () => {
  it('has its own blocks, without those that a rollback removed', () => {
    expect(historyOf('1', 0, [block(1), other, block(2), block(3), rollback(1), block(2, 1)])).toEqual([
      block(1),
      block(2, 1),
    ]);
    expect(historyOf('4663', 50_469_364, [block(1), other])).toEqual([other]);
  });

  it('keeps a change of state that was made before the block of a rollback, and drops one made after it', () => {
    const records = [block(1), command(1, '5'), block(2), command(2, '6'), rollback(1), block(2, 1)];
    expect(historyOf('1', 0, records)).toEqual([block(1), command(1, '5'), block(2, 1)]);
  });

  it.each([
    ['a block that is missing', [block(1), block(3)]],
    ['a block that is there twice', [block(1), block(1)]],
    ['a change of a state that is not the newest', [block(1), command(0, '5')]],
    ['a rollback above the head', [block(1), rollback(2)]],
  ])('A history with %s is refused.', (_what, records) => {
    expect(() => historyOf('1', 0, records)).toThrow(expect.objectContaining({ code: 'CHAINS_UNREADABLE' }));
  });
});
