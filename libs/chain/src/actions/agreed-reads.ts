import type { Hex } from 'viem';
import { agree, type Agreement, type Indeterminate } from '../agreement/agreement.js';
import { commonHead } from '../agreement/common-head.js';
import { isChainError } from '../chain.error.js';
import { ethCall, type CallRequest, type StateOverrides } from '../reads/eth-call.js';
import { getCode } from '../reads/get-code.js';
import type { BlockRef } from '../reads/block-ref.js';
import { quantity, type ObserverPair, type RpcObserver } from '../rpc/observer.js';
import { ask, rpcQuantity, type BlockHeader } from '../rpc/rpc-answers.schema.js';

/** The outcome of a call. A revert is an answer that two observers can agree on. */
export type CallOutcome =
  | { readonly kind: 'returned'; readonly data: Hex }
  | { readonly kind: 'reverted'; readonly data: Hex };

/** Runs a call and returns a revert as a value. @throws ChainError for every other failure. */
export async function callOutcome(
  observer: RpcObserver,
  call: CallRequest,
  at: BlockRef,
  overrides?: StateOverrides,
): Promise<CallOutcome> {
  try {
    return { kind: 'returned', data: await ethCall(observer, call, at, overrides) };
  } catch (error) {
    if (isChainError(error, 'RPC_REVERTED')) return { kind: 'reverted', data: error.data.data };
    throw error;
  }
}

/**
 * Runs a call on both observers and compares their answers, at `at` or at their newest common block. The block is
 * pinned by hash, so that observers with different heads do not disagree.
 */
export async function ethCallAgreed(
  pair: ObserverPair,
  call: CallRequest,
  options: { readonly at?: BlockRef; readonly overrides?: StateOverrides } = {},
): Promise<Agreement<CallOutcome>> {
  const at = await blockFor(pair, options.at);
  if (at.kind === 'indeterminate') return at;
  return agree(pair, 'call', (observer) => callOutcome(observer, call, at.at, options.overrides));
}

/** Reads runtime code from both observers; `0x` for an account without code. */
export async function getCodeAgreed(pair: ObserverPair, address: string, at?: BlockRef): Promise<Agreement<Hex>> {
  const block = await blockFor(pair, at);
  if (block.kind === 'indeterminate') return block;
  return agree(pair, `code of ${address}`, (observer) => getCode(observer, address, block.at));
}

async function blockFor(
  pair: ObserverPair,
  at: BlockRef | undefined,
): Promise<{ readonly kind: 'block'; readonly at: BlockRef } | Indeterminate> {
  if (at !== undefined) return { kind: 'block', at };
  const head = await commonHead(pair);
  return head.kind === 'indeterminate' ? head : { kind: 'block', at: { hash: head.value.hash } };
}

/** Reads the native balance of an account at a block from both observers, in wei. */
export const balanceAgreed = (
  pair: ObserverPair,
  account: string,
  { number }: Pick<BlockHeader, 'number'>,
): Promise<Agreement<bigint>> =>
  agree(pair, 'balance', (observer) => ask(observer, 'eth_getBalance', [account, quantity(number)], rpcQuantity));
