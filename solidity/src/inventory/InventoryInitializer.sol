// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {ILiquiditySeeder} from "../native20/ILiquiditySeeder.sol";

/// @title Puts a token's whole inventory into its pool, once (role mask 4)
/// @notice Holds the inventory from the token's constructor on. The pool starts at the upper tick, so only tokens go
/// in, and the liquidity is floor(inventory * 2^96 / (sqrtUpper - sqrtLower)): both are recomputed here and anything
/// else is refused. There is no function that takes liquidity out or moves what rounding left behind.
/// @dev Names neither token nor hook, so that its address is known before theirs; the pool arrives with the call.
contract InventoryInitializer is ILiquiditySeeder, IUnlockCallback {
    IPoolManager public immutable poolManager;
    /// @notice The launch router: the only account that may seed.
    address public immutable router;
    /// @notice Range of the one position.
    int24 public immutable tickLower;
    int24 public immutable tickUpper;

    bool public seeded;

    error TickRangeInvalid(int24 tickLower, int24 tickUpper);
    error NotRouter(address caller);
    error NotPoolManager(address caller);
    error AlreadySeeded();
    error NativeSeedNotAllowed();
    error WrongPrice(uint160 sqrtPriceX96);
    error WrongLiquidity(uint128 liquidity);
    error SeedNotTokenOnly(int128 nativeDelta, int128 tokenDelta);

    /// @param tickUpper_ Strictly below V4's highest tick: the pool is initialised at it. That both ticks are multiples
    /// of the pool's spacing is PoolManager's check.
    constructor(IPoolManager poolManager_, address router_, int24 tickLower_, int24 tickUpper_) {
        if (tickLower_ >= tickUpper_ || tickLower_ < TickMath.MIN_TICK || tickUpper_ >= TickMath.MAX_TICK) {
            revert TickRangeInvalid(tickLower_, tickUpper_);
        }
        poolManager = poolManager_;
        router = router_;
        tickLower = tickLower_;
        tickUpper = tickUpper_;
    }

    /// @inheritdoc ILiquiditySeeder
    function seedLiquidity(PoolKey calldata key, uint160 sqrtPriceX96, uint128 liquidity) external payable {
        if (msg.sender != router) revert NotRouter(msg.sender);
        if (seeded) revert AlreadySeeded();
        if (msg.value != 0) revert NativeSeedNotAllowed();
        uint160 sqrtUpper = TickMath.getSqrtPriceAtTick(tickUpper);
        if (sqrtPriceX96 != sqrtUpper) revert WrongPrice(sqrtPriceX96);
        // The token keeps its supply below 2^127, so the product stays far below 2^256.
        uint256 inventory = IERC20Minimal(Currency.unwrap(key.currency1)).balanceOf(address(this));
        if (liquidity != (inventory << 96) / (sqrtUpper - TickMath.getSqrtPriceAtTick(tickLower))) {
            revert WrongLiquidity(liquidity);
        }
        seeded = true;
        poolManager.unlock(abi.encode(key, liquidity));
    }

    /// @inheritdoc IUnlockCallback
    /// @dev PoolManager calls back whoever unlocked it, and only `seedLiquidity` does that here.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (PoolKey memory key, uint128 liquidity) = abi.decode(data, (PoolKey, uint128));
        (BalanceDelta delta,) = poolManager.modifyLiquidity(
            key,
            ModifyLiquidityParams({
                tickLower: tickLower,
                tickUpper: tickUpper,
                liquidityDelta: int256(uint256(liquidity)),
                salt: 0
            }),
            ""
        );
        if (delta.amount0() != 0 || delta.amount1() >= 0) revert SeedNotTokenOnly(delta.amount0(), delta.amount1());
        poolManager.sync(key.currency1);
        // More than the inventory cannot be settled: the token refuses what is not there, and the launch with it.
        IERC20Minimal(Currency.unwrap(key.currency1)).transfer(address(poolManager), uint128(-delta.amount1()));
        poolManager.settle();
        return "";
    }
}
