import type { ObserverPair } from '@launch/chain';
import { answerReads } from '@launch/chain/sources';
import type { TokenMetadata } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';
import { metadataReads, ownMetadata, tokenIdentity, type TokenIdentity } from '@launch/evm/sources';
import type { Unknown } from './verify-launch.js';

export interface TokenWords {
  readonly kind: 'read';
  /** The three fields of ERC-20; null if the token does not answer. */
  readonly identity: TokenIdentity;
  /** The answer of `metadata()`, or of a Foundation token's getters. `absent` and `malformed` are facts of the token, not faults of the read. */
  readonly metadata: TokenMetadata;
}

/**
 * Reads a token's own metadata at a block, through both endpoints (docs/reference/index-sources.md#token-metadata). Display it
 * as text: the token's author wrote it and it is unchecked.
 * @param block a block of the canonical chain, such as the block of the launch.
 */
export async function readTokenMetadata(
  pair: ObserverPair,
  token: Hex,
  block: { readonly hash: Hex },
): Promise<TokenWords | Unknown> {
  // A token's answers may differ between calls; its code may not. The code shows that both endpoints have the block.
  const code = { kind: 'code', name: 'token.code', to: token } as const;
  const answers = await answerReads(pair, [code, ...metadataReads(token)], block.hash);
  if (answers.kind === 'indeterminate') return { kind: 'indeterminate', reason: answers.reason };
  const [identity, metadata] = [tokenIdentity(token, answers.value), ownMetadata(token, answers.value)];
  return { kind: 'read', identity, metadata };
}
