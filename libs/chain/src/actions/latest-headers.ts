import { LIMITS } from '@launch/contracts/primitives';
import { bothHeaders } from '../agreement/common-head.js';
import type { ObserverPair } from '../rpc/observer.js';
import type { BlockHeader } from '../rpc/rpc-answers.schema.js';

export type ClockReading =
  | { readonly kind: 'in-step'; readonly headers: readonly [BlockHeader, BlockHeader]; readonly serverSeconds: bigint }
  /** The server's clock and a head differ by more than the bound, so no window may be judged. */
  | { readonly kind: 'skewed'; readonly observer: string; readonly skewSeconds: bigint }
  | { readonly kind: 'indeterminate'; readonly reason: string };

/**
 * Reads the latest header of both L2 observers and compares it with the server's clock. Permit windows are judged by
 * the server's clock and by both headers, and only while these differ by at most 120 s.
 */
export async function latestHeaders(
  l2: ObserverPair,
  now: () => number = Date.now,
  allowedSeconds: bigint = BigInt(LIMITS.clockSkewSeconds),
): Promise<ClockReading> {
  const heads = await bothHeaders(l2, 'latest');
  if (heads.kind === 'indeterminate') return heads;
  const serverSeconds = BigInt(Math.floor(now() / 1000));
  for (const [index, header] of heads.headers.entries()) {
    const skewSeconds = header.timestamp - serverSeconds;
    if (skewSeconds > allowedSeconds || -skewSeconds > allowedSeconds) {
      return { kind: 'skewed', observer: l2[index]?.id ?? '', skewSeconds };
    }
  }
  return { kind: 'in-step', headers: heads.headers, serverSeconds };
}
