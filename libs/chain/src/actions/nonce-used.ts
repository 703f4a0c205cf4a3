import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { indeterminate, type Agreement } from '../agreement/agreement.js';
import { ChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import { ethCall } from '../reads/eth-call.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { ROUTER_READS_ABI } from './router-reads.abi.js';
import { ethCallAgreed } from './agreed-reads.js';

const callData = (controller: string, nonce: bigint): Hex =>
  encodeFunctionData({ abi: ROUTER_READS_ABI, functionName: 'nonceUsed', args: [controller as Hex, nonce] });

/** Whether the router has spent a controller's permit nonce, as one observer sees it. @throws ChainError */
export async function nonceUsed(observer: RpcObserver, router: string, controller: string, nonce: bigint, at: BlockRef): Promise<boolean> {
  return decode(await ethCall(observer, { to: router, data: callData(controller, nonce) }, at));
}

/** The same from both observers at one block; the newest common one by default. */
export async function nonceUsedAgreed(pair: ObserverPair, router: string, controller: string, nonce: bigint, at?: BlockRef): Promise<Agreement<boolean>> {
  const answer = await ethCallAgreed(pair, { to: router, data: callData(controller, nonce) }, at === undefined ? {} : { at });
  if (answer.kind === 'indeterminate') return answer;
  if (answer.value.kind === 'reverted') return indeterminate('nonceUsed: the router reverts');
  try {
    return { ...answer, value: decode(answer.value.data) };
  } catch (error) {
    if (error instanceof ChainError) return indeterminate(`nonceUsed: ${error.code}`);
    throw error;
  }
}

function decode(data: Hex): boolean {
  try {
    return decodeFunctionResult({ abi: ROUTER_READS_ABI, functionName: 'nonceUsed', data });
  } catch {
    throw new ChainError('CONTRACT_ANSWER_INVALID', { function: 'nonceUsed', problem: 'not an ABI-encoded bool' });
  }
}
