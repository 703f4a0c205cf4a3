import { encodeFunctionData, type Hex } from 'viem';
import { ROUTER_V2_ABI } from '@launch/evm';
import { indeterminate, type Agreement } from '../agreement/agreement.js';
import { ChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import { decodeAnswer, readContract } from '../reads/read-contract.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { rpcData } from '../rpc/rpc-answers.schema.js';
import { callParameter } from '../reads/eth-call.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import { ethCallAgreed } from './agreed-reads.js';

/** Whether the router has spent a controller's permit nonce, as one observer sees it. @throws ChainError */
export const nonceUsed = (
  observer: RpcObserver,
  router: Hex,
  controller: Hex,
  nonce: bigint,
  at: BlockRef,
): Promise<boolean> =>
  readContract(observer, { address: router, abi: ROUTER_V2_ABI }, 'nonceUsed', [controller, nonce], at);

/** The same from both observers at one block; the newest common one by default. */
export async function nonceUsedAgreed(
  pair: ObserverPair,
  router: Hex,
  controller: Hex,
  nonce: bigint,
  at?: BlockRef,
): Promise<Agreement<boolean>> {
  const data = encodeFunctionData({ abi: ROUTER_V2_ABI, functionName: 'nonceUsed', args: [controller, nonce] });
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

export interface ControllerNonce {
  readonly controller: Hex;
  readonly nonce: bigint;
}

/**
 * The same of many nonces at one block, in one exchange with each observer where it takes batches. Null for a nonce of
 * which the observers do not say the same.
 */
export async function noncesUsed(
  pair: ObserverPair,
  router: Hex,
  asked: readonly ControllerNonce[],
  at: BlockRef,
): Promise<readonly (boolean | null)[]> {
  const [first, second] = await Promise.all(pair.map((observer) => noncesUsedBy(observer, router, asked, at)));
  return asked.map((_, index) => {
    const said = first?.[index];
    return typeof said === 'boolean' && said === second?.[index] ? said : null;
  });
}

/** What one observer says; undefined for what it does not. */
async function noncesUsedBy(
  observer: RpcObserver,
  router: Hex,
  asked: readonly ControllerNonce[],
  at: BlockRef,
): Promise<readonly (boolean | undefined)[]> {
  const together = asked.length > 1 ? await askedTogether(observer, router, asked, at) : null;
  if (together !== null) return together;
  return Promise.all(
    asked.map(({ controller, nonce }) => nonceUsed(observer, router, controller, nonce, at).catch(undefinedWhenUnsaid)),
  );
}

/** Null when the observer takes no batches, or gave no answer to this one. */
async function askedTogether(
  observer: RpcObserver,
  router: Hex,
  asked: readonly ControllerNonce[],
  at: BlockRef,
): Promise<readonly (boolean | undefined)[] | null> {
  const questions = asked.map(({ controller, nonce }) => [
    callParameter({
      to: router,
      data: encodeFunctionData({
        abi: ROUTER_V2_ABI,
        functionName: 'nonceUsed',
        args: [controller as Hex, nonce],
      }),
    }),
    stateBlockParameter(at),
  ]);
  const answers = await observer.requestMany?.('eth_call', questions).catch(undefinedWhenUnsaid);
  if (answers === undefined) return null;
  return answers.map((answer) => {
    const data = answer instanceof ChainError ? null : rpcData.safeParse(answer);
    if (data?.success !== true) return undefined;
    try {
      return decodeAnswer(ROUTER_V2_ABI, 'nonceUsed', data.data);
    } catch (error) {
      return undefinedWhenUnsaid(error);
    }
  });
}

function undefinedWhenUnsaid(error: unknown): undefined {
  if (error instanceof ChainError) return undefined;
  throw error;
}
