// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {ILiquiditySeeder} from "../../src/native20/ILiquiditySeeder.sol";
import {NativeFeeKernel} from "../../src/native20/NativeFeeKernel.sol";

/// @title Three contracts on the same kernel: initializer (4), then token (1) minting to it, then hook (2) naming both
/// @notice A test project: it shows that the kernel and the router serve a hook that is not the token.
contract SeparateToken is ERC20 {
    constructor(string memory name, string memory symbol, uint256 supply, address to) ERC20(name, symbol) {
        _mint(to, supply);
    }
}

contract SeparateHook is NativeFeeKernel {
    address private immutable initializer;

    constructor(FeeConfig memory config, address token, int24 tickSpacing, address initializer_)
        NativeFeeKernel(config, token, tickSpacing)
    {
        initializer = initializer_;
    }

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

contract SeparateInitializer is ILiquiditySeeder, IUnlockCallback {
    IPoolManager private immutable poolManager;
    address private immutable router;
    int24 private immutable tickLower;
    int24 private immutable tickUpper;
    bool private seeded;

    error NotAllowed();

    constructor(IPoolManager poolManager_, address router_, int24 tickLower_, int24 tickUpper_) {
        (poolManager, router, tickLower, tickUpper) = (poolManager_, router_, tickLower_, tickUpper_);
    }

    function seedLiquidity(PoolKey calldata key, uint160, uint128 liquidity) external payable {
        if (msg.sender != router || seeded || msg.value != 0) revert NotAllowed();
        seeded = true;
        poolManager.unlock(abi.encode(key, liquidity));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotAllowed();
        (PoolKey memory key, uint128 liquidity) = abi.decode(data, (PoolKey, uint128));
        (BalanceDelta delta,) = poolManager.modifyLiquidity(
            key, ModifyLiquidityParams(tickLower, tickUpper, int256(uint256(liquidity)), 0), ""
        );
        if (delta.amount0() != 0 || delta.amount1() >= 0) revert NotAllowed();
        poolManager.sync(key.currency1);
        IERC20Minimal(Currency.unwrap(key.currency1)).transfer(address(poolManager), uint128(-delta.amount1()));
        poolManager.settle();
        return "";
    }
}
