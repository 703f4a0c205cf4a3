// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Pool} from "@uniswap/v4-core/src/libraries/Pool.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";

/// @title V4's own pool, one of its own for each vector: seeded with one position below its price, then bought from
/// @notice Tests only: what the TypeScript side computes of a first purchase must equal these integers.
contract PurchaseOracle {
    using Pool for Pool.State;

    struct Purchase {
        int24 tickLower;
        int24 tickUpper;
        int24 tickSpacing;
        uint128 liquidity;
        uint128 offeredWei;
    }

    mapping(uint256 vector => Pool.State) private pools;

    /// @return results Three words a vector: native taken, tokens given, square root price afterwards.
    function buy(Purchase[] calldata purchases) external returns (uint256[] memory results) {
        results = new uint256[](purchases.length * 3);
        for (uint256 i = 0; i < purchases.length; ++i) {
            (BalanceDelta delta, uint160 price) = _buy(pools[i], purchases[i]);
            results[i * 3] = uint128(-delta.amount0());
            results[i * 3 + 1] = uint128(delta.amount1());
            results[i * 3 + 2] = price;
        }
    }

    function _buy(Pool.State storage pool, Purchase calldata purchase)
        private
        returns (BalanceDelta delta, uint160 price)
    {
        pool.initialize(TickMath.getSqrtPriceAtTick(purchase.tickUpper), 0);
        pool.modifyLiquidity(
            Pool.ModifyLiquidityParams({
                owner: address(this),
                tickLower: purchase.tickLower,
                tickUpper: purchase.tickUpper,
                liquidityDelta: int128(purchase.liquidity),
                tickSpacing: purchase.tickSpacing,
                salt: 0
            })
        );
        Pool.SwapResult memory result;
        (delta,,, result) = pool.swap(
            Pool.SwapParams({
                amountSpecified: -int256(uint256(purchase.offeredWei)),
                tickSpacing: purchase.tickSpacing,
                zeroForOne: true,
                sqrtPriceLimitX96: TickMath.MIN_SQRT_PRICE + 1,
                lpFeeOverride: 0
            })
        );
        price = result.sqrtPriceX96;
    }
}
