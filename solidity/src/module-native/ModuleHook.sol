// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {NativeFeeKernel} from "../native20/NativeFeeKernel.sol";

/// @notice What a hook asks of the launcher that makes it.
interface IHookParameters {
    function hookConfig() external view returns (NativeFeeKernel.FeeConfig memory);
    function hookToken() external view returns (address);
}

/// @title The hook of one native launch's pool
/// @notice The fee kernel, open to its launcher's one seeding. It asks the launcher for its parameters, so that its
/// creation code is the same for all launches and a wallet finds a salt with the right address bits by two hashes a try.
contract ModuleHook is NativeFeeKernel {
    constructor()
        NativeFeeKernel(IHookParameters(msg.sender).hookConfig(), IHookParameters(msg.sender).hookToken(), 60)
    {}

    /// @notice Admits the launcher's one seeding; everybody else's liquidity, and a second one, is refused.
    function beforeAddLiquidity(address sender, PoolKey calldata key, ModifyLiquidityParams calldata, bytes calldata)
        external
        override
        onlyPool(key)
        returns (bytes4)
    {
        if (sender != router || stage != Stage.Initialized) revert LiquidityClosed();
        stage = Stage.Seeded;
        return IHooks.beforeAddLiquidity.selector;
    }
}
