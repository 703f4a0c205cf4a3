/**
 * The parts of a Nitro rollup's contracts that the finality rule reads, under the rollup's own names and signatures.
 */
const uint = (name: string) => ({ name, type: 'uint256' }) as const;
const DELAY_PROOF = {
  name: 'delayProof',
  type: 'tuple',
  components: [
    { name: 'beforeDelayedAcc', type: 'bytes32' },
    {
      name: 'delayedMessage',
      type: 'tuple',
      components: [
        { name: 'kind', type: 'uint8' },
        { name: 'sender', type: 'address' },
        { name: 'blockNumber', type: 'uint64' },
        { name: 'timestamp', type: 'uint64' },
        uint('inboxSeqNum'),
        uint('baseFeeL1'),
        { name: 'messageDataHash', type: 'bytes32' },
      ],
    },
  ],
} as const;
const FROM_BLOBS = [
  uint('sequenceNumber'),
  uint('afterDelayedMessagesRead'),
  { name: 'gasRefunder', type: 'address' },
  uint('prevMessageCount'),
  uint('newMessageCount'),
] as const;
const WITH_DATA = [
  uint('sequenceNumber'),
  { name: 'data', type: 'bytes' },
  uint('afterDelayedMessagesRead'),
  { name: 'gasRefunder', type: 'address' },
  uint('prevMessageCount'),
  uint('newMessageCount'),
] as const;
const post = <const N extends string, const I extends readonly unknown[]>(name: N, inputs: I) =>
  ({ type: 'function', name, stateMutability: 'nonpayable', inputs, outputs: [] }) as const;

/** Every call that posts a batch and contains its message counts. */
export const BATCH_CALLS_ABI = [
  post('addSequencerL2BatchFromBlobs', FROM_BLOBS),
  post('addSequencerL2BatchFromBlobsDelayProof', [...FROM_BLOBS, DELAY_PROOF]),
  post('addSequencerL2BatchFromOrigin', WITH_DATA),
  post('addSequencerL2BatchFromOriginDelayProof', [...WITH_DATA, DELAY_PROOF]),
  post('addSequencerL2Batch', WITH_DATA),
] as const;

export const BATCH_DELIVERED_ABI = {
  type: 'event',
  name: 'SequencerBatchDelivered',
  inputs: [
    { name: 'batchSequenceNumber', type: 'uint256', indexed: true },
    { name: 'beforeAcc', type: 'bytes32', indexed: true },
    { name: 'afterAcc', type: 'bytes32', indexed: true },
    { name: 'delayedAcc', type: 'bytes32', indexed: false },
    { name: 'afterDelayedMessagesRead', type: 'uint256', indexed: false },
    {
      name: 'timeBounds',
      type: 'tuple',
      indexed: false,
      components: [
        { name: 'minTimestamp', type: 'uint64' },
        { name: 'maxTimestamp', type: 'uint64' },
        { name: 'minBlockNumber', type: 'uint64' },
        { name: 'maxBlockNumber', type: 'uint64' },
      ],
    },
    { name: 'dataLocation', type: 'uint8', indexed: false },
  ],
} as const;

export const BRIDGE_ABI = [
  {
    type: 'function',
    name: 'sequencerInboxAccs',
    stateMutability: 'view',
    inputs: [{ name: 'index', type: 'uint256' }],
    outputs: [{ name: '', type: 'bytes32' }],
  },
] as const;

export const NODE_INTERFACE_ABI = [
  {
    type: 'function',
    name: 'findBatchContainingBlock',
    stateMutability: 'view',
    inputs: [{ name: 'blockNum', type: 'uint64' }],
    outputs: [{ name: 'batch', type: 'uint64' }],
  },
] as const;
