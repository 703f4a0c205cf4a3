// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {Forcer} from "./Adversaries.sol";
import {SeparateInitializer, SeparateToken} from "./Inventory.sol";

/// @title A token that leaves one unit with whoever deploys it: the router
contract LeakyToken is SeparateToken {
    constructor(string memory name, string memory symbol, uint256 supply, address to)
        SeparateToken(name, symbol, supply, to)
    {
        _mint(msg.sender, 1);
    }
}

/// @title An initializer that forces whatever ether its address was given on the router
contract GenerousInitializer is SeparateInitializer {
    constructor(IPoolManager poolManager_, address router_, int24 tickLower_, int24 tickUpper_)
        SeparateInitializer(poolManager_, router_, tickLower_, tickUpper_)
    {
        new Forcer{value: address(this).balance}(payable(router_));
    }
}

/// @title A hook that lets everything pass, partial fills included
contract PlainHook {
    function beforeInitialize(address, PoolKey calldata, uint160) external pure returns (bytes4) {
        return IHooks.beforeInitialize.selector;
    }
}
