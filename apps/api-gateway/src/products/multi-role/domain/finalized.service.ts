import { Inject, Injectable } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import type { FinalizedList, FinalizedListV3 } from '@launch/contracts/multi-role';
import { ApiError } from '@launch/http';
import { imageDigestFrom, onchainIdFrom } from '../../../core/launches/path-ids.js';
import type { PublicDocument } from '../../../platform/http/public-answer.js';
import { BLOB_STORE } from '../../../platform/tokens.js';
import { FeedRepository, type StoredRecord } from '../../../core/feeds/feed.repository.js';
import type { FeedFamily } from '../../../core/feeds/public-feed.js';
import type { FeedName } from '../../../core/projections/publication.repository.js';

type Generation = 'v2' | 'v3';

const FEED_NAMES: Readonly<Record<Generation, FeedName>> = { v2: 'multi-role.v2', v3: 'multi-role.v3' };
const LIST_VERSIONS: Readonly<Record<Generation, FinalizedList['schemaVersion'] | FinalizedListV3['schemaVersion']>> = {
  v2: 'service.multi-role-finalized-metadata-list.v2',
  v3: 'service.multi-role-finalized-metadata-list.v3',
};

/** The list of finalized launches of one finality generation. */
class FinalizedFeed implements FeedFamily {
  readonly maxAgeMs = 0;
  readonly hasFinalPages = true;

  constructor(
    private readonly generation: Generation,
    private readonly records: FeedRepository,
  ) {}

  version(): Promise<string> {
    return this.records.head();
  }

  rows(limit: number, after: string): Promise<readonly StoredRecord[]> {
    return this.records.list(FEED_NAMES[this.generation], limit, after);
  }

  async frame(): Promise<{ readonly schemaVersion: string }> {
    return { schemaVersion: LIST_VERSIONS[this.generation] };
  }
}

@Injectable()
export class FinalizedFeedV2 extends FinalizedFeed {
  constructor(records: FeedRepository) {
    super('v2', records);
  }
}

@Injectable()
export class FinalizedFeedV3 extends FinalizedFeed {
  constructor(records: FeedRepository) {
    super('v3', records);
  }
}

/** Serves single finalized launches from the gateway's own rows and blobs. */
@Injectable()
export class FinalizedService {
  constructor(
    private readonly records: FeedRepository,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** Returns the bytes of the published record and their digest. @throws ApiError `NOT_FOUND` */
  async read(generation: Generation, id: string): Promise<PublicDocument> {
    const row = await this.records.find(FEED_NAMES[generation], onchainIdFrom(id));
    if (row === null) throw new ApiError('NOT_FOUND');
    return { bytes: Buffer.from(row.record), sha256: row.recordSha256 };
  }

  /** Returns the admitted image of a finalized launch by its exact digest. @throws ApiError `NOT_FOUND` */
  async image(
    generation: Generation,
    id: string,
    hex: string,
  ): Promise<PublicDocument & { readonly mediaType: string }> {
    const digest = imageDigestFrom(hex);
    const row = await this.records.find(FEED_NAMES[generation], onchainIdFrom(id));
    if (row === null || row.imageSha256 !== digest) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(digest), mediaType: row.imageMediaType, sha256: digest };
  }
}
