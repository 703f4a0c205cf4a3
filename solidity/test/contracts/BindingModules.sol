// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {IModule, ModuleRuntime} from "../../src/module-native/ModuleRuntime.sol";
import {Trader} from "./Trader.sol";

/// @title A module that trades the coin while it is being launched, through a contract that does so for anybody
contract TradingModule is IModule {
    function bind(bytes32, address token, bytes calldata configuration) external {
        (Trader trader, IHooks hook, SwapParams memory params) =
            abi.decode(configuration, (Trader, IHooks, SwapParams));
        PoolKey memory key = PoolKey({
            currency0: CurrencyLibrary.ADDRESS_ZERO,
            currency1: Currency.wrap(token),
            fee: 0,
            tickSpacing: 60,
            hooks: hook
        });
        trader.swap(key, params);
    }
}

/// @title A module that calls what launches it, with its configuration for calldata
contract ReenteringModule is IModule {
    function bind(bytes32, address, bytes calldata configuration) external {
        (bool success, bytes memory reason) = ModuleRuntime(msg.sender).launcher().call(configuration);
        if (success) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
