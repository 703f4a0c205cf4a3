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

/** What one execution sees in place of an account's own; everything else of the account stays. */
export interface AccountOverride {
  readonly code?: Hex;
  /** Wei. */
  readonly balance?: bigint;
  /** Words of 32 bytes by slot, both full length and lowercase; other slots stay. */
  readonly stateDiff?: Readonly<Record<Hex, Hex>>;
}

/** State put in place of the chain's for one execution, by lowercase address. */
export type StateOverrides = Readonly<Record<string, AccountOverride>>;

/** The overrides as `eth_call` and `eth_simulateV1` take them. */
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

/** Return data of a call. @throws ChainError, RPC_REVERTED with the revert data when the code reverts. */
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
