// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// What a Nitro node answers at 0x00000000000000000000000000000000000000C8. A real node computes it from its own reading of
/// the inbox; here the development chain's batch follower writes that reading straight into this storage:
/// slot 0 the number of batches, keccak256(0) + i one packed word a batch, slot 1 the L1 head the follower has seen.
contract NodeInterface {
    struct Batch {
        uint64 lastBlock;
        uint64 l1Block;
    }

    Batch[] private batches;
    uint64 private l1Head;

    /// The first batch whose last block is at or above `blockNum`; reverts while no posted batch holds the block.
    function findBatchContainingBlock(uint64 blockNum) external view returns (uint64 batch) {
        return _find(blockNum);
    }

    /// L1 blocks since the batch that holds the block with this hash was posted, 0 while it is not posted. Only the last
    /// 256 blocks are known by hash.
    function getL1Confirmations(bytes32 blockHash) external view returns (uint64 confirmations) {
        uint64 number = _numberOf(blockHash);
        if (batches.length == 0 || batches[batches.length - 1].lastBlock < number) return 0;
        uint64 posted = batches[_find(number)].l1Block;
        return l1Head > posted ? l1Head - posted : 0;
    }

    function nitroGenesisBlock() external pure returns (uint256 number) {
        return 0;
    }

    function _find(uint64 blockNum) private view returns (uint64) {
        uint256 high = batches.length;
        require(high != 0 && blockNum <= batches[high - 1].lastBlock, "requested block is after latest on-chain block");
        uint256 low;
        while (low < high) {
            uint256 middle = (low + high) / 2;
            if (batches[middle].lastBlock < blockNum) low = middle + 1;
            else high = middle;
        }
        return uint64(low);
    }

    function _numberOf(bytes32 blockHash) private view returns (uint64) {
        for (uint256 back = 1; back <= 256 && back <= block.number; back++) {
            if (blockhash(block.number - back) == blockHash) return uint64(block.number - back);
        }
        revert("unknown block hash");
    }
}
