// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {FeeVault} from "../native20/FeeVault.sol";

/// @title Divides the protocol's fees of native launches
/// @notice The platform recipient of every launch's vault. Half of what is collected is the platform's; the other half is
/// shared equally among the reward wallets of the launch's distinct eligible families. Both are rounded down, and every
/// remainder is the platform's. Without an eligible family all of it is the platform's.
contract ModuleFeeSplit {
    /// @notice The launcher that made it: the only account that registers vaults.
    address public immutable launcher;
    address public immutable platform;

    /// @notice Wei that a recipient can pull now.
    mapping(address recipient => uint256) public owed;
    mapping(FeeVault vault => bool) public isRegistered;
    mapping(FeeVault vault => address[]) private _wallets;

    event FeesDivided(FeeVault indexed vault, uint256 amount, uint256 platformShare, uint256 familyShare);
    event FeesPulled(address indexed recipient, address indexed to, uint256 amount);

    error NotLauncher(address caller);
    error NotRegistered(FeeVault vault);
    error NotVault(address sender);
    error NothingOwed(address recipient);
    error PayeeIsZero();
    error PayeeRefused(address to);
    error PlatformIsZero();

    FeeVault private _collecting;

    constructor(address platform_) {
        if (platform_ == address(0)) revert PlatformIsZero();
        launcher = msg.sender;
        platform = platform_;
    }

    /// @notice Only what a vault pays while it is collected from: PoolManager sends it.
    receive() external payable {
        if (address(_collecting) == address(0)) revert NotVault(msg.sender);
    }

    /// @param wallets of the launch's distinct eligible families, in recorded order.
    function register(FeeVault vault, address[] calldata wallets) external {
        if (msg.sender != launcher) revert NotLauncher(msg.sender);
        isRegistered[vault] = true;
        _wallets[vault] = wallets;
    }

    /// @notice The reward wallets that share a launch's protocol fees, as they were at its block.
    function walletsOf(FeeVault vault) external view returns (address[] memory) {
        return _wallets[vault];
    }

    /// @notice Takes what a launch's vault owes the protocol, and divides it. Anybody may call it.
    function collect(FeeVault vault) external returns (uint256 amount) {
        if (!isRegistered[vault]) revert NotRegistered(vault);
        _collecting = vault;
        amount = vault.pull(address(this));
        _collecting = FeeVault(address(0));
        address[] storage wallets = _wallets[vault];
        uint256 share = wallets.length == 0 ? 0 : (amount / 2) / wallets.length;
        for (uint256 i = 0; i < wallets.length; ++i) owed[wallets[i]] += share;
        uint256 platformShare = amount - share * wallets.length;
        owed[platform] += platformShare;
        emit FeesDivided(vault, amount, platformShare, share);
    }

    /// @notice Pays everything owed to the caller to an account of its choice.
    function pull(address to) external returns (uint256 amount) {
        if (to == address(0)) revert PayeeIsZero();
        amount = owed[msg.sender];
        if (amount == 0) revert NothingOwed(msg.sender);
        owed[msg.sender] = 0;
        (bool paid,) = to.call{value: amount}("");
        if (!paid) revert PayeeRefused(to);
        emit FeesPulled(msg.sender, to, amount);
    }
}
