// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {SqrtPriceMath} from "@uniswap/v4-core/src/libraries/SqrtPriceMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";

/// @title V4's own price and amount arithmetic over many vectors in one call
/// @notice Tests only: what the TypeScript side computes must equal these integers.
contract AmmOracle {
    /// @param vectors Packed words, one a vector: int24 tickLower, int24 tickUpper, uint128 liquidity from the top.
    /// @return results Five words a vector: both square root prices, amount of token rounded up and down, native up.
    function evaluate(uint256[] calldata vectors) external pure returns (uint256[] memory results) {
        results = new uint256[](vectors.length * 5);
        for (uint256 i = 0; i < vectors.length; ++i) {
            uint160 lower = TickMath.getSqrtPriceAtTick(int24(uint24(vectors[i] >> 232)));
            uint160 upper = TickMath.getSqrtPriceAtTick(int24(uint24(vectors[i] >> 208)));
            uint128 liquidity = uint128(vectors[i] >> 80);
            results[i * 5] = lower;
            results[i * 5 + 1] = upper;
            results[i * 5 + 2] = SqrtPriceMath.getAmount1Delta(lower, upper, liquidity, true);
            results[i * 5 + 3] = SqrtPriceMath.getAmount1Delta(lower, upper, liquidity, false);
            results[i * 5 + 4] = SqrtPriceMath.getAmount0Delta(lower, upper, liquidity, true);
        }
    }
}
