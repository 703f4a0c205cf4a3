import { Inject, Injectable } from '@nestjs/common';
import { type FinalizedList, type FinalizedListV3, MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import type { BlobStore } from '@launch/blob-store';
import { ApiError, CursorCodec, type CursorScope, type ListQuery } from '@launch/http';
import { imageDigestFrom, onchainIdFrom } from '../../../core/launches/path-ids.js';
import { BLOB_STORE } from '../../../platform/tokens.js';
import { FeedPages } from '../../../core/feeds/feed-pages.js';
import { FeedRepository, type StoredRecord } from '../../../core/feeds/feed.repository.js';
import type { FeedName } from '../../../core/projections/publication.repository.js';

type Generation = 'v2' | 'v3';

/** A cursor belongs to one feed; the other feed refuses it. */
const SCOPES: Readonly<Record<Generation, CursorScope>> = {
  v2: { route: `GET ${MULTI_ROLE_BASE_PATH}/finalized`, reader: null },
  v3: { route: `GET ${MULTI_ROLE_BASE_PATH}/finalized-v3`, reader: null },
};
const FEED_NAMES: Readonly<Record<Generation, FeedName>> = { v2: 'multi-role.v2', v3: 'multi-role.v3' };

/**
 * Serves the public feeds of finalized launches, one for each finality generation, from the gateway's own rows and
 * blobs.
 */
@Injectable()
export class FinalizedService {
  private readonly pages = new FeedPages(() => this.records.head());

  constructor(
    private readonly records: FeedRepository,
    private readonly cursors: CursorCodec,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /**
   * Returns a page as canonical JSON. The oldest publication comes first, so pages that a client has read do not
   * change.
   */
  async list(generation: Generation, { limit, cursor }: ListQuery): Promise<Uint8Array> {
    const scope = SCOPES[generation];
    const after = cursor === undefined ? '0' : (this.cursors.decode(scope, cursor)[0] ?? '0');
    return this.pages.read(`${generation}/${limit}/${after}`, async () => {
      const rows = await this.records.list(FEED_NAMES[generation], limit, after);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const nextCursor =
        rows.length > limit && last !== undefined ? this.cursors.encode(scope, [last.publicationNumber]) : null;
      return { bytes: pageBytes(generation, page, nextCursor), full: nextCursor !== null };
    });
  }

  /** Returns the bytes of the published record and their digest. @throws ApiError `NOT_FOUND` */
  async read(generation: Generation, id: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const row = await this.records.find(FEED_NAMES[generation], onchainIdFrom(id));
    if (row === null) throw new ApiError('NOT_FOUND');
    return { bytes: Buffer.from(row.record), sha256: row.recordSha256 };
  }

  /** Returns the admitted image of a finalized launch by its exact digest. @throws ApiError `NOT_FOUND` */
  async image(
    generation: Generation,
    id: string,
    hex: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string; readonly sha256: string }> {
    const digest = imageDigestFrom(hex);
    const row = await this.records.find(FEED_NAMES[generation], onchainIdFrom(id));
    if (row === null || row.imageSha256 !== digest) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(digest), mediaType: row.imageMediaType, sha256: digest };
  }
}

const LIST_VERSIONS: Readonly<Record<Generation, FinalizedList['schemaVersion'] | FinalizedListV3['schemaVersion']>> = {
  v2: 'service.multi-role-finalized-metadata-list.v2',
  v3: 'service.multi-role-finalized-metadata-list.v3',
};

/**
 * Builds a list around stored records, which were checked and made canonical when they were published. Its members are
 * in canonical order.
 */
const pageBytes = (generation: Generation, records: readonly StoredRecord[], nextCursor: string | null): Uint8Array =>
  Buffer.from(
    `{"items":[${records.map(({ record }) => record).join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"schemaVersion":"${LIST_VERSIONS[generation]}"}`,
  );
