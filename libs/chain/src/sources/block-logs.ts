import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex } from 'viem';
import { z } from 'zod';
import { wire } from '../agreement/agreement.js';
import { ChainError, isChainError } from '../chain.error.js';
import { MAX_LOGS } from '../reads/get-logs.js';
import { asksTooMuch } from '../reads/log-range.js';
import type { RpcObserver } from '../rpc/observer.js';
import { rpcPlacedLogSchema, type PlacedChainLog } from '../rpc/rpc-answers.schema.js';
import { askMany } from './ask-many.js';
import { bytesOfLogs, filterKey, filterParameter, inOrder, matcherOf, type BlockFilter } from './log-filter.js';
import type { RangeReads } from './range-reads.js';
import type { ChainPlace } from './range-result.js';

/** Blocks in one exchange; nearly all of them have no wanted log. */
const BLOCKS_AT_ONCE = 64;

/** The wanted logs of one block, as both observers return them by the block's hash. */
export type BlockLogs =
  | { readonly kind: 'agreed'; readonly logs: readonly PlacedChainLog[] }
  | {
      readonly kind: 'unlisted';
      readonly reason: string;
      /** Whether a narrower filter may succeed. */
      readonly asksTooMuch: boolean;
      /** Whether the answer was refused for its size, which is permanent. */
      readonly isTooLarge: boolean;
    };

type Unlisted = Extract<BlockLogs, { kind: 'unlisted' }>;

/**
 * Reads logs of single blocks. A block's hash pins its logs, so an agreed answer is permanent and is requested once for
 * all readers. An empty answer is permanent only if the block was known to be indexed; otherwise it is valid under one
 * head. Blocks without an answer share a batch.
 */
export async function blockLogs(
  reads: RangeReads,
  filter: BlockFilter,
  blocks: readonly ChainPlace[],
  isIndexed = false,
): Promise<ReadonlyMap<Hex, BlockLogs>> {
  const key = `${isIndexed ? 'indexed/' : ''}${filterKey(filter)}`;
  const found = new Map<Hex, BlockLogs>();
  for (let first = 0; first < blocks.length; first += BLOCKS_AT_ONCE) {
    const some = blocks.slice(first, first + BLOCKS_AT_ONCE);
    const missing: Hex[] = [];
    let asked: Promise<ReadonlyMap<Hex, BlockLogs>> | undefined;
    // Sent in the next turn, when the blocks without an answer are known.
    const together = (): Promise<ReadonlyMap<Hex, BlockLogs>> =>
      (asked ??= Promise.resolve().then(() => askedTogether(reads, filter, missing)));
    const answers = await Promise.all(
      some.map(({ hash }) =>
        reads.blockLogs.once(
          `${hash}/${key}`,
          () =>
            reads.view.once(
              `${hash}/${key}`,
              async () => {
                missing.push(hash);
                return (await together()).get(hash)!;
              },
              sizeOf,
            ),
          (answer) => (isIndexed || !isEmpty(answer) ? sizeOf(answer) : null),
        ),
      ),
    );
    some.forEach(({ hash }, index) => found.set(hash, answers[index]!));
  }
  return found;
}

const sizeOf = (answer: BlockLogs): number | null => (answer.kind === 'agreed' ? bytesOfLogs(answer.logs) : null);
const isEmpty = (answer: BlockLogs): boolean => answer.kind === 'agreed' && answer.logs.length === 0;

async function askedTogether(
  { pair }: RangeReads,
  filter: BlockFilter,
  hashes: readonly Hex[],
): Promise<ReadonlyMap<Hex, BlockLogs>> {
  const [first, second] = await Promise.all(pair.map((observer) => listedBy(observer, filter, hashes)));
  return new Map(hashes.map((hash, index) => [hash, agreedOn(hash, pair, first![index]!, second![index]!)]));
}

type Listed = readonly PlacedChainLog[] | ChainError;

function agreedOn(hash: Hex, [a, b]: RangeReads['pair'], first: Listed, second: Listed): BlockLogs {
  for (const [observer, listed] of [
    [a, first],
    [b, second],
  ] as const)
    if (listed instanceof ChainError) return unlisted(hash, `${observer.id} ${listed.code}`, listed);
  return textOf(first) === textOf(second)
    ? { kind: 'agreed', logs: first as readonly PlacedChainLog[] }
    : unlisted(hash, `${a.id} and ${b.id} disagree`, null);
}

const textOf = (listed: Listed): string => canonicalJsonText(wire(listed));

const unlisted = (hash: Hex, problem: string, error: ChainError | null): Unlisted => ({
  kind: 'unlisted',
  reason: `logs of block ${hash}: ${problem}`,
  asksTooMuch: asksTooMuch(error),
  isTooLarge: isChainError(error, 'RPC_ANSWER_TOO_LARGE'),
});

const logsSchema = z.array(rpcPlacedLogSchema);

/** Returns one observer's logs of each block, or an error for a block without an answer. */
async function listedBy(
  observer: RpcObserver,
  filter: BlockFilter,
  hashes: readonly Hex[],
): Promise<readonly Listed[]> {
  const parameter = filterParameter(filter);
  const matches = matcherOf(filter);
  let answers: readonly unknown[];
  try {
    answers = await askMany(
      observer,
      'eth_getLogs',
      hashes.map((blockHash) => [{ ...parameter, blockHash }]),
    );
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return hashes.map(() => error);
  }
  return hashes.map((hash, index) => {
    const answer = answers[index];
    if (answer instanceof ChainError) return answer;
    const parsed = logsSchema.safeParse(answer);
    if (!parsed.success) return invalid(observer, 'no logs');
    // An endpoint that truncates returns exactly this many.
    if (parsed.data.length === MAX_LOGS) return invalid(observer, `${MAX_LOGS} logs: as many as an endpoint gives`);
    return inOrder(parsed.data.filter((log) => log.blockHash === hash && matches(log)));
  });
}

const invalid = (observer: RpcObserver, problem: string): ChainError =>
  new ChainError('RPC_ANSWER_INVALID', { observer: observer.id, method: 'eth_getLogs', problem });
