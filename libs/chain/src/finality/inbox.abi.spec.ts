import { describe, expect, it } from '@jest/globals';
import { encodeFunctionData, toEventSelector, toFunctionSelector, type Hex } from 'viem';
import { BATCH_CALLS_ABI, BATCH_DELIVERED_ABI } from './inbox.abi.js';
import { decodeBatchCall } from './rpc-l1.observer.js';

const ADDRESS: Hex = `0x${'ab'.repeat(20)}`;
const PROOF = {
  beforeDelayedAcc: `0x${'1'.repeat(64)}` as Hex,
  delayedMessage: {
    kind: 1,
    sender: ADDRESS,
    blockNumber: 2n,
    timestamp: 3n,
    inboxSeqNum: 4n,
    baseFeeL1: 5n,
    messageDataHash: `0x${'2'.repeat(64)}` as Hex,
  },
};

describe('the calls and the event of a rollup inbox', () => {
  it('have the signatures of the real contracts', () => {
    expect(toEventSelector(BATCH_DELIVERED_ABI)).toBe(
      toEventSelector(
        'SequencerBatchDelivered(uint256,bytes32,bytes32,bytes32,uint256,(uint64,uint64,uint64,uint64),uint8)',
      ),
    );
    expect(BATCH_CALLS_ABI.map((call) => toFunctionSelector(call))).toEqual(
      [
        'addSequencerL2BatchFromBlobs(uint256,uint256,address,uint256,uint256)',
        'addSequencerL2BatchFromBlobsDelayProof(uint256,uint256,address,uint256,uint256,(bytes32,(uint8,address,uint64,uint64,uint256,uint256,bytes32)))',
        'addSequencerL2BatchFromOrigin(uint256,bytes,uint256,address,uint256,uint256)',
        'addSequencerL2BatchFromOriginDelayProof(uint256,bytes,uint256,address,uint256,uint256,(bytes32,(uint8,address,uint64,uint64,uint256,uint256,bytes32)))',
        'addSequencerL2Batch(uint256,bytes,uint256,address,uint256,uint256)',
      ].map((signature) => toFunctionSelector(signature)),
    );
  });

  it.each([
    ['addSequencerL2BatchFromBlobs', [7n, 1n, ADDRESS, 10n, 20n]],
    ['addSequencerL2BatchFromBlobsDelayProof', [7n, 1n, ADDRESS, 10n, 20n, PROOF]],
    ['addSequencerL2BatchFromOrigin', [7n, '0x1234', 1n, ADDRESS, 10n, 20n]],
    ['addSequencerL2BatchFromOriginDelayProof', [7n, '0x1234', 1n, ADDRESS, 10n, 20n, PROOF]],
    ['addSequencerL2Batch', [7n, '0x', 1n, ADDRESS, 10n, 20n]],
  ] as const)('The call %s of a rollup inbox is decoded into its number and message counts.', (functionName, args) => {
    const data = encodeFunctionData({ abi: BATCH_CALLS_ABI, functionName, args } as never);
    expect(decodeBatchCall(data)).toEqual({ sequenceNumber: 7n, prevMessageCount: 10n, newMessageCount: 20n });
  });

  it.each([
    '0x',
    '0x12345678',
    `${toFunctionSelector('addSequencerL2BatchFromBlobs(uint256,uint256,address,uint256,uint256)')}00`,
  ] as Hex[])('do not decode %s as a batch call', (input) => {
    expect(decodeBatchCall(input)).toBeNull();
  });
});
