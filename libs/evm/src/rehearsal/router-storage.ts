import { encodeAbiParameters, hexToBytes, keccak256 } from 'viem/utils';
import { maskedRuntimeHash, wordOf } from '../economics/runtime-template.js';
import type { Hex } from '../encoding/hex.js';

/** The storage slots of a router's program that a rehearsal overrides. */
export interface RouterStorage {
  /** The slot of `mapping(address signer => Authority) authority`. */
  readonly authoritySlot: bigint;
}

/**
 * A router's program, identified by its runtime with every immutable zeroed, and the storage layout of its compilation.
 */
interface KnownRouter extends RouterStorage {
  readonly contract: 'MultiRoleLaunchStampRouterV2' | 'ServiceLaunchStampRouterV1';
  readonly runtimeLength: number;
  readonly runtimeMaskedHash: Hex;
  readonly immutables: readonly { readonly name: string; readonly offsets: readonly number[] }[];
}

/**
 * The routers with known storage; a test compares them with the compiled contracts. A deployment's runtime differs only
 * in its immutables (its PoolManager, its domain separator, router V1's chain), which do not move storage.
 */
export const KNOWN_ROUTERS: readonly KnownRouter[] = [
  {
    contract: 'MultiRoleLaunchStampRouterV2',
    runtimeLength: 13_961,
    runtimeMaskedHash: '0x7b24cd95d9aa1929cf82e6894103bf532f236d38d78311238db690b6b2eb9e8d',
    immutables: [
      { name: 'poolManager', offsets: [1211, 1533, 1869, 2605, 2696, 3080, 3177, 3309] },
      { name: 'domainSeparator', offsets: [1324, 4570] },
    ],
    authoritySlot: 2n,
  },
  {
    contract: 'ServiceLaunchStampRouterV1',
    runtimeLength: 21_221,
    runtimeMaskedHash: '0xda4447b1de2dc0b9eb879080ef8999017c810cdeb4042bc4ba48b6ce211e0460',
    immutables: [
      { name: 'CHAIN_ID', offsets: [1104, 3902, 5506, 10102, 10238] },
      { name: 'poolManager', offsets: [1451, 4041, 4132, 4516, 4613, 4745, 9738, 10408, 13145] },
      { name: 'domainSeparator', offsets: [1662, 5986] },
    ],
    authoritySlot: 2n,
  },
];

/**
 * Returns the storage of the router with this runtime, or null for an unknown program, whose slots cannot be guessed.
 */
export function routerStorage(runtime: Hex): RouterStorage | null {
  const bytes = hexToBytes(runtime);
  return KNOWN_ROUTERS.find((router) => maskedRuntimeHash(router, bytes) === router.runtimeMaskedHash) ?? null;
}

/**
 * Returns a storage word that makes a signer a permit authority at any time: `Authority(0, 2^64 - 1, false)`, packed.
 */
export function authorityWord(
  { authoritySlot }: RouterStorage,
  signer: Hex,
): { readonly slot: Hex; readonly word: Hex } {
  const slot = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [signer, authoritySlot]));
  return { slot, word: wordOf((2n ** 64n - 1n) << 64n) };
}
