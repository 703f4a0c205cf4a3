import { z } from 'zod';
import type { Hex } from 'viem';
import { rpcAddress, rpcData, rpcHash } from '../rpc/rpc-answers.schema.js';

/** The effects of a transaction except gas, on which two executors must agree. Logs show moves of tokens and claims. */
export interface SimulatedEffects {
  readonly status: 'success' | 'reverted';
  readonly returnData: Hex;
  /** Contract logs in order, lowercase; null if the provider lacks `eth_simulateV1`. */
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[] | null;
  /** Change of native balance in wei by account, without gas; null under the same condition as `logs`. */
  readonly nativeDeltas: ReadonlyMap<string, bigint> | null;
}

/** ERC-7528: the address under which traced native transfers are reported. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;

/**
 * A log of `eth_simulateV1`. Its position fields name a block that never existed. A native transfer has exactly one
 * form.
 */
export const simulatedLogSchema = z
  .object({ address: rpcAddress, topics: z.array(rpcHash).max(4), data: rpcData })
  .refine(
    ({ address, topics: [event, ...parties], data }) =>
      address !== NATIVE ||
      (event === TRANSFER &&
        parties.length === 2 &&
        parties.every((word) => ADDRESS_WORD.test(word)) &&
        data.length === 66),
  );

/** Splits traced logs into the contracts' logs and the balance changes of native transfers. */
export function effectsOfTracedLogs(logs: readonly z.output<typeof simulatedLogSchema>[]): {
  readonly logs: NonNullable<SimulatedEffects['logs']>;
  readonly nativeDeltas: ReadonlyMap<string, bigint>;
} {
  const deltas = new Map<string, bigint>();
  const move = (word: Hex, amount: bigint): void => {
    const account = `0x${word.slice(-40)}`;
    const next = (deltas.get(account) ?? 0n) + amount;
    if (next === 0n) deltas.delete(account);
    else deltas.set(account, next);
  };
  const own = logs.filter(({ address, topics, data }) => {
    if (address !== NATIVE) return true;
    const [, from, to] = topics as [Hex, Hex, Hex];
    move(from, -BigInt(data));
    move(to, BigInt(data));
    return false;
  });
  return { logs: own.map(({ address, topics, data }) => ({ address, topics, data })), nativeDeltas: deltas };
}

/** Returns the canonical form of each part for comparison: accounts sorted, integers as text. */
export const comparableEffects = ({ status, returnData, logs, nativeDeltas }: SimulatedEffects) => ({
  status,
  returnData,
  logs,
  nativeDeltas:
    nativeDeltas === null
      ? null
      : [...nativeDeltas].map(([account, delta]) => [account, delta.toString()]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
});
