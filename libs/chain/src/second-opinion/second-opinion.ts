import { canonicalJsonText } from '@launch/contracts/json';
import { isChainError, ChainError } from '../chain.error.js';
import type { SimulatedTransaction, SimulationOutcome } from '../actions/simulate-transaction.js';
import { comparableEffects, type SimulatedEffects } from '../actions/simulated-effects.js';
import type { ObserverPair } from '../rpc/observer.js';
import { executeLocally } from './execute-locally.js';

export type SecondOpinionVerdict =
  | { readonly kind: 'agrees' }
  /** The executors differ, or the state could not be read: no statement, to be tried again. */
  | { readonly kind: 'indeterminate'; readonly reason: string };

export type SecondOpinion = (transaction: SimulatedTransaction, outcome: Extract<SimulationOutcome, { kind: 'ok' }>) => Promise<SecondOpinionVerdict>;

const part = (effects: SimulatedEffects, other: SimulatedEffects): string => {
  for (const key of ['status', 'returnData', 'logs'] as const) {
    if (canonicalJsonText(effects[key]) !== canonicalJsonText(other[key])) return key;
  }
  return 'balance changes';
};

/**
 * The same transaction executed again in this process over the state each observer serves:
 * status, return data, logs and balance changes must equal what the provider's simulation
 * said, or there is no verdict. Where the provider reports no transfers, balances are not compared.
 */
export function createSecondOpinion(l2: ObserverPair): SecondOpinion {
  return async (transaction, outcome) => {
    const { effects, block, time } = outcome;
    for (const observer of l2) {
      let local: SimulatedEffects;
      try {
        local = await executeLocally(observer, transaction, block, time);
      } catch (error) {
        if (error instanceof ChainError && !isChainError(error, 'RPC_CONFIGURATION_INVALID')) {
          return { kind: 'indeterminate', reason: `second executor: ${observer.id} ${error.code}` };
        }
        throw error;
      }
      if (effects === null) {
        if (local.status !== 'success') return { kind: 'indeterminate', reason: `second executor over ${observer.id}: status differs` };
        continue;
      }
      const comparable = effects.nativeDeltas === null ? { ...local, nativeDeltas: null } : local;
      if (canonicalJsonText(comparableEffects(comparable)) !== canonicalJsonText(comparableEffects(effects))) {
        return { kind: 'indeterminate', reason: `second executor over ${observer.id}: ${part(local, effects)} differ` };
      }
    }
    return { kind: 'agrees' };
  };
}
