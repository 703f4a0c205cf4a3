import { encodeAbiParameters, keccak256, stringToHex, toBytes, type Hex } from 'viem';
import { feeKernelImmutables, type FeeConfig } from './fee-kernel.js';
import { wordOf, type ImmutableWords } from './runtime-template.js';

/** The parameters that a Native20 launch chooses; addresses lowercase, ticks as signed numbers. */
export interface Native20Parameters extends FeeConfig {
  readonly name: string;
  readonly symbol: string;
  readonly supply: bigint;
  readonly tickLower: number;
  readonly tickUpper: number;
}

const DOMAIN_TYPEHASH = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
);
const PERMIT_VERSION = '1';
/** The mark of OpenZeppelin ShortStrings for a string of 32 bytes or more, which lives in storage. */
const STORED_STRING: Hex = wordOf(0xffn);

function shortString(text: string): Hex {
  const bytes = toBytes(text);
  if (bytes.length > 31) return STORED_STRING;
  const word = new Uint8Array(32);
  word.set(bytes);
  word[31] = bytes.length;
  return `0x${Array.from(word, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the immutables of the combined contract at `account` (ERC20Permit's EIP-712 caches included). */
export function native20Immutables(
  parameters: Native20Parameters,
  place: { readonly account: Hex; readonly vault: Hex; readonly poolId: Hex; readonly chainId: bigint },
): ImmutableWords {
  const hashedName = keccak256(toBytes(parameters.name));
  const hashedVersion = keccak256(toBytes(PERMIT_VERSION));
  return {
    ...feeKernelImmutables(parameters, place),
    tickLower: wordOf(BigInt(parameters.tickLower)),
    tickUpper: wordOf(BigInt(parameters.tickUpper)),
    _cachedThis: wordOf(place.account),
    _cachedChainId: wordOf(place.chainId),
    _cachedDomainSeparator: keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
        [DOMAIN_TYPEHASH, hashedName, hashedVersion, place.chainId, place.account],
      ),
    ),
    _hashedName: hashedName,
    _hashedVersion: hashedVersion,
    _name: shortString(parameters.name),
    _version: shortString(PERMIT_VERSION),
  };
}
