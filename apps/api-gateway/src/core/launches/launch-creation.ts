import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { ApiError } from '@launch/http';
import type { Caller } from '../accounts/credentials/caller.js';
import type { KeyRecord, NewLaunch, WrittenBeside } from './launch.repository.js';
import type { StoredLaunch } from './stored-launch.js';

/** A request that may be reserved. */
export interface Admitted {
  readonly launch: NewLaunch;
  /** The bytes of the request, as sent. */
  readonly bytes: Uint8Array;
  /** The bytes of the admitted image. */
  readonly image: Uint8Array;
}

/**
 * The part of creating a launch that depends on its family; `CreateLaunchService` has the rest. A new request passes
 * `open`, `judge` and `admit`, in this order. A request under a known key goes to `replay` alone.
 */
export interface LaunchCreation<Judged, Resource> {
  readonly family: LaunchFamily;
  /** The route template that idempotency keys are scoped by. */
  readonly route: string;
  /** A further input of its refusals besides the key and the bytes, if any. */
  readonly variant?: string;
  /** Checks that new requests are accepted, before one is read or counted. @throws ApiError when they are not. */
  open?(): Promise<void>;
  /**
   * Reads and judges a request.
   * @param body belongs to the judge after the call; `digest` is its name.
   * @throws ApiError for a request that cannot be read, or cannot be judged now.
   */
  judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<Judged>;
  /** @throws ApiError for its faults. If another gateway has reserved the same key meanwhile, its record answers instead. */
  admit(judged: Judged): Admitted;
  /** Makes the error for a nonce that another launch holds. */
  nonceTaken(judged: Judged): ApiError;
  /** Returns the further writes of the family, if any. */
  beside?(judged: Judged, launchId: string, caller: Caller): WrittenBeside;
  /** Answers a create under a known key. @throws ApiError `IDEMPOTENCY_CONFLICT` for other bytes, and the family's errors of a replay. */
  replay(record: KeyRecord, digest: Sha256Digest, caller: Caller): Resource;
  resource(launch: StoredLaunch, caller: Caller): Resource;
}
