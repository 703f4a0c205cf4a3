import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { Hex, Sha256Digest } from '../primitives/scalars.schema.js';
import type { LaunchFamily } from '../states/launch-families.js';

/**
 * The input of every step about a launch: identity and hashes. The bytes stay in the blob store under `requestSha256`;
 * each activity loads and hashes them itself.
 */
export interface LaunchRef {
  /** UUID of the reservation; null for a preflight, which reserves nothing. */
  readonly launchId: string | null;
  /** Absent from references to multi-role launches. */
  readonly family?: LaunchFamily;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
  readonly controller: Hex;
}

/** A verdict is pass (no findings) or fail. A step that cannot decide throws a retryable failure. */
export interface StepVerdict {
  readonly findings: readonly AnyFinding[];
}

/** The current step of an activity with several steps, reported in its heartbeats and failures. */
export interface StepReached {
  readonly step: string;
}
