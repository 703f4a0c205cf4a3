// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @title The one entry point through which a launch gives its pool liquidity
interface ILiquiditySeeder {
    /// @notice Adds the project's own tokens to the pool that was just initialised. Succeeds once, for the router only.
    /// @param key The pool.
    /// @param sqrtPriceX96 The price the router initialised it at.
    /// @param liquidity Liquidity units to add over the seeder's own immutable tick range.
    function seedLiquidity(PoolKey calldata key, uint160 sqrtPriceX96, uint128 liquidity) external payable;
}
