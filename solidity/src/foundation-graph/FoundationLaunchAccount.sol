// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {FoundationFactory} from "../foundation/FoundationFactory.sol";
import {FoundationLedger} from "../foundation/FoundationLedger.sol";
import {FoundationRecipe, LaunchResultV2} from "../foundation/FoundationTypes.sol";

/// @title One wallet's account at one graph factory
/// @notice The creator of the wallet's launches. The router alone makes it launch, and nobody makes it call anything else.
/// What it receives goes to its wallet: the first purchase within the launch, the creator's fees by `claim`.
contract FoundationLaunchAccount {
    using SafeERC20 for IERC20;

    FoundationFactory public immutable factory;
    address public immutable router;

    /// @notice Launches come through the router, which stamps them; the wallet's own call reverts too.
    error NotRouter(address caller);

    /// @param factory_ The graph factory whose accounts are clones of this contract.
    constructor(FoundationFactory factory_, address router_) {
        factory = factory_;
        router = router_;
    }

    /// @notice Whose account this is.
    function wallet() public view returns (address) {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address));
    }

    /// @notice Launches through the factory; the tokens of the first purchase are the wallet's.
    /// @param recipe abi.encode of a `FoundationRecipe`, whose salt counts for this account.
    function launch(bytes calldata recipe) external payable returns (LaunchResultV2 memory result) {
        if (msg.sender != router) revert NotRouter(msg.sender);
        result = factory.launch{value: msg.value}(abi.decode(recipe, (FoundationRecipe)));
        if (result.initialBuyTokenAmount != 0) {
            IERC20(result.token).safeTransfer(wallet(), result.initialBuyTokenAmount);
        }
    }

    /// @notice Pulls the creator's fees of a launch to the wallet; anybody may call it.
    function claim(FoundationLedger ledger) external returns (uint256 amount) {
        return ledger.pull(wallet());
    }
}
