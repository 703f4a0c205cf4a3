// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Bridge} from "./Bridge.sol";

/// The part of a Nitro rollup's sequencer inbox that carries posted batches, with the real event and call signatures.
/// The data of a batch would travel in blobs, which the development chain does not make: only their bounds are posted.
contract SequencerInbox {
    struct TimeBounds {
        uint64 minTimestamp;
        uint64 maxTimestamp;
        uint64 minBlockNumber;
        uint64 maxBlockNumber;
    }

    enum BatchDataLocation {
        TxInput,
        SeparateBatchEvent,
        NoData,
        Blob
    }

    uint64 private constant DELAY_SECONDS = 1 days;
    uint64 private constant DELAY_BLOCKS = 7200;
    uint64 private constant FUTURE_SECONDS = 1 hours;
    uint64 private constant FUTURE_BLOCKS = 300;

    Bridge public immutable bridge;
    uint256 public totalDelayedMessagesRead;
    mapping(address => bool) public isBatchPoster;

    event SequencerBatchDelivered(
        uint256 indexed batchSequenceNumber,
        bytes32 indexed beforeAcc,
        bytes32 indexed afterAcc,
        bytes32 delayedAcc,
        uint256 afterDelayedMessagesRead,
        TimeBounds timeBounds,
        BatchDataLocation dataLocation
    );

    error NotBatchPoster();
    error BadSequencerNumber(uint256 stored, uint256 received);
    error DelayedBackwards();
    error DelayedTooFar();

    constructor(Bridge rollupBridge, address batchPoster) {
        bridge = rollupBridge;
        isBatchPoster[batchPoster] = true;
    }

    function batchCount() external view returns (uint256) {
        return bridge.sequencerMessageCount();
    }

    function inboxAccs(uint256 index) external view returns (bytes32) {
        return bridge.sequencerInboxAccs(index);
    }

    function addSequencerL2BatchFromBlobs(
        uint256 sequenceNumber,
        uint256 afterDelayedMessagesRead,
        address,
        uint256 prevMessageCount,
        uint256 newMessageCount
    ) external {
        if (!isBatchPoster[msg.sender]) revert NotBatchPoster();
        if (afterDelayedMessagesRead < totalDelayedMessagesRead) revert DelayedBackwards();
        if (afterDelayedMessagesRead > bridge.delayedMessageCount()) revert DelayedTooFar();
        TimeBounds memory bounds = _timeBounds();
        bytes32 dataHash = keccak256(abi.encode(bounds, afterDelayedMessagesRead, prevMessageCount, newMessageCount));
        (uint256 index, bytes32 beforeAcc, bytes32 delayedAcc, bytes32 afterAcc) =
            bridge.enqueueSequencerMessage(dataHash, afterDelayedMessagesRead, prevMessageCount, newMessageCount);
        if (index != sequenceNumber && sequenceNumber != type(uint256).max) {
            revert BadSequencerNumber(index, sequenceNumber);
        }
        totalDelayedMessagesRead = afterDelayedMessagesRead;
        emit SequencerBatchDelivered(
            index, beforeAcc, afterAcc, delayedAcc, afterDelayedMessagesRead, bounds, BatchDataLocation.Blob
        );
    }

    function _timeBounds() private view returns (TimeBounds memory bounds) {
        uint64 time = uint64(block.timestamp);
        uint64 number = uint64(block.number);
        bounds.minTimestamp = time > DELAY_SECONDS ? time - DELAY_SECONDS : 0;
        bounds.maxTimestamp = time + FUTURE_SECONDS;
        bounds.minBlockNumber = number > DELAY_BLOCKS ? number - DELAY_BLOCKS : 0;
        bounds.maxBlockNumber = number + FUTURE_BLOCKS;
    }
}
