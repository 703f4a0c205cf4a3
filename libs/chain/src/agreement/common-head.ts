import type { BlockHeader } from '../rpc/rpc-answers.schema.js';
import type { ObserverPair } from '../rpc/observer.js';
import { getHeader } from '../reads/get-header.js';
import { ChainError } from '../chain.error.js';
import { agree, indeterminate, type Agreement } from './agreement.js';

/** The newest block both observers have, by the smaller of both heads, if they have the same one at that height. */
export async function commonHead(pair: ObserverPair, tag: 'latest' | 'finalized' = 'latest'): Promise<Agreement<BlockHeader>> {
  const heads = await bothHeaders(pair, tag);
  if (heads.kind === 'indeterminate') return heads;
  const [first, second] = heads.headers;
  const height = first.number < second.number ? first.number : second.number;
  const common = await agree(pair, `block ${height}`, (observer) => getHeader(observer, height));
  if (common.kind === 'indeterminate') return common;
  if (common.value === null) return indeterminate(`block ${height}: absent`);
  return { ...common, value: common.value };
}

/** Each observer's own header at a tag; heads differ by nature, so nothing is compared. */
export async function bothHeaders(
  pair: ObserverPair,
  tag: 'latest' | 'finalized',
): Promise<{ readonly kind: 'read'; readonly headers: readonly [BlockHeader, BlockHeader] } | { readonly kind: 'indeterminate'; readonly reason: string }> {
  const [first, second] = await Promise.all(pair.map((observer) => headerOrReason(observer.id, tag, getHeader(observer, tag))));
  if (first === undefined || second === undefined) return indeterminate(`${tag} block: no answer`);
  if (typeof first === 'string') return indeterminate(first);
  if (typeof second === 'string') return indeterminate(second);
  return { kind: 'read', headers: [first, second] };
}

async function headerOrReason(id: string, tag: string, reading: Promise<BlockHeader | null>): Promise<BlockHeader | string> {
  try {
    return (await reading) ?? `${tag} block: ${id} has none`;
  } catch (error) {
    if (error instanceof ChainError) return `${tag} block: ${id} ${error.code}`;
    throw error;
  }
}
