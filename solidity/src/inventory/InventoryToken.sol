// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title A fixed-supply ERC-20 of 18 decimals (role mask 1)
/// @notice The whole inventory is minted once, to the launch's initializer. No owner, no minting, no burning.
contract InventoryToken is ERC20 {
    error InventoryOutOfRange(uint256 inventoryRaw);
    error InitializerIsZero();

    /// @param inventoryRaw Raw supply, positive and inside int128, in which PoolManager accounts.
    /// @param initializer The one-shot seeder, whose address is known before this contract's.
    constructor(string memory name, string memory symbol, uint256 inventoryRaw, address initializer)
        ERC20(name, symbol)
    {
        if (inventoryRaw == 0 || inventoryRaw > uint128(type(int128).max)) revert InventoryOutOfRange(inventoryRaw);
        if (initializer == address(0)) revert InitializerIsZero();
        _mint(initializer, inventoryRaw);
    }
}
