// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Launches with a module that is gone when its transaction ends, on development chains: a launch commits to the code of its
/// modules, and no block shows this one's.
contract VanishingLauncher {
    /// Answers every call that has data, and destroys itself at one that has none. Code of its own transaction alone goes.
    bytes private constant MODULE = hex"673660065733ff5b005f5260086018f3";

    error ModuleNotMade();
    error CallFailed(bytes reason);

    /// The module has the address of this contract's next creation.
    function launch(address launcher, bytes calldata data) external {
        bytes memory creation = MODULE;
        address module;
        assembly ("memory-safe") {
            module := create(0, add(creation, 32), mload(creation))
        }
        if (module == address(0)) revert ModuleNotMade();
        (bool ok, bytes memory result) = launcher.call(data);
        if (!ok) revert CallFailed(result);
        (ok, result) = module.call("");
        if (!ok) revert CallFailed(result);
    }
}
