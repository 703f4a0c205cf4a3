import { ChainError } from '../chain.error.js';
import { quantity, type RpcObserver } from '../rpc/observer.js';
import { rpcBloomHeaderSchema, type BloomHeader } from '../rpc/rpc-answers.schema.js';
import { askMany } from './ask-many.js';

/** Headers in one exchange, about two kilobytes each. */
const HEADERS_AT_ONCE = 256n;
/** Exchanges in flight together, which hides the latency of a remote endpoint. */
const EXCHANGES_AT_ONCE = 4;

/**
 * Returns every header of a range, inclusive, each the parent of the next: one chain, even if a reorg replaces it
 * later.
 * @throws ChainError, RPC_ANSWER_INVALID if a block is missing or does not follow its predecessor.
 */
export async function rangeHeaders(observer: RpcObserver, from: bigint, to: bigint): Promise<BloomHeader[]> {
  const exchanges: (readonly [bigint, bigint])[] = [];
  for (let first = from; first <= to; first += HEADERS_AT_ONCE)
    exchanges.push([first, first + HEADERS_AT_ONCE - 1n < to ? first + HEADERS_AT_ONCE - 1n : to]);
  const headers: BloomHeader[] = [];
  for (let done = 0; done < exchanges.length; done += EXCHANGES_AT_ONCE) {
    const some = exchanges.slice(done, done + EXCHANGES_AT_ONCE);
    headers.push(...(await Promise.all(some.map(([first, last]) => headersAtOnce(observer, first, last)))).flat());
  }
  headers.forEach((header, index) => {
    const expected = from + BigInt(index);
    const parent = headers[index - 1];
    if (header.number !== expected || (parent !== undefined && header.parentHash !== parent.hash))
      throw invalid(observer, `block ${expected} does not follow`);
  });
  return headers;
}

async function headersAtOnce(observer: RpcObserver, from: bigint, to: bigint): Promise<BloomHeader[]> {
  const numbers = Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));
  const questions = numbers.map((number) => [quantity(number), false]);
  const answers = await askMany(observer, 'eth_getBlockByNumber', questions);
  return answers.map((answer) => {
    if (answer instanceof ChainError) throw answer;
    const parsed = rpcBloomHeaderSchema.safeParse(answer);
    if (!parsed.success) throw invalid(observer, 'no header');
    return parsed.data;
  });
}

const invalid = (observer: RpcObserver, problem: string): ChainError =>
  new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method: 'eth_getBlockByNumber', problem });
