// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";

/// @title Holder of positions that nobody can take back
/// @notice Anybody puts a position of one token in. It is an NFT of the burn address, and there is no function that removes
/// liquidity, collects from it or moves the NFT.
contract FoundationCustody is ERC721, IUnlockCallback {
    struct Position {
        bytes32 poolId;
        int24 tickLower;
        int24 tickUpper;
        uint128 liquidity;
        address depositor;
    }

    /// @notice Owns every position.
    address public constant BURN_ADDRESS = 0x000000000000000000000000000000000000dEaD;

    IPoolManager public immutable poolManager;
    /// @notice Positions so far; their ids count from 1.
    uint256 public count;
    /// @notice All zero for an id that is not there.
    mapping(uint256 custodyId => Position) public positionOf;

    error NotPoolManager(address caller);
    error PositionStays(uint256 custodyId);
    error SeedNotTokenOnly(int128 nativeDelta, int128 tokenDelta);

    constructor(IPoolManager poolManager_) ERC721("Foundation position", "FPOS") {
        poolManager = poolManager_;
    }

    /// @notice Puts liquidity into a pool for ever. The pool takes the token from the caller, who has approved it.
    /// @return custodyId the position's NFT.
    function deposit(PoolKey calldata key, int24 tickLower, int24 tickUpper, uint128 liquidity)
        external
        returns (uint256 custodyId)
    {
        custodyId = ++count;
        positionOf[custodyId] = Position({
            poolId: PoolId.unwrap(key.toId()),
            tickLower: tickLower,
            tickUpper: tickUpper,
            liquidity: liquidity,
            depositor: msg.sender
        });
        ModifyLiquidityParams memory params = ModifyLiquidityParams({
            tickLower: tickLower,
            tickUpper: tickUpper,
            liquidityDelta: int256(uint256(liquidity)),
            salt: bytes32(custodyId)
        });
        poolManager.unlock(abi.encode(key, params, msg.sender));
        _mint(BURN_ADDRESS, custodyId);
    }

    /// @inheritdoc IUnlockCallback
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (PoolKey memory key, ModifyLiquidityParams memory params, address payer) =
            abi.decode(data, (PoolKey, ModifyLiquidityParams, address));
        (BalanceDelta delta,) = poolManager.modifyLiquidity(key, params, "");
        if (delta.amount0() != 0 || delta.amount1() >= 0) revert SeedNotTokenOnly(delta.amount0(), delta.amount1());
        poolManager.sync(key.currency1);
        // A token that lies about having paid leaves the manager's account open, which ends the call.
        IERC20Minimal(Currency.unwrap(key.currency1)).transferFrom(
            payer, address(poolManager), uint128(-delta.amount1())
        );
        poolManager.settle();
        return "";
    }

    /// @dev Whatever a standard lets an owner do, a position that is there does not move.
    function _update(address to, uint256 custodyId, address auth) internal override returns (address from) {
        if (_ownerOf(custodyId) != address(0)) revert PositionStays(custodyId);
        return super._update(to, custodyId, auth);
    }
}
