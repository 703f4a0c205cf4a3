import type { Abi } from 'viem';
import { parseAbi } from 'viem/utils';

/** Names that differ between the native source versions; everything else is shared. */
export interface NativeNames {
  readonly launched: string;
  readonly programBound: string;
  readonly configurationBound: string;
  readonly tokenIdentityBound: string;
}

const named = (prefix: string, suffix: string): NativeNames => ({
  launched: `${prefix}Launched${suffix}`,
  programBound: `${prefix}ProgramBound${suffix}`,
  configurationBound: `${prefix}ConfigurationBound${suffix}`,
  tokenIdentityBound: `${prefix}TokenIdentityBound${suffix}`,
});

export const NATIVE_V1_NAMES = named('ModuleNative', '');
export const NATIVE_V2_NAMES = named('ModuleNative', 'V2');
export const ENGINE_V1_NAMES = named('ModuleEngine', '');

/** Returns the events and getters of a launcher or an engine. `last` is the last part of V2's launch event. */
export const nativeAbi = (names: NativeNames, last = ''): Abi =>
  parseAbi([
    `event ${names.launched}(bytes32 indexed launchId, address indexed token, address indexed launchWallet, address poolManager, bytes32 poolId, address hook, bytes32 recipeHash, bytes32 launchKey${last})`,
    `event ${names.programBound}(bytes32 indexed launchId, address indexed token, address indexed runtime, bytes32 programHash, bytes32[] packageIds, bytes32[] familyIds, address[] instances, bytes32[] instanceHashes)`,
    `event ${names.configurationBound}(bytes32 indexed launchId, address indexed token, bytes32 metadataHash, bytes32 configurationHash, bytes recipe)`,
    `event ${names.tokenIdentityBound}(bytes32 indexed launchId, address indexed token, bytes32 tokenCodeHash, string name, string symbol, uint8 decimals, uint256 totalSupply)`,
    'function launchIdentityVersion() view returns (uint256)',
    'function getLaunch(address token) view returns (bytes32 launchId, address launchWallet, address hook, address poolManager, bytes32 poolId, bytes32 recipeHash)',
    'function getLaunchIdentity(address token) view returns (bytes32 launchId, bytes32 launchKey, bytes32 programHash, bytes32 configurationHash, bytes32 metadataHash, address runtime)',
  ] as readonly string[]) as Abi;
