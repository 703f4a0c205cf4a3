import {
  decodeFunctionResult,
  encodeFunctionData,
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type Hex,
} from 'viem';
import { ChainError } from '../chain.error.js';
import type { RpcObserver } from '../rpc/observer.js';
import type { BlockRef } from './block-ref.js';
import { ethCall } from './eth-call.js';

/**
 * Reads a view function at a block and decodes the answer. @throws ChainError, CONTRACT_ANSWER_INVALID if it does not
 * decode.
 */
export async function readContract<
  const A extends Abi,
  N extends ContractFunctionName<A, 'view' | 'pure'>,
  const P extends ContractFunctionArgs<A, 'view' | 'pure', N>,
>(
  observer: RpcObserver,
  contract: { readonly address: string; readonly abi: A },
  functionName: N,
  args: P,
  at: BlockRef,
): Promise<ContractFunctionReturnType<A, 'view' | 'pure', N, P>> {
  const question = { abi: contract.abi, functionName, args } as Parameters<typeof encodeFunctionData>[0];
  const data = await ethCall(observer, { to: contract.address, data: encodeFunctionData(question) }, at);
  return decodeAnswer(contract.abi, functionName, data);
}

/**
 * Decodes the answer. @throws ChainError CONTRACT_ANSWER_INVALID, also for `0x`, which an account without code returns.
 */
export function decodeAnswer<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
  abi: A,
  functionName: N,
  data: Hex,
) {
  try {
    return decodeFunctionResult({ abi, functionName, data } as never) as ContractFunctionReturnType<
      A,
      'view' | 'pure',
      N,
      never
    >;
  } catch {
    throw new ChainError('CONTRACT_ANSWER_INVALID', { function: functionName, problem: 'does not decode by its ABI' });
  }
}
