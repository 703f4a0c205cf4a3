/** Hooks of every kind. Each name describes the hook's use of its caller. */
export const HOOKS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }
struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }
interface Authority { function allows(address who) external view returns (bool); }
error NotManager();
abstract contract Base {
  address internal immutable manager;
  address internal stored;
  uint256 public swaps;
  mapping(address => bool) internal operators;
  constructor(address manager_) { manager = manager_; stored = manager_; operators[manager_] = true; }
  modifier onlyManager() { if (msg.sender != manager) revert NotManager(); _; }
  function count(bytes calldata data) internal { for (uint256 i = 0; i < data.length; ++i) { if (data[i] == 0x01) swaps += uint8(data[i]); } }
}
contract ByModifier is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata data) external onlyManager returns (bytes4, int256, uint24) { count(data); return (this.beforeSwap.selector, 0, 0); }
}
contract ByStorage is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata data) external returns (bytes4, int256, uint24) { count(data); require(msg.sender == stored, 'caller'); return (this.beforeSwap.selector, 0, 0); }
}
contract ByMapping is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata data) external returns (bytes4, int256, uint24) { check(); count(data); return (this.beforeSwap.selector, 0, 0); }
  function check() private view { if (!operators[msg.sender]) revert NotManager(); }
}
contract ByAuthority is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata data) external returns (bytes4, int256, uint24) { require(Authority(stored).allows(msg.sender)); count(data); return (this.beforeSwap.selector, 0, 0); }
}
contract Unguarded is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address sender, PoolKey calldata, SwapParams calldata, bytes calldata data) external returns (bytes4, int256, uint24) { require(sender != address(0)); count(data); return (this.beforeSwap.selector, 0, 0); }
}
contract Discount is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata data) external returns (bytes4, int256, uint24) { count(data); return (this.beforeSwap.selector, 0, msg.sender == manager ? 0 : 3000); }
}
contract Unimplemented is Base {
  constructor(address m) Base(m) {}
  function beforeSwap(address, PoolKey calldata, SwapParams calldata, bytes calldata) external view onlyManager returns (bytes4, int256, uint24) { revert NotManager(); }
}
`;

export const HOOK_NAMES = [
  'ByModifier',
  'ByStorage',
  'ByMapping',
  'ByAuthority',
  'Unguarded',
  'Discount',
  'Unimplemented',
] as const;
