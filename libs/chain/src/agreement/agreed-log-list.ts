import type { Hex } from 'viem';
import { ChainError } from '../chain.error.js';
import { getLogs, MAX_LOGS } from '../reads/get-logs.js';
import { asksTooMuch } from '../reads/log-range.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';
import { agree } from './agreement.js';

/** A filter of logs: any of these contracts, any of these first topics and, if given, any of these second topics. */
export interface LogsWanted {
  readonly addresses: readonly Hex[];
  readonly topics: readonly Hex[];
  readonly second?: readonly Hex[];
}

/** A range of blocks, inclusive. */
export interface BlockSpan {
  readonly from: bigint;
  readonly to: bigint;
}

/** No statement about a range of blocks. A query that requested too much may succeed in parts. */
export interface Unlisted {
  readonly kind: 'incomplete';
  readonly reason: string;
  readonly isTooMuch: boolean;
}

/**
 * Reads the logs of a range of blocks from one observer. As many logs as the endpoint's limit count as truncated.
 * @throws ChainError
 */
export async function listedLogs(
  observer: RpcObserver,
  { addresses, topics, second }: LogsWanted,
  blocks: BlockSpan,
  logCap: number = MAX_LOGS,
): Promise<ChainLog[]> {
  const wanted = { address: addresses, topics: [topics, ...(second === undefined ? [] : [second])] };
  const logs = await getLogs(observer, { ...wanted, blocks });
  // The logs of one block cannot be requested in parts, and gas bounds them.
  if (logs.length < logCap || blocks.from === blocks.to) return logs;
  throw new ChainError('RPC_ANSWER_INVALID', {
    observer: observer.id,
    method: 'eth_getLogs',
    problem: `${logs.length} logs: as many as the endpoint gives at once`,
  });
}

/** Compares like `agree`, and distinguishes an answer that is too large from a difference. */
export async function agreeOnRange<T>(
  pair: ObserverPair,
  what: string,
  read: (observer: RpcObserver) => Promise<T>,
): Promise<{ readonly kind: 'agreed'; readonly value: T } | Unlisted> {
  let refused = false;
  const agreed = await agree<RpcObserver, T>(pair, what, async (observer) => {
    try {
      return await read(observer);
    } catch (error) {
      refused ||= asksTooMuch(error);
      throw error;
    }
  });
  return agreed.kind === 'agreed' ? agreed : { kind: 'incomplete', reason: agreed.reason, isTooMuch: refused };
}
