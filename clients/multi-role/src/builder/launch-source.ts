import type { PackConfig } from '@launch/contracts/multi-role';
import { canonicalSha256, keccak256Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { type Hex } from '@launch/evm';
import { collectSources, manifestOf } from '@launch/launch-rules';
import { concatBytes, hexToBytes, keccak256, numberToHex, stringToBytes } from 'viem/utils';

/** Returns a builder's commitment to the source of a launch: one lineage per wallet and nonce. */
export function sourceLineage(
  wallet: Hex,
  nonce: bigint,
  publicOrigin: string,
): Pick<PackConfig['source'], 'sourceLineageNonce' | 'publicOriginCommitment'> {
  const lineage = keccak256(`${wallet}${numberToHex(nonce, { size: 32 }).slice(2)}`);
  const commitment = keccak256Hex(concatBytes([stringToBytes(publicOrigin), hexToBytes(lineage)]));
  return { sourceLineageNonce: lineage, publicOriginCommitment: commitment };
}

/** Returns the digest of one compiler input's sources and the additional files; null if they are not a readable bundle. */
export function sourceBundleDigest(
  unit: { readonly standardJsonInputBase64: string },
  additionalFiles: PackConfig['source']['additionalFiles'],
): Sha256Digest | null {
  const sources = collectSources([unit], additionalFiles, '/compiler');
  return sources.ok ? canonicalSha256(manifestOf(sources.files)) : null;
}

/** Returns the timestamp of a unix second, at most the last second of the year 9999, the bound of the format. */
export const instantOf = (seconds: string): string =>
  new Date(Math.min(Number(seconds), 253_402_300_799) * 1000).toISOString();
