import { z } from 'zod';
import type { Hex } from 'viem';
import { rpcAddress, rpcData, rpcHash } from '../rpc/rpc-answers.schema.js';

/** What a transaction did, apart from gas: the part two executors must agree on. */
export interface SimulatedEffects {
  readonly status: 'success' | 'reverted';
  readonly returnData: Hex;
  /** Contract logs in order, lowercase. */
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
  /** Change of native balance in wei by account, without gas; null where the provider cannot say. */
  readonly nativeDeltas: ReadonlyMap<string, bigint> | null;
}

/** A log of `eth_simulateV1`; position fields are of a block that never was. */
export const simulatedLogSchema = z.object({ address: rpcAddress, topics: z.array(rpcHash).max(4), data: rpcData });

/** ERC-7528: the address native transfers are reported under when transfers are traced. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** Splits traced logs into the contracts' own and the balance changes of native transfers. */
export function effectsOfTracedLogs(logs: readonly z.output<typeof simulatedLogSchema>[]): Pick<SimulatedEffects, 'logs' | 'nativeDeltas'> {
  const deltas = new Map<string, bigint>();
  const move = (word: Hex | undefined, amount: bigint): void => {
    const account = `0x${(word ?? '').slice(-40)}`;
    const next = (deltas.get(account) ?? 0n) + amount;
    if (next === 0n) deltas.delete(account);
    else deltas.set(account, next);
  };
  const own = logs.filter((log) => {
    if (log.address !== NATIVE) return true;
    const amount = BigInt(log.data);
    move(log.topics[1], -amount);
    move(log.topics[2], amount);
    return false;
  });
  return { logs: own.map(({ address, topics, data }) => ({ address, topics, data })), nativeDeltas: deltas };
}

/** Canonical form for comparison: accounts sorted, integers as text. */
export const comparableEffects = (effects: SimulatedEffects): unknown => ({
  status: effects.status,
  returnData: effects.returnData,
  logs: effects.logs,
  nativeDeltas:
    effects.nativeDeltas === null
      ? null
      : [...effects.nativeDeltas].map(([account, delta]) => [account, delta.toString()]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
});
