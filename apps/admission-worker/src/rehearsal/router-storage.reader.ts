import { agree, getCode, type ObserverPair } from '@launch/chain';
import type { LaunchContext } from '@launch/contracts/multi-role';
import { keccak256Hex } from '@launch/contracts/primitives';
import { routerStorage, type RouterStorage } from '@launch/evm';
import { hexToBytes } from 'viem';

export type RouterStorageVerdict =
  | { readonly kind: 'known'; readonly storage: RouterStorage }
  /** The program that the context pins has no known storage layout; a retry cannot change that. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'indeterminate'; readonly reason: string };

export type RouterStorageReader = (router: LaunchContext['chainDeployment']['router']) => Promise<RouterStorageVerdict>;

/**
 * Reads the storage layout of a context's router by its program, as both observers return it. A runtime hash identifies
 * its bytes permanently, so each is read once.
 */
export function createRouterStorageReader(l2: ObserverPair): RouterStorageReader {
  const known = new Map<string, Exclude<RouterStorageVerdict, { readonly kind: 'indeterminate' }>>();
  return async ({ address, runtimeCodeHash }) => {
    const remembered = known.get(runtimeCodeHash);
    if (remembered !== undefined) return remembered;
    const code = await agree(l2, 'code of the router', (observer) => getCode(observer, address, 'latest'));
    if (code.kind === 'indeterminate') return code;
    if (keccak256Hex(hexToBytes(code.value)) !== runtimeCodeHash)
      return { kind: 'indeterminate', reason: 'the router’s code is not the context’s' };
    const storage = routerStorage(code.value);
    const verdict = storage === null ? ({ kind: 'unknown' } as const) : ({ kind: 'known', storage } as const);
    known.set(runtimeCodeHash, verdict);
    return verdict;
  };
}
