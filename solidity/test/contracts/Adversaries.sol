// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Deploys anything anywhere but through the router
contract Factory {
    error DeployFailed();

    function make(bytes32 salt, bytes memory initCode) external returns (address account) {
        assembly ("memory-safe") {
            account := create2(0, add(initCode, 32), mload(initCode), salt)
        }
        if (account == address(0)) revert DeployFailed();
    }
}

/// @title Sends ether to an account that has no way to receive it
contract Forcer {
    constructor(address payable target) payable {
        selfdestruct(target);
    }
}

/// @title A fee recipient that cannot receive ether, but can name somebody who can
contract Refuser {
    function pull(address vault, address to) external {
        IFeeVault(vault).pull(to);
    }
}

interface IFeeVault {
    function pull(address to) external returns (uint256);
}

/// @title A recipient that pulls again while it is being paid
contract GreedyRecipient {
    address private immutable vault;
    bool public refusedAgain;

    constructor(address vault_) {
        vault = vault_;
    }

    function pull() external {
        IFeeVault(vault).pull(address(this));
    }

    receive() external payable {
        (bool ok,) = vault.call(abi.encodeCall(IFeeVault.pull, (address(this))));
        refusedAgain = !ok;
    }
}

/// @title A component whose constructor calls an account with given data and passes a revert on
contract Reenter {
    constructor(address target, bytes memory data) {
        (bool ok, bytes memory reason) = target.call(data);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }
}
