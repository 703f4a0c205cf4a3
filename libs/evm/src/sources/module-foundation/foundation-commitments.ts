import { keccak256Hex } from '@launch/contracts/primitives';
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import { bytesOfHex, type Hex } from '../../encoding/hex.js';
import { bytesForText } from '../../events/abi-values.js';

/** A module as a Foundation hook names it. Ids are opaque. */
export interface ModuleRef {
  readonly module: Hex;
  readonly packageId: Hex;
  readonly familyId: Hex;
  readonly configurationHash: Hex;
}

/** A Foundation token's own metadata; texts as their bytes. */
export interface FoundationMetadata {
  readonly name: Hex;
  readonly symbol: Hex;
  readonly description: Hex;
  readonly imageURI: Hex;
  readonly website: Hex;
  readonly socialData: Hex;
}

const COMPOSITION = parseAbiParameters([
  'ModuleRef[] modules',
  'struct ModuleRef { address module; bytes32 packageId; bytes32 familyId; bytes32 configurationHash; }',
]);
const METADATA = bytesForText(
  parseAbiParameters(
    'string name, string symbol, string description, string imageURI, string website, bytes socialData',
  ),
);

/** keccak256(abi.encode(ModuleRef[])), in recorded order. */
export const compositionHash = (modules: readonly ModuleRef[]): Hex =>
  keccak256Hex(bytesOfHex(encodeAbiParameters(COMPOSITION, [modules])));

/** Returns the keccak-256 over the six values as a parameter list, without a leading word. */
export const foundationMetadataHash = (said: FoundationMetadata): Hex =>
  keccak256Hex(
    bytesOfHex(
      encodeAbiParameters(METADATA, [
        said.name,
        said.symbol,
        said.description,
        said.imageURI,
        said.website,
        said.socialData,
      ] as never),
    ),
  );
