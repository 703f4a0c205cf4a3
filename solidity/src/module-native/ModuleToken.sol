// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Metadata} from "./NativeTypes.sol";

/// @title The fixed-supply token of a native launch
/// @notice Its whole supply is minted to the launcher, which puts it into the pool. No owner, no further minting; what it
/// says of itself never changes.
contract ModuleToken is ERC20 {
    /// @notice Whom the launch's recipe pays creator fees to. It need not be the wallet that launched.
    address public immutable creator;

    Metadata private _metadata;

    constructor(
        string memory name_,
        string memory symbol_,
        uint256 supply,
        Metadata memory metadata_,
        address creator_,
        address holder
    ) ERC20(name_, symbol_) {
        creator = creator_;
        _metadata = metadata_;
        _mint(holder, supply);
    }

    function metadata()
        external
        view
        returns (string memory description, string memory website, string memory image, bytes memory extraData)
    {
        Metadata storage said = _metadata;
        return (said.description, said.website, said.image, said.extraData);
    }
}

/// @title Makes the tokens of one launcher
/// @notice A launcher with the token's code in it would be larger than Ethereum lets a contract be.
contract ModuleTokenMaker {
    address public immutable launcher;

    error NotLauncher(address caller);

    constructor() {
        launcher = msg.sender;
    }

    /// @return token whose whole supply the launcher holds.
    function make(
        bytes32 salt,
        string calldata name,
        string calldata symbol,
        uint256 supply,
        Metadata calldata metadata,
        address creator
    ) external returns (address token) {
        if (msg.sender != launcher) revert NotLauncher(msg.sender);
        return address(new ModuleToken{salt: salt}(name, symbol, supply, metadata, creator, launcher));
    }
}
