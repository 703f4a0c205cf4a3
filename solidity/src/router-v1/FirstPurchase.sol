// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

/// @title The controller's buy inside its own launch
abstract contract FirstPurchase is IUnlockCallback {
    /// @dev One above V4's smallest price: a buy may walk the whole pool.
    uint160 private constant LOWEST_PRICE_LIMIT = 4295128740;

    IPoolManager public immutable poolManager;

    error NotPoolManager(address caller);
    error BuyPartiallyFilled(uint256 initialBuyWei, int128 nativeDelta);
    error TooFewTokens(uint256 minimumTokensOut, int128 tokenDelta);

    constructor(IPoolManager poolManager_) {
        poolManager = poolManager_;
    }

    /// @dev Spends exactly `initialBuyWei` for at least `minimumTokensOut`, which go to the controller.
    function _buy(PoolKey memory key, address controller, uint256 initialBuyWei, uint256 minimumTokensOut) internal {
        poolManager.unlock(abi.encode(key, controller, initialBuyWei, minimumTokensOut));
    }

    /// @inheritdoc IUnlockCallback
    /// @dev The controller's first buy: exact input, the whole amount or nothing. PoolManager calls back only whom it
    /// was unlocked by, and only `_buy` unlocks.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (PoolKey memory key, address controller, uint256 initialBuyWei, uint256 minimumTokensOut) =
            abi.decode(data, (PoolKey, address, uint256, uint256));
        BalanceDelta delta = poolManager.swap(
            key,
            SwapParams({
                zeroForOne: true,
                amountSpecified: -int256(initialBuyWei),
                sqrtPriceLimitX96: LOWEST_PRICE_LIMIT
            }),
            ""
        );
        if (-int256(delta.amount0()) != int256(initialBuyWei)) {
            revert BuyPartiallyFilled(initialBuyWei, delta.amount0());
        }
        if (delta.amount1() <= 0 || uint128(delta.amount1()) < minimumTokensOut) {
            revert TooFewTokens(minimumTokensOut, delta.amount1());
        }
        poolManager.sync(CurrencyLibrary.ADDRESS_ZERO);
        poolManager.settle{value: initialBuyWei}();
        poolManager.take(key.currency1, controller, uint128(delta.amount1()));
        return "";
    }
}
