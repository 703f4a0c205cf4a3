import type { BlockHeader } from '../rpc/rpc-answers.schema.js';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import type { BlockRef } from '../reads/block-ref.js';
import { getHeader } from '../reads/get-header.js';
import { ChainError } from '../chain.error.js';
import { agree, indeterminate, type Agreement, type Indeterminate } from './agreement.js';

type Tip = 'latest' | 'finalized';
type ReadHeader<O> = (observer: O, at: BlockRef) => Promise<BlockHeader | null>;
export type Tips =
  | { readonly kind: 'read'; readonly headers: readonly [BlockHeader, BlockHeader]; readonly lower: BlockHeader }
  | Indeterminate;

/** Returns the block at the lower of both heads if both observers have the same block there. */
export async function commonHead(pair: ObserverPair, tip: Tip = 'latest'): Promise<Agreement<BlockHeader>> {
  const tips = await bothHeaders(pair, tip);
  return tips.kind === 'indeterminate' ? tips : agreedHeader<RpcObserver>(pair, tips.lower.number, getHeader);
}

/** Reads each observer's own header at a tip. These usually differ, so they are not compared. */
export const bothHeaders = (pair: ObserverPair, tip: Tip): Promise<Tips> => tipsOf<RpcObserver>(pair, tip, getHeader);

/** Reads the tips of any pair that can read headers. */
export async function tipsOf<O extends { readonly id: string }>(
  pair: readonly [O, O],
  tip: Tip,
  read: ReadHeader<O>,
): Promise<Tips> {
  const [first, second] = await Promise.all([tipOrReason(pair[0], tip, read), tipOrReason(pair[1], tip, read)]);
  if (typeof first === 'string') return indeterminate(first);
  if (typeof second === 'string') return indeterminate(second);
  return { kind: 'read', headers: [first, second], lower: first.number <= second.number ? first : second };
}

/**
 * Returns the header that both observers have at a height or under a hash. Absence on both is no agreement, because no
 * fact can be bound to it.
 */
export async function agreedHeader<O extends { readonly id: string }>(
  pair: readonly [O, O],
  at: BlockRef,
  read: ReadHeader<O>,
  now: () => number = Date.now,
): Promise<Agreement<BlockHeader>> {
  const what = typeof at === 'object' ? `block ${at.hash}` : `block ${at}`;
  const header = await agree(pair, what, (observer) => read(observer, at), undefined, now);
  if (header.kind === 'indeterminate') return header;
  return header.value === null ? indeterminate(`${what}: absent`) : { ...header, value: header.value };
}

async function tipOrReason<O extends { readonly id: string }>(
  observer: O,
  tip: Tip,
  read: ReadHeader<O>,
): Promise<BlockHeader | string> {
  try {
    return (await read(observer, tip)) ?? `${tip} block: ${observer.id} has none`;
  } catch (error) {
    if (error instanceof ChainError) return `${tip} block: ${observer.id} ${error.code}`;
    throw error;
  }
}
