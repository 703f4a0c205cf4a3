// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// The part of a Nitro rollup's bridge that a finality observer reads: the accumulators of the delayed and of the
/// sequencer's inbox, and the count of messages the posted batches report. Written for the development chain with the
/// real contract's names and signatures; it moves no value.
contract Bridge {
    bytes32[] public delayedInboxAccs;
    bytes32[] public sequencerInboxAccs;
    uint256 public sequencerReportedSubMessageCount;
    address public sequencerInbox;
    address public immutable owner;

    event MessageDelivered(
        uint256 indexed messageIndex,
        bytes32 indexed beforeInboxAcc,
        address inbox,
        uint8 kind,
        address sender,
        bytes32 messageDataHash,
        uint256 baseFeeL1,
        uint64 timestamp
    );
    event SequencerInboxUpdated(address newSequencerInbox);

    error NotSequencerInbox(address sender);
    error NotOwner(address sender);
    error BadSequencerMessageNumber(uint256 stored, uint256 received);

    /// A rollup's first delayed message is its initialization, which is also the only message of batch 0.
    constructor() {
        owner = msg.sender;
        bytes32 dataHash = keccak256(abi.encode(block.chainid, address(this)));
        delayedInboxAccs.push(keccak256(abi.encodePacked(bytes32(0), dataHash)));
        emit MessageDelivered(0, 0, address(this), 11, msg.sender, dataHash, block.basefee, uint64(block.timestamp));
    }

    function setSequencerInbox(address inbox) external {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        sequencerInbox = inbox;
        emit SequencerInboxUpdated(inbox);
    }

    function delayedMessageCount() external view returns (uint256) {
        return delayedInboxAccs.length;
    }

    function sequencerMessageCount() external view returns (uint256) {
        return sequencerInboxAccs.length;
    }

    function enqueueSequencerMessage(
        bytes32 dataHash,
        uint256 afterDelayedMessagesRead,
        uint256 prevMessageCount,
        uint256 newMessageCount
    ) external returns (uint256 seqMessageIndex, bytes32 beforeAcc, bytes32 delayedAcc, bytes32 acc) {
        if (msg.sender != sequencerInbox) revert NotSequencerInbox(msg.sender);
        uint256 reported = sequencerReportedSubMessageCount;
        if (reported != prevMessageCount && prevMessageCount != 0 && reported != 0) {
            revert BadSequencerMessageNumber(reported, prevMessageCount);
        }
        sequencerReportedSubMessageCount = newMessageCount;
        seqMessageIndex = sequencerInboxAccs.length;
        if (seqMessageIndex > 0) beforeAcc = sequencerInboxAccs[seqMessageIndex - 1];
        if (afterDelayedMessagesRead > 0) delayedAcc = delayedInboxAccs[afterDelayedMessagesRead - 1];
        acc = keccak256(abi.encodePacked(beforeAcc, dataHash, delayedAcc));
        sequencerInboxAccs.push(acc);
    }
}
