// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {SwapParams, ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

/// @title A third party that trades, and tries liquidity, out of its own balances
contract Trader is IUnlockCallback {
    IPoolManager private immutable poolManager;

    /// @notice What an operation cost (negative) or brought (positive).
    event Settled(int128 nativeDelta, int128 tokenDelta);

    constructor(IPoolManager poolManager_) payable {
        poolManager = poolManager_;
    }

    receive() external payable {}

    function swap(PoolKey calldata key, SwapParams calldata params) external {
        poolManager.unlock(abi.encode(true, key, abi.encode(params)));
    }

    function modifyLiquidity(PoolKey calldata key, ModifyLiquidityParams calldata params) external {
        poolManager.unlock(abi.encode(false, key, abi.encode(params)));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (bool isSwap, PoolKey memory key, bytes memory params) = abi.decode(data, (bool, PoolKey, bytes));
        BalanceDelta delta;
        if (isSwap) delta = poolManager.swap(key, abi.decode(params, (SwapParams)), "");
        else (delta,) = poolManager.modifyLiquidity(key, abi.decode(params, (ModifyLiquidityParams)), "");
        _settle(key.currency0, delta.amount0());
        _settle(key.currency1, delta.amount1());
        emit Settled(delta.amount0(), delta.amount1());
        return "";
    }

    function _settle(Currency currency, int128 amount) private {
        if (amount > 0) {
            poolManager.take(currency, address(this), uint128(amount));
        } else if (amount < 0) {
            poolManager.sync(currency);
            if (Currency.unwrap(currency) == address(0)) {
                poolManager.settle{value: uint128(-amount)}();
            } else {
                IERC20Minimal(Currency.unwrap(currency)).transfer(address(poolManager), uint128(-amount));
                poolManager.settle();
            }
        }
    }
}
