import type { ObserverPair } from '@launch/chain';
import { answerReads } from '@launch/chain/sources';
import type { TokenMetadata } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { displayReads, tokenIdentity, tokenMetadata, type TokenIdentity } from '@launch/evm/sources';
import type { Unknown } from './verify-launch.js';

export interface TokenWords {
  readonly kind: 'read';
  /** ERC-20's own three; null where the token does not say. */
  readonly identity: TokenIdentity;
  /** What `metadata()` says; `absent` and `malformed` are facts of the token, not faults of the reading. */
  readonly metadata: TokenMetadata;
}

/**
 * Reads a token's own metadata at a block, by both endpoints (docs/reference/index-sources.md#token-metadata). Show it as
 * text: a token's author wrote it and it is unchecked.
 * @param block of the canonical chain, such as the launch's own.
 */
export async function readTokenMetadata(
  pair: ObserverPair,
  token: Hex,
  block: { readonly hash: Hex },
): Promise<TokenWords | Unknown> {
  // A token's answers may differ as they like, and its code may not: that both have the block is told by the code.
  const code = { kind: 'code', name: 'token.code', to: token } as const;
  const answers = await answerReads(pair, [code, ...displayReads(token, new Map())], block.hash);
  if (answers.kind === 'indeterminate') return { kind: 'indeterminate', reason: answers.reason };
  const [identity, metadata] = [tokenIdentity(token, answers.value), tokenMetadata(token, answers.value)];
  return { kind: 'read', identity, metadata };
}
