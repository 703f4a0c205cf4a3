import { parseAbi } from 'viem';

const RESULT =
  'struct LaunchResultV2 { address token; address hook; address ledger; bytes32 poolId; uint256 custodyId; uint128 liquidity; uint160 sqrtPriceX96; uint256 initialBuyQuoteAmount; uint256 initialBuyTokenAmount; }';

/** The events and views of a V3 factory, a hook, a token and the custody that our own adapter also reads. */
export const FOUNDATION_ABI = parseAbi([
  RESULT,
  'struct FoundationLaunch { address token; address creator; bytes32 poolId; address hook; address ledger; address quote; bytes32 metadataHash; bytes32 compositionHash; uint256 custodyId; uint256 initialBuyQuoteAmount; LaunchResultV2 result; }',
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'event FoundationLaunchedV3(address indexed token, address indexed creator, bytes32 indexed poolId, address hook, address ledger, address quote, bytes32 metadataHash, bytes32 compositionHash, uint256 custodyId, uint256 initialBuyQuoteAmount, LaunchResultV2 result)',
  'function launchOf(address token) view returns (FoundationLaunch)',
  'function poolManager() view returns (address)',
  'function custody() view returns (address)',
  'function token() view returns (address)',
  'function quote() view returns (address)',
  'function creator() view returns (address)',
  'function ledger() view returns (address)',
  'function poolKey() view returns (PoolKey)',
  'function poolId() view returns (bytes32)',
  'function compositionHash() view returns (bytes32)',
  'function moduleCount() view returns (uint256)',
  'function moduleAt(uint256 index) view returns (address module, bytes32 packageId, bytes32 familyId, bytes32 configurationHash)',
  'function platformFeeBps() view returns (uint16)',
  'function creatorBuyFeeBps() view returns (uint16)',
  'function creatorSellFeeBps() view returns (uint16)',
  'function ownerOf(uint256 custodyId) view returns (address)',
  'function positionOf(uint256 custodyId) view returns (bytes32 poolId, int24 tickLower, int24 tickUpper, uint128 liquidity, address depositor)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function imageURI() view returns (string)',
  'function website() view returns (string)',
  'function socialData() view returns (bytes)',
  'function metadataHash() view returns (bytes32)',
]);
