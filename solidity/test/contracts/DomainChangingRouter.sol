// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {EthereumLaunchStampRouterV1} from "../../src/EthereumLaunchStampRouterV1.sol";

/// @title A router that says that its EIP-712 domain changed
/// @notice The event is in the router's ABI, and no router of ours emits it.
contract DomainChangingRouter is EthereumLaunchStampRouterV1 {
    constructor(IPoolManager poolManager_, address initialOwner)
        EthereumLaunchStampRouterV1(poolManager_, initialOwner)
    {}

    function changeDomain() external {
        emit EIP712DomainChanged();
    }
}
