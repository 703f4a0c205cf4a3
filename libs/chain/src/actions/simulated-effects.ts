import { z } from 'zod';
import type { Hex } from 'viem';
import { rpcAddress, rpcData, rpcHash } from '../rpc/rpc-answers.schema.js';

/** What a transaction did, apart from gas: the part two executors must agree on. Tokens and claims move by logs. */
export interface SimulatedEffects {
  readonly status: 'success' | 'reverted';
  readonly returnData: Hex;
  /** Contract logs in order, lowercase; null where the provider has no `eth_simulateV1` and cannot say. */
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[] | null;
  /** Change of native balance in wei by account, without gas; null as for logs. */
  readonly nativeDeltas: ReadonlyMap<string, bigint> | null;
}

/** ERC-7528: the address native transfers are reported under when transfers are traced. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/;

/** A log of `eth_simulateV1`; position fields are of a block that never was. A native transfer has exactly one form. */
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

/** Splits traced logs into the contracts' own and the balance changes of native transfers. */
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

/** Canonical form of each part for comparison: accounts sorted, integers as text. */
export const comparableEffects = ({ status, returnData, logs, nativeDeltas }: SimulatedEffects) => ({
  status,
  returnData,
  logs,
  nativeDeltas:
    nativeDeltas === null
      ? null
      : [...nativeDeltas].map(([account, delta]) => [account, delta.toString()]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
});
