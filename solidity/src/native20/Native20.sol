// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {ILiquiditySeeder} from "./ILiquiditySeeder.sol";
import {NativeFeeKernel} from "./NativeFeeKernel.sol";

/// @title A fixed-supply token that is its own pool's hook (role mask 3)
/// @notice The whole supply is minted here and goes into one position of the native pool, which nobody can withdraw.
/// What rounding leaves over stays here for ever. No owner, no further minting, no way to change a fee.
contract Native20 is ERC20, ERC20Permit, NativeFeeKernel, ILiquiditySeeder, IUnlockCallback {
    int24 private constant TICK_SPACING = 60;
    /// @dev Largest tick of V4 that is a multiple of the spacing.
    int24 private constant MAX_TICK = 887_220;

    /// @notice Range of the one position; the pool starts at or above the upper tick, so only tokens go in.
    int24 public immutable tickLower;
    int24 public immutable tickUpper;

    error SupplyOutOfRange(uint256 supply);
    error TickRangeInvalid(int24 tickLower, int24 tickUpper);
    error NativeSeedNotAllowed();
    error WrongPrice(uint160 sqrtPriceX96);
    error SeedNotTokenOnly(int128 nativeDelta, int128 tokenDelta);

    /// @param supply Raw supply, 18 decimals, positive and inside int128.
    constructor(
        FeeConfig memory config,
        string memory name,
        string memory symbol,
        uint256 supply,
        int24 tickLower_,
        int24 tickUpper_
    ) ERC20(name, symbol) ERC20Permit(name) NativeFeeKernel(config, address(this), TICK_SPACING) {
        if (supply == 0 || supply > uint128(type(int128).max)) revert SupplyOutOfRange(supply);
        if (
            tickLower_ >= tickUpper_ || tickLower_ < -MAX_TICK || tickUpper_ >= MAX_TICK
                || tickLower_ % TICK_SPACING != 0 || tickUpper_ % TICK_SPACING != 0
        ) revert TickRangeInvalid(tickLower_, tickUpper_);
        tickLower = tickLower_;
        tickUpper = tickUpper_;
        _mint(address(this), supply);
    }

    /// @inheritdoc ILiquiditySeeder
    function seedLiquidity(PoolKey calldata key, uint160 sqrtPriceX96, uint128 liquidity) external payable {
        if (msg.sender != router) revert NotRouter(msg.sender);
        if (stage != Stage.Initialized) revert WrongStage(stage);
        if (msg.value != 0) revert NativeSeedNotAllowed();
        bytes32 id = PoolId.unwrap(key.toId());
        if (id != poolId) revert WrongPool(id);
        if (sqrtPriceX96 != initialSqrtPriceX96) revert WrongPrice(sqrtPriceX96);
        stage = Stage.Seeding;
        poolManager.unlock(abi.encode(key, liquidity));
        stage = Stage.Seeded;
    }

    /// @inheritdoc IUnlockCallback
    /// @dev V4 skips the hook's own callbacks here, so the one-shot guard is the stage.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        if (stage != Stage.Seeding) revert WrongStage(stage);
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
        poolManager.sync(Currency.wrap(address(this)));
        _transfer(address(this), address(poolManager), uint128(-delta.amount1()));
        poolManager.settle();
        return "";
    }
}
