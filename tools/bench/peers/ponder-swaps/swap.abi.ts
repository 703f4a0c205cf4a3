import { parseAbi } from 'viem';

/** The events of PoolManager and a Foundation hook for a trade. */
export const SWAP_ABI = parseAbi([
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event FoundationSwap(bytes32 indexed poolId, address indexed router, bool buy, bool exactInput, uint256 grossQuote, uint256 platformQuote, uint256 creatorQuote, int128 coreAmount0, int128 coreAmount1)',
]);
