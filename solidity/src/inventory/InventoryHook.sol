// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {NativeFeeKernel} from "../native20/NativeFeeKernel.sol";

/// @title The hook of an inventory pool: the native-fee kernel, open to one initializer once (role mask 2)
/// @notice It is neither token nor liquidity holder. Names both earlier contracts: the token through its pool, the
/// initializer as the only account that may ever add liquidity.
contract InventoryHook is NativeFeeKernel {
    address public immutable initializer;

    error InitializerIsZero();

    constructor(FeeConfig memory config, address token, int24 tickSpacing, address initializer_)
        NativeFeeKernel(config, token, tickSpacing)
    {
        if (initializer_ == address(0)) revert InitializerIsZero();
        initializer = initializer_;
    }

    /// @notice Admits the initializer's one seeding; everybody else's liquidity, and a second one, is refused.
    function beforeAddLiquidity(address sender, PoolKey calldata key, ModifyLiquidityParams calldata, bytes calldata)
        external
        override
        onlyPool(key)
        returns (bytes4)
    {
        if (sender != initializer || stage != Stage.Initialized) revert LiquidityClosed();
        stage = Stage.Seeded;
        return IHooks.beforeAddLiquidity.selector;
    }
}
