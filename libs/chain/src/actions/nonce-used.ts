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

/** Reads from one observer whether the router has spent a controller's permit nonce. @throws ChainError */
export const nonceUsed = (
  observer: RpcObserver,
  router: Hex,
  controller: Hex,
  nonce: bigint,
  at: BlockRef,
): Promise<boolean> =>
  readContract(observer, { address: router, abi: ROUTER_V2_ABI }, 'nonceUsed', [controller, nonce], at);

/** Reads the same from both observers at one block, which defaults to their newest common block. */
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
 * Reads many nonces at one block, in one exchange with each observer that accepts batches. An entry is null while the
 * observers do not agree.
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

/** Reads the nonces from one observer. An entry is undefined if the observer did not answer it. */
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

/** Returns null if the observer accepts no batches or did not answer this one. */
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
