import { ask, rpcHeaderSchema, type BlockHeader } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';
import { quantity } from '../rpc/observer.js';
import type { BlockRef } from './block-ref.js';

const nullable = rpcHeaderSchema.nullable();

/** Returns a block's header, or null if the observer has no such block. @throws ChainError */
export async function getHeader(observer: RpcObserver, at: BlockRef): Promise<BlockHeader | null> {
  if (typeof at === 'object') return ask(observer, 'eth_getBlockByHash', [at.hash, false], nullable);
  return ask(observer, 'eth_getBlockByNumber', [typeof at === 'bigint' ? quantity(at) : at, false], nullable);
}
