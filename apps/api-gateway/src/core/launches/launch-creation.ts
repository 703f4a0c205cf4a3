import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import type { ApiError } from '@launch/http';
import type { Caller } from '../accounts/credentials/caller.js';
import type { KeyRecord, NewLaunch, WrittenBeside } from './launch.repository.js';
import type { StoredLaunch } from './stored-launch.js';

/** A request that may be reserved. */
export interface Admitted {
  readonly launch: NewLaunch;
  /** The request's, as sent. */
  readonly bytes: Uint8Array;
  /** The admitted image's. */
  readonly image: Uint8Array;
}

/**
 * What creating a launch is in one family; `CreateLaunchService` knows the rest. A new request goes through `open`,
 * `judge` and `admit`, in this order; one whose key is known goes to `replay` alone.
 */
export interface LaunchCreation<Judged, Resource> {
  readonly family: LaunchFamily;
  /** The route template that idempotency keys are scoped by. */
  readonly route: string;
  /** What its refusals depend on besides the key and the bytes, if anything. */
  readonly variant?: string;
  /** Whether new requests are taken at all, before one is read or counted. @throws ApiError when they are not. */
  open?(): Promise<void>;
  /**
   * Reads and judges.
   * @param body belongs to the judge from then on; `digest` is its name.
   * @throws ApiError for what cannot be read, and for what nobody can judge now.
   */
  judge(body: Buffer<ArrayBuffer>, digest: Sha256Digest, caller: Caller): Promise<Judged>;
  /** @throws ApiError for what is wrong with it. Should another gateway have reserved the very key meanwhile, its record answers instead. */
  admit(judged: Judged): Admitted;
  /** What a nonce that another launch holds is refused with. */
  nonceTaken(judged: Judged): ApiError;
  /** What the family writes beside the launch, if anything. */
  beside?(judged: Judged, launchId: string, caller: Caller): WrittenBeside;
  /** The answer to a create under a known key. @throws ApiError `IDEMPOTENCY_CONFLICT` for other bytes, and what the family says of a replay. */
  replay(record: KeyRecord, digest: Sha256Digest, caller: Caller): Resource;
  resource(launch: StoredLaunch, caller: Caller): Resource;
}
