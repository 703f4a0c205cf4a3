import { describe, expect, it } from '@jest/globals';
import { referredHash, referredNumber, usesFinalityTag, withHash, withResolvedTags } from './block-parameters.js';

const view = { latest: 100, safe: 60, finalized: 20 };
const hash = `0x${'ab'.repeat(32)}`;
const other = `0x${'cd'.repeat(32)}`;

describe('The block parameters', () => {
  it.each([
    ['eth_call', [{}, 'finalized'], [{}, '0x14']],
    ['eth_call', [{}], [{}, '0x64']],
    ['eth_call', [{}, 'earliest'], [{}, 'earliest']],
    ['eth_call', [{}, '0x5'], [{}, '0x5']],
    ['eth_call', [{}, { blockHash: hash }], [{}, { blockHash: hash }]],
    ['eth_getStorageAt', ['0x0', '0x0', 'safe'], ['0x0', '0x0', '0x3c']],
    ['eth_getBlockByNumber', ['pending', true], ['0x64', true]],
    ['eth_getBlockByNumber', ['finalized', false], ['0x14', false]],
    ['eth_simulateV1', [{ blockStateCalls: [] }], [{ blockStateCalls: [] }, '0x64']],
    ['eth_getLogs', [{ fromBlock: '0x1', toBlock: 'finalized' }], [{ fromBlock: '0x1', toBlock: '0x14' }]],
    ['eth_getLogs', [{ fromBlock: 'earliest', toBlock: '0x1ff' }], [{ fromBlock: 'earliest', toBlock: '0x64' }]],
    ['eth_getLogs', [{}], [{ fromBlock: '0x64', toBlock: '0x64' }]],
    ['eth_getLogs', [{ blockHash: hash }], [{ blockHash: hash }]],
    ['eth_getTransactionReceipt', [hash], [hash]],
    ['eth_chainId', [], []],
  ])('of %s %j resolve to %j', (method, params, expected) => {
    expect(withResolvedTags(method, params, view)).toEqual(expected);
  });

  it.each([
    ['eth_call', [{}, 'finalized'], true],
    ['eth_call', [{}, 'latest'], false],
    ['eth_getLogs', [{ fromBlock: 'safe' }], true],
    ['eth_getLogs', [{ blockHash: hash }], false],
    ['eth_getTransactionReceipt', ['finalized'], false],
  ])('of %s %j depend on a finality tag: %s', (method, params, expected) => {
    expect(usesFinalityTag(method, params)).toBe(expected);
  });

  it.each([
    ['eth_getBlockByHash', [hash, false], [other, false]],
    ['eth_getBlockReceipts', [hash], [other]],
    ['eth_getLogs', [{ blockHash: hash, topics: [hash] }], [{ blockHash: other, topics: [hash] }]],
    [
      'eth_getCode',
      ['0x0', { blockHash: hash, requireCanonical: true }],
      ['0x0', { blockHash: other, requireCanonical: true }],
    ],
  ])('of %s %j name a block by its hash', (method, params, expected) => {
    expect(referredHash(method, params)).toBe(hash);
    expect(withHash(method, params, other)).toEqual(expected);
  });

  it.each([
    ['eth_getTransactionReceipt', [hash], null],
    ['eth_getBlockReceipts', ['0x5'], 5],
    ['eth_call', [{}, { blockNumber: '0x7' }], 7],
    ['eth_call', [{}, 'latest'], null],
  ])('of %s %j name the block number %s', (method, params, number) => {
    expect(referredHash(method, params)).toBeNull();
    expect(referredNumber(method, params)).toBe(number);
  });
});
