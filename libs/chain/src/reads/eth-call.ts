import type { Hex } from 'viem';
import { ask, rpcData } from '../rpc/rpc-answers.schema.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { stateBlockParameter, type BlockRef } from './block-ref.js';

export interface CallRequest {
  readonly to: string;
  readonly data: Hex;
  readonly from?: string;
  /** Wei. */
  readonly value?: bigint;
  readonly gas?: bigint;
}

/** Code put in place of an account's own for one call. */
export type CodeOverrides = Readonly<Record<string, { readonly code: Hex }>>;

export const callParameter = (call: CallRequest): Record<string, string> => ({
  to: call.to,
  data: call.data,
  ...(call.from === undefined ? {} : { from: call.from }),
  ...(call.value === undefined ? {} : { value: quantity(call.value) }),
  ...(call.gas === undefined ? {} : { gas: quantity(call.gas) }),
});

/** Return data of a call. @throws ChainError, RPC_REVERTED with the revert data when the code reverts. */
export const ethCall = (observer: RpcObserver, call: CallRequest, at: BlockRef, overrides?: CodeOverrides): Promise<Hex> =>
  ask(
    observer,
    'eth_call',
    overrides === undefined ? [callParameter(call), stateBlockParameter(at)] : [callParameter(call), stateBlockParameter(at), overrides],
    rpcData,
  );
