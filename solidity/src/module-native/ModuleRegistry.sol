// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Which module packages are admitted, and whom their families are rewarded through
/// @notice A package is admitted under one family. A launch may use a package that is not here: it is then a module like
/// any other, and earns nothing.
contract ModuleRegistry {
    address public immutable owner;
    /// @notice The family that a package was admitted under; zero for one that never was.
    mapping(bytes32 packageId => bytes32) public familyOf;
    /// @notice Receives a family's share of protocol fees; zero for a family without one.
    mapping(bytes32 familyId => address) public rewardWallet;

    event PackageAdmitted(bytes32 indexed packageId, bytes32 indexed familyId);
    event RewardWalletSet(bytes32 indexed familyId, address wallet);

    error NotOwner(address caller);
    error FamilyIsZero();
    error PackageHasFamily(bytes32 packageId);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor(address owner_) {
        owner = owner_;
    }

    /// @notice Admits a package for ever.
    function admit(bytes32 packageId, bytes32 familyId) external onlyOwner {
        if (familyId == 0) revert FamilyIsZero();
        if (familyOf[packageId] != 0) revert PackageHasFamily(packageId);
        familyOf[packageId] = familyId;
        emit PackageAdmitted(packageId, familyId);
    }

    /// @notice Counts for launches from then on; those that were made keep the wallet of their block.
    function setRewardWallet(bytes32 familyId, address wallet) external onlyOwner {
        rewardWallet[familyId] = wallet;
        emit RewardWalletSet(familyId, wallet);
    }

    /// @notice The wallet that a module earns for; zero where its package is not admitted under that family.
    function eligibleWallet(bytes32 packageId, bytes32 familyId) external view returns (address) {
        return familyId != 0 && familyOf[packageId] == familyId ? rewardWallet[familyId] : address(0);
    }
}
