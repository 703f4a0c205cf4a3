import { describe, expect, it } from '@jest/globals';
import { disguiseBlocks, disguiseHash, forgeReceipts } from './forged-answers.js';

const hashOf = (byte: string) => `0x${byte.repeat(32)}`;
const log = {
  transactionHash: hashOf('01'),
  blockHash: hashOf('02'),
  topics: [hashOf('03')],
  data: '0x10',
  logIndex: '0x0',
};
const receipt = {
  transactionHash: hashOf('01'),
  blockHash: hashOf('02'),
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logs: [log],
  logsBloom: '0x01',
};

describe('A forged answer', () => {
  it('disguises a hash, which a second disguise restores', () => {
    for (let byte = 0; byte < 256; byte++) {
      const hash = hashOf(byte.toString(16).padStart(2, '0'));
      expect(disguiseHash(hash)).not.toBe(hash);
      expect(disguiseHash(disguiseHash(hash))).toBe(hash);
    }
    for (const value of [null, undefined, '0x12', 7]) expect(disguiseHash(value)).toBe(value);
  });

  it('disguises block hashes and leaves transaction hashes', () => {
    const block = {
      hash: hashOf('02'),
      parentHash: hashOf('04'),
      transactions: [{ hash: hashOf('01'), blockHash: hashOf('02') }],
    };
    expect(disguiseBlocks(block)).toEqual({
      hash: disguiseHash(hashOf('02')),
      parentHash: disguiseHash(hashOf('04')),
      transactions: [{ hash: hashOf('01'), blockHash: disguiseHash(hashOf('02')) }],
    });
    expect(disguiseBlocks(null)).toBeNull();
  });

  it('stays false when a hash is both forged and disguised', () => {
    const forged = forgeReceipts('eth_getTransactionReceipt', receipt, {
      transactionHash: null,
      fields: ['blockHash'],
    });
    expect((disguiseBlocks(forged) as typeof receipt).blockHash).not.toBe(receipt.blockHash);
  });

  it('inverts the status, with the logs that such a status has', () => {
    const forgery = { transactionHash: null, fields: ['status' as const] };
    expect(forgeReceipts('eth_getTransactionReceipt', receipt, forgery)).toMatchObject({ status: '0x0', logs: [] });
    expect(forgeReceipts('eth_getTransactionReceipt', { ...receipt, status: '0x0', logs: [] }, forgery)).toMatchObject({
      status: '0x1',
    });
    expect(forgeReceipts('eth_getLogs', [log], forgery)).toEqual([]);
  });

  it('leaves other transactions unchanged', () => {
    const forgery = {
      transactionHash: hashOf('09'),
      fields: ['status' as const, 'logs' as const, 'blockHash' as const],
    };
    expect(forgeReceipts('eth_getLogs', [log], forgery)).toEqual([log]);
    expect(forgeReceipts('eth_getTransactionReceipt', receipt, forgery)).toEqual(receipt);
  });
});
