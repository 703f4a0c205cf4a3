import { parseAbi } from 'viem';

/** Address on L2 at which a Nitro node answers questions about itself. */
export const NODE_INTERFACE_ADDRESS = '0x00000000000000000000000000000000000000c8';

/** Nitro puts an invalid instruction where the node itself answers. */
export const NODE_INTERFACE_CODE = '0xfe';

/** Number of the L2 chain's genesis block, which is message 0 of the inbox: the real chain's scans begin with the block after it. */
export const GENESIS_L2_BLOCK = 50_469_364;

export const sequencerInboxAbi = parseAbi([
  'function addSequencerL2BatchFromBlobs(uint256 sequenceNumber, uint256 afterDelayedMessagesRead, address gasRefunder, uint256 prevMessageCount, uint256 newMessageCount)',
  'function batchCount() view returns (uint256)',
  'function inboxAccs(uint256 index) view returns (bytes32)',
  'struct TimeBounds { uint64 minTimestamp; uint64 maxTimestamp; uint64 minBlockNumber; uint64 maxBlockNumber; }',
  'event SequencerBatchDelivered(uint256 indexed batchSequenceNumber, bytes32 indexed beforeAcc, bytes32 indexed afterAcc, bytes32 delayedAcc, uint256 afterDelayedMessagesRead, TimeBounds timeBounds, uint8 dataLocation)',
]);

export const bridgeAbi = parseAbi([
  'function setSequencerInbox(address inbox)',
  'function sequencerInboxAccs(uint256 index) view returns (bytes32)',
  'function sequencerMessageCount() view returns (uint256)',
  'function sequencerReportedSubMessageCount() view returns (uint256)',
]);

export const nodeInterfaceAbi = parseAbi([
  'function findBatchContainingBlock(uint64 blockNum) view returns (uint64 batch)',
  'function getL1Confirmations(bytes32 blockHash) view returns (uint64 confirmations)',
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
  'function nitroGenesisBlock() pure returns (uint256 number)',
]);

export const routerAuthorityAbi = parseAbi(['function setAuthority(address authority, uint64 from, uint64 until)']);
