import { encodeAbiParameters, parseAbiParameters, stringToBytes, stringToHex } from 'viem/utils';
import { keccak256Hex } from '@launch/contracts/primitives';
import { bytesOfHex, type Hex } from '../../encoding/hex.js';
import { bytesForText, decodeCanonical } from '../../events/abi-values.js';
import { encoded } from '../../launch-call/launch-hashes.js';
import type { MetadataBytes } from '../token-display.js';

/** One module of a launch. Ids are opaque. */
export interface RecipeModule {
  readonly packageId: Hex;
  readonly familyId: Hex;
  readonly instance: Hex;
  readonly configuration: Hex;
}

/**
 * A launch's recipe in `ConfigurationBound`; texts as their bytes (docs/reference/index-sources.md#native-launches).
 */
export interface NativeRecipe {
  readonly salt: Hex;
  readonly name: Hex;
  readonly symbol: Hex;
  readonly totalSupply: bigint;
  readonly metadata: MetadataBytes;
  readonly modules: readonly RecipeModule[];
  readonly tickLower: number;
  readonly tickUpper: number;
  readonly sqrtPriceX96: bigint;
  readonly creatorBuyFeeBps: number;
  readonly creatorSellFeeBps: number;
  readonly creatorFeeRecipient: Hex;
}

const METADATA = '(string description, string website, string image, bytes extraData)';
const RECIPE = bytesForText(
  parseAbiParameters([
    'Recipe recipe',
    'struct Metadata { string description; string website; string image; bytes extraData; }',
    'struct Module { bytes32 packageId; bytes32 familyId; address instance; bytes configuration; }',
    'struct Recipe { bytes32 salt; string name; string symbol; uint256 totalSupply; Metadata metadata; Module[] modules; int24 tickLower; int24 tickUpper; uint160 sqrtPriceX96; uint16 creatorBuyFeeBps; uint16 creatorSellFeeBps; address creatorFeeRecipient; }',
  ]),
);
const NAMED_METADATA = bytesForText(parseAbiParameters(`string name, string symbol, ${METADATA} metadata`));
const LAUNCH_KEY = parseAbiParameters('address launchWallet, bytes32 salt');
const LAUNCH_ID = parseAbiParameters(
  'bytes32 domain, uint256 chainId, address launcher, bytes32 launchKey, bytes32 recipeHash',
);
const INSTANCE = parseAbiParameters(
  'bytes32 launchId, uint256 index, bytes32 packageId, bytes32 familyId, address instance, bytes32 codeHash, bytes32 configurationHash',
);
const PROGRAM = parseAbiParameters('bytes32[] packageIds, bytes32[] familyIds, bytes32[] instanceHashes');
const WORDS = parseAbiParameters('bytes32[] words');

/** Returns abi.encode(Recipe), the bytes in a launch call and its log. */
export const encodeRecipe = (recipe: NativeRecipe): Hex => encodeAbiParameters(RECIPE, [recipe] as never);

/** Decodes a recipe. Returns null for bytes that are not a canonically encoded recipe. */
export const decodeRecipe = (bytes: Hex): NativeRecipe | null =>
  (decodeCanonical(RECIPE, bytes)?.[0] as unknown as NativeRecipe | undefined) ?? null;

export const recipeHash = (recipe: Hex): Hex => keccak256Hex(bytesOfHex(recipe));

/** Returns the key of a wallet's launch by its salt, independent of the relayer. */
export const launchKey = (launchWallet: Hex, salt: Hex): Hex =>
  encoded(() => encodeAbiParameters(LAUNCH_KEY, [launchWallet, salt]));

/** Returns the keccak256 of a source's domain string, which is the first word in its launch ids. */
export const domainWord = (domain: string): Hex => keccak256Hex(stringToBytes(domain));

export const nativeLaunchId = (launch: {
  readonly domain: string;
  readonly chainId: bigint;
  readonly launcher: Hex;
  readonly launchKey: Hex;
  readonly recipeHash: Hex;
}): Hex =>
  encoded(() =>
    encodeAbiParameters(LAUNCH_ID, [
      domainWord(launch.domain),
      launch.chainId,
      launch.launcher,
      launch.launchKey,
      launch.recipeHash,
    ]),
  );

/** Returns a launch's commitment to one module: its ids, its instance, the instance's code and the configuration. */
export const instanceHash = (launchId: Hex, index: number, module: RecipeModule, codeHash: Hex): Hex =>
  encoded(() =>
    encodeAbiParameters(INSTANCE, [
      launchId,
      BigInt(index),
      module.packageId,
      module.familyId,
      module.instance,
      codeHash,
      keccak256Hex(bytesOfHex(module.configuration)),
    ]),
  );

export const programHash = (modules: readonly RecipeModule[], instanceHashes: readonly Hex[]): Hex =>
  encoded(() =>
    encodeAbiParameters(PROGRAM, [
      modules.map(({ packageId }) => packageId),
      modules.map(({ familyId }) => familyId),
      instanceHashes,
    ]),
  );

/** Returns keccak256(abi.encode(bytes32[])) over the hashes of the configurations, in order. */
export const configurationHash = (modules: readonly RecipeModule[]): Hex =>
  encoded(() =>
    encodeAbiParameters(WORDS, [modules.map(({ configuration }) => keccak256Hex(bytesOfHex(configuration)))]),
  );

/** Returns keccak256(abi.encode(name, symbol, metadata)) with the tuple of `metadata()`. */
export const metadataHash = (name: Hex, symbol: Hex, metadata: MetadataBytes): Hex =>
  encoded(() => encodeAbiParameters(NAMED_METADATA, [name, symbol, metadata] as never));

/** Returns the UTF-8 bytes of a text. */
export const textBytes = (text: string): Hex => stringToHex(text);
