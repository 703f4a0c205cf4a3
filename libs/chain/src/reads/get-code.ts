import { keccak256, type Hex } from 'viem';
import { ask, rpcData } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';
import { stateBlockParameter, type BlockRef } from './block-ref.js';

/** Returns the runtime code of an account, `0x` if it has none. @throws ChainError */
export const getCode = (observer: RpcObserver, address: string, at: BlockRef): Promise<Hex> =>
  ask(observer, 'eth_getCode', [address, stateBlockParameter(at)], rpcData);

/** Returns the keccak-256 of an account's code, or null if it has none. */
export async function getCodeHash(observer: RpcObserver, address: string, at: BlockRef): Promise<Hex | null> {
  const code = await getCode(observer, address, at);
  return code === '0x' ? null : keccak256(code);
}
