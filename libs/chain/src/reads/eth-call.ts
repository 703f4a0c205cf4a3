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

/** Replaces parts of an account for one execution; the other parts stay. */
export interface AccountOverride {
  readonly code?: Hex;
  /** Wei. */
  readonly balance?: bigint;
  /** Words of 32 bytes by slot, both full length and lowercase; other slots stay. */
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

/** Overrides of the chain's state for one execution, by lowercase address. */
export type StateOverrides = Readonly<Record<string, AccountOverride>>;

/** Encodes overrides for `eth_call` and `eth_simulateV1`. */
export const overridesParameter = (overrides: StateOverrides): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(overrides).map(([account, { balance, ...rest }]) => [
      account,
      balance === undefined ? rest : { ...rest, balance: quantity(balance) },
    ]),
  );

export const callParameter = (call: CallRequest): Record<string, string> => ({
  to: call.to,
  data: call.data,
  ...(call.from === undefined ? {} : { from: call.from }),
  ...(call.value === undefined ? {} : { value: quantity(call.value) }),
  ...(call.gas === undefined ? {} : { gas: quantity(call.gas) }),
});

/** Returns the return data of a call. @throws ChainError, RPC_REVERTED with the revert data if the code reverts. */
export const ethCall = (
  observer: RpcObserver,
  call: CallRequest,
  at: BlockRef,
  overrides?: StateOverrides,
): Promise<Hex> =>
  ask(
    observer,
    'eth_call',
    overrides === undefined
      ? [callParameter(call), stateBlockParameter(at)]
      : [callParameter(call), stateBlockParameter(at), overridesParameter(overrides)],
    rpcData,
  );
