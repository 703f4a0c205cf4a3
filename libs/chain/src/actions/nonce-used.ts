import { encodeFunctionData, type Hex } from 'viem';
import { ROUTER_V2_ABI } from '@launch/evm';
import { indeterminate, type Agreement } from '../agreement/agreement.js';
import { ChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import { decodeAnswer, readContract } from '../reads/read-contract.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { ethCallAgreed } from './agreed-reads.js';

/** Whether the router has spent a controller's permit nonce, as one observer sees it. @throws ChainError */
export const nonceUsed = (
  observer: RpcObserver,
  router: string,
  controller: string,
  nonce: bigint,
  at: BlockRef,
): Promise<boolean> =>
  readContract(observer, { address: router, abi: ROUTER_V2_ABI }, 'nonceUsed', [controller as Hex, nonce], at);

/** The same from both observers at one block; the newest common one by default. */
export async function nonceUsedAgreed(
  pair: ObserverPair,
  router: string,
  controller: string,
  nonce: bigint,
  at?: BlockRef,
): Promise<Agreement<boolean>> {
  const data = encodeFunctionData({ abi: ROUTER_V2_ABI, functionName: 'nonceUsed', args: [controller as Hex, nonce] });
  const answer = await ethCallAgreed(pair, { to: router, data }, at === undefined ? {} : { at });
  if (answer.kind === 'indeterminate') return answer;
  if (answer.value.kind === 'reverted') return indeterminate('nonceUsed: the router reverts');
  try {
    return { ...answer, value: decodeAnswer(ROUTER_V2_ABI, 'nonceUsed', answer.value.data) };
  } catch (error) {
    if (error instanceof ChainError) return indeterminate(`nonceUsed: ${error.code}`);
    throw error;
  }
}
