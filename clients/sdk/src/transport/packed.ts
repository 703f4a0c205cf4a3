import { sentLaunch, type SentLaunch } from '@launch/client-core/binding';
import { parseStrictJson } from '@launch/contracts/json';
import { keccak256Hex, sha256Digest } from '@launch/contracts/primitives';

/** The exact bytes of a request, with the packer's report. A request that was saved without its report has the bytes only. */
export interface Packed {
  readonly bytes: Uint8Array;
  readonly report?: PackedReport;
  /** The router of the context that the request names: the address that the wallet's transaction calls. */
  readonly router?: string;
}

/** The parts of a packer's report that responses repeat. */
export interface PackedReport {
  readonly idempotencyKey: string;
  readonly artifactHash: string;
  readonly onchainLaunchId: string;
  /** The ids of the steps of a plan, in order. */
  readonly stepIds?: readonly string[];
}

/** Returns the digest that names a request: its default idempotency key ends with it. */
export const digestOf = ({ bytes }: Pick<Packed, 'bytes'>): string => sha256Digest(bytes).slice('sha256:'.length);

/** Returns bytes in memory of their own, which a request sends. */
export const bodyOf = ({ bytes }: Pick<Packed, 'bytes'>): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** Returns the values of a packed launch or plan that responses repeat. */
export function sentOf({ bytes, report, router }: Packed): SentLaunch {
  const requestSha256 = sha256Digest(bytes);
  return sentLaunch(parseStrictJson(bytes) as unknown as Parameters<typeof sentLaunch>[0], {
    requestSha256,
    requestHash: keccak256Hex(bytes),
    router,
    artifactHash: report?.artifactHash,
    onchainLaunchId: report?.onchainLaunchId,
    // A plan is packed as its canonical JSON, so both digests are one.
    planDigest: requestSha256,
    stepIds: report?.stepIds,
  });
}
