import type { GraphFactoryVersion } from '@launch/contracts/index';
import type { Abi } from 'viem';
import { parseAbi } from 'viem/utils';

const RESULT =
  'struct LaunchResultV2 { address token; address hook; address ledger; bytes32 poolId; uint256 custodyId; uint128 liquidity; uint160 sqrtPriceX96; uint256 initialBuyQuoteAmount; uint256 initialBuyTokenAmount; }';

const FACTORY = [
  RESULT,
  'struct Module { bytes32 packageId; bytes32 familyId; address instance; bytes configuration; }',
  'struct ModuleRef { address module; bytes32 packageId; bytes32 familyId; bytes32 configurationHash; }',
  'struct Recipe { bytes32 salt; string name; string symbol; uint256 totalSupply; string description; string imageURI; string website; bytes socialData; Module[] modules; int24 tickLower; int24 tickUpper; uint16 creatorBuyFeeBps; uint16 creatorSellFeeBps; uint256 minInitialBuyTokens; }',
  'struct Launch { address token; address creator; bytes32 poolId; address hook; address ledger; address quote; bytes32 metadataHash; bytes32 compositionHash; uint256 custodyId; uint256 initialBuyQuoteAmount; LaunchResultV2 result; }',
  'struct HookParameters { address poolManager; address custody; address platform; address token; address creator; uint16 platformFeeBps; uint16 creatorBuyFeeBps; uint16 creatorSellFeeBps; ModuleRef[] modules; }',
  'error CloneArgumentsTooLong()',
  'error Create2EmptyBytecode()',
  'error CreatorFeeNotAllowed(uint16 feeBps)',
  'error CreatorFeesDiffer(uint16 buyFeeBps, uint16 sellFeeBps)',
  'error FailedDeployment()',
  'error InitialBuyTooSmall(uint256 bought)',
  'error InsufficientBalance(uint256 balance, uint256 needed)',
  'error NotPoolManager(address caller)',
  'error ReentrancyGuardReentrantCall()',
  'error SaltUsed(bytes32 salt)',
  'error SupplyOutOfRange(uint256 supply)',
  'error TickRangeInvalid(int24 tickLower, int24 tickUpper)',
  'error TooManyModules(uint256 count)',
  'event FoundationGraphLaunched(address indexed token, address indexed creator, bytes32 indexed poolId, address hook, address ledger, address quote, bytes32 metadataHash, bytes32 compositionHash, uint256 custodyId, uint256 initialBuyQuoteAmount, LaunchResultV2 result)',
  'event LaunchAccountOpened(address indexed wallet, address indexed account)',
  'function MAX_MODULES() view returns (uint256)',
  'function accountOf(address wallet) view returns (address)',
  'function custody() view returns (address)',
  'function hookParameters() view returns (HookParameters)',
  'function launch(Recipe recipe) payable returns (LaunchResultV2)',
  'function launchAccount() view returns (address)',
  'function launchOf(address token) view returns (Launch)',
  'function openAccount(address wallet) returns (address)',
  'function platform() view returns (address)',
  'function platformFeeBps() pure returns (uint16)',
  'function poolManager() view returns (address)',
  'function router() view returns (address)',
  'function runtime() view returns (address)',
  'function saltUsed(bytes32 salt) view returns (bool)',
  'function tokenMaker() view returns (address)',
  'function unlockCallback(bytes data) returns (bytes)',
] as const;

/** The ABI of each graph factory on Ethereum (docs/reference/index-reads.md#foundation-discovery). */
export const GRAPH_FACTORY_ABIS: Readonly<Record<GraphFactoryVersion, Abi>> = {
  V1: parseAbi(FACTORY as readonly string[]) as Abi,
  V2: parseAbi([...FACTORY, 'error NotLaunchAccount(address caller)'] as readonly string[]) as Abi,
};
