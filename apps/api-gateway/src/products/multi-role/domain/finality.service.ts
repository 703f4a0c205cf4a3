import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import type { AnyFinalityStatus } from '@launch/contracts/multi-role';
import type { Caller } from '../../../core/accounts/credentials/caller.js';
import { ApiError } from '@launch/http';
import { finalityOf } from './launch.resource.js';
import { ReadLaunchService } from './read-launch.service.js';
import { BLOB_STORE, CLOCK, type Clock } from '../../../platform/tokens.js';

/**
 * Serves the protected finality projection, which is `pending` before the first observation
 * (docs/reference/finality.md#public-states).
 */
@Injectable()
export class FinalityService {
  constructor(
    private readonly launches: ReadLaunchService,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /**
   * @throws ApiError `NOT_FOUND` when no accessible record exists. A launch has a projection only in its own
   * generation.
   */
  async read(caller: Caller, id: string, generation: 'v2' | 'v3'): Promise<AnyFinalityStatus> {
    const launch = await this.launches.find(caller, id);
    if (launch.generation !== generation) throw new ApiError('NOT_FOUND');
    return finalityOf(launch, this.clock.now());
  }

  /**
   * Returns the owner's evidence as the stored bytes of the bundle, and their digest.
   * @throws ApiError `NOT_FOUND`, also before the launch is finalized.
   */
  async evidence(caller: Caller, id: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const { evidenceSha256 } = await this.launches.find(caller, id);
    if (evidenceSha256 === null) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(evidenceSha256), sha256: evidenceSha256 };
  }
}
