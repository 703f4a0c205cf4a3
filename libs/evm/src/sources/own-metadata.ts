import type { SourceRead, TokenMetadata } from '@launch/contracts/index';
import type { Hex } from '../encoding/hex.js';
import { displayedFoundation, tokenReads } from './module-foundation/foundation-token.js';
import type { Answers } from './source-adapter.js';
import { displayReads, tokenMetadata } from './token-display.js';

/** Returns the reads of a token of an unknown source: `metadata()`, and the getters of a Foundation token. */
export function metadataReads(token: Hex): readonly SourceRead[] {
  const reads = [...displayReads(token, new Map()), ...tokenReads(token)];
  return [...new Map(reads.map((read) => [read.name, read])).values()];
}

/** Returns a token's own metadata in the form that it has (docs/reference/index-sources.md#token-metadata). */
export function ownMetadata(token: Hex, answers: Answers): TokenMetadata {
  const metadata = tokenMetadata(token, answers);
  return metadata.status === 'absent' ? displayedFoundation(token, answers) : metadata;
}
