import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import type { Logger } from '@launch/platform';
import type { GatewayLimits } from '../../platform/configuration/limits.js';
import { BLOB_STORE, LIMITS_CONFIG, LOGGER } from '../../platform/tokens.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';

const AT_ONCE = 200;
/** Bounds one round of housekeeping; the next round continues. */
const BATCHES = 10;
/**
 * Bytes that were set aside are removed after this at the earliest. A create stores its bytes first and commits its row
 * next: one that found them stored before they were set aside has its row by then, and they are restored.
 */
const GRACE_MS = 10 * 60_000;

/**
 * Removes the bytes of refused requests after their retention. The rows stay with the digests, so that a replay answers
 * from its record as before.
 */
@Injectable()
export class RefusedRequestsService {
  constructor(
    private readonly requests: RefusedRequestsRepository,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
    @Inject(LIMITS_CONFIG) private readonly limits: GatewayLimits,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Runs one bounded round. The next round repeats the unfinished work of a killed process. */
  async sweep(graceMs = GRACE_MS): Promise<void> {
    const removed = await this.blobs.removeRetired(graceMs, (digests) => this.requests.needed(digests));
    let retired = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const due = await this.requests.due(this.limits.refusedRequestDays, AT_ONCE);
      if (due.length === 0) break;
      const launchIds = due.map(({ launchId }) => launchId);
      const digests = [...new Set(due.flatMap(({ requestSha256, imageSha256 }) => [requestSha256, imageSha256]))];
      const needed = await this.requests.needed(digests, launchIds);
      for (const digest of digests) if (!needed.has(digest)) await this.blobs.retire(digest);
      await this.requests.noteRetired(launchIds);
      retired += due.length;
    }
    if (removed + retired > 0)
      this.logger.info({ retired, removed }, 'bytes of refused requests were set aside or removed');
  }
}
