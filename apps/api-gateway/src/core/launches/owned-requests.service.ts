import { Inject, Injectable } from '@nestjs/common';
import { BlobError, type BlobReader } from '@launch/blob-store';
import type { ServedCode } from '@launch/contracts/errors';
import type { Sha256Digest } from '@launch/contracts/primitives';
import type { LaunchFamily } from '@launch/contracts/states';
import { ApiError, markPrivate, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../accounts/credentials/caller.js';
import { BLOB_STORE } from '../../platform/tokens.js';
import { LaunchRepository } from './launch.repository.js';
import { idOrNil } from './path-ids.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';

/** The exact bytes of a request as the service received them. */
export interface StoredRequest {
  readonly bytes: Uint8Array;
  readonly sha256: Sha256Digest;
}

/** Reads the requests of launches and plans by owner: a request is visible to the readers of its resource. */
@Injectable()
export class OwnedRequestsService {
  constructor(
    @Inject(LaunchRepository) private readonly launches: Pick<LaunchRepository, 'findOwned'>,
    @Inject(RefusedRequestsRepository) private readonly refused: Pick<RefusedRequestsRepository, 'isRetired'>,
    @Inject(BLOB_STORE) private readonly blobs: Pick<BlobReader, 'get'>,
  ) {}

  /**
   * Returns the request of a launch or plan.
   * @param absent the code of the family for an id that names none of the caller's
   * @throws ApiError `absent`, also after the bytes of a refused request were deleted.
   * @throws BlobError if bytes that must exist cannot be read.
   */
  async read(family: LaunchFamily, caller: Caller, id: string, absent: ServedCode): Promise<StoredRequest> {
    const launchId = idOrNil(id);
    const launch = await this.launches.findOwned(family, launchId, caller);
    const bytes = launch === null ? null : await this.keptBytes(launchId, launch.requestSha256);
    if (launch === null || bytes === null) throw new ApiError(absent);
    return { bytes, sha256: launch.requestSha256 };
  }

  private async keptBytes(launchId: string, digest: Sha256Digest): Promise<Uint8Array | null> {
    try {
      return await this.blobs.get(digest);
    } catch (error) {
      const isAbsent = error instanceof BlobError && error.code === 'BLOB_ABSENT';
      if (isAbsent && (await this.refused.isRetired(launchId))) return null;
      throw error;
    }
  }
}

/** The declaration of an owner's read of a request, apart from its path, its section and its codes. */
export const REQUEST_READ = {
  method: 'get',
  scopes: ['custom-launch:read'],
  quota: 'read',
  summary: 'Retrieve the request bytes',
  description:
    'Returns the request byte for byte as the service received it; its SHA-256 is `requestSha256` of the resource. An absent id, the id of another owner, and a request whose bytes the service deleted after their retention return the same error.',
  entityTag: 'SHA-256 digest of the response body.',
  answers: { 200: { description: 'The request, byte for byte.', mediaTypes: ['application/json'] } },
} as const;

/** Sends a request to its owner. */
export function sendRequest(reply: FastifyReply, { bytes, sha256 }: StoredRequest): void {
  markPrivate(reply);
  sendCacheable(reply, { etag: sha256, cacheControl: 'private, no-store', mediaType: 'application/json', body: bytes });
}
