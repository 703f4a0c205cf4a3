// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";

/// @title Holder of one pool's native fees
/// @notice The fees are ERC-6909 claims inside PoolManager, owned by this contract and counted per recipient when they
/// accrue. Each recipient pulls its own, so one that cannot be paid stops nobody else.
contract FeeVault is IUnlockCallback {
    IPoolManager public immutable poolManager;
    /// @notice The hook that made this vault in its constructor: the only account that can credit fees.
    address public immutable hook;
    address public immutable platformRecipient;
    address public immutable creatorRecipient;

    /// @notice Wei a recipient can pull now.
    mapping(address recipient => uint256) public owed;

    event FeesAccrued(uint256 platformFee, uint256 creatorFee);
    event FeesPulled(address indexed recipient, address indexed to, uint256 amount);

    error NotHook(address caller);
    error NotPoolManager(address caller);
    error NothingOwed(address recipient);
    error PayeeIsZero();
    error RecipientIsZero();

    constructor(IPoolManager poolManager_, address platformRecipient_, address creatorRecipient_) {
        if (platformRecipient_ == address(0) || creatorRecipient_ == address(0)) revert RecipientIsZero();
        poolManager = poolManager_;
        hook = msg.sender;
        platformRecipient = platformRecipient_;
        creatorRecipient = creatorRecipient_;
    }

    /// @notice Counts fees whose claims the hook has minted to this vault in the same call.
    function accrue(uint256 platformFee, uint256 creatorFee) external {
        if (msg.sender != hook) revert NotHook(msg.sender);
        owed[platformRecipient] += platformFee;
        owed[creatorRecipient] += creatorFee;
        emit FeesAccrued(platformFee, creatorFee);
    }

    /// @notice Pays everything owed to the caller, in native currency, to an account of its choice.
    /// @param to Receives the wei; if it refuses them the whole call reverts and nothing is lost.
    /// @return amount Wei paid.
    function pull(address to) external returns (uint256 amount) {
        if (to == address(0)) revert PayeeIsZero();
        amount = owed[msg.sender];
        if (amount == 0) revert NothingOwed(msg.sender);
        owed[msg.sender] = 0;
        poolManager.unlock(abi.encode(to, amount));
        emit FeesPulled(msg.sender, to, amount);
    }

    /// @inheritdoc IUnlockCallback
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (address to, uint256 amount) = abi.decode(data, (address, uint256));
        Currency native = CurrencyLibrary.ADDRESS_ZERO;
        poolManager.burn(address(this), CurrencyLibrary.toId(native), amount);
        poolManager.take(native, to, amount);
        return "";
    }
}
