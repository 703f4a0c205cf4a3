import { Inject, Injectable } from '@nestjs/common';
import { finalizedRecordSchema, finalizedRecordV3Schema, LIMITS, MULTI_ROLE_BASE_PATH, type FinalizedList, type FinalizedListV3 } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import type { BlobStore } from '@launch/blob-store';
import { ApiError } from '../http/api.error.js';
import { CursorCodec, type CursorScope } from '../http/cursor.codec.js';
import { readListQuery } from '../http/list-query.js';
import { imageDigestFrom, onchainIdFrom } from '../http/path-ids.js';
import { BLOB_STORE } from '../tokens.js';
import { FinalizedRepository } from './finalized.repository.js';

type Generation = 'v2' | 'v3';

/** A cursor of one feed is none of the other's. */
const SCOPES: Readonly<Record<Generation, CursorScope>> = {
  v2: { route: `GET ${MULTI_ROLE_BASE_PATH}/finalized`, lineageId: null },
  v3: { route: `GET ${MULTI_ROLE_BASE_PATH}/finalized-v3`, lineageId: null },
};
const NUMBERS: Readonly<Record<Generation, number>> = { v2: 2, v3: 3 };

/** The public feeds of finalized launches, one a finality generation; they read the gateway's own rows and blobs only. */
@Injectable()
export class FinalizedService {
  constructor(
    private readonly records: FinalizedRepository,
    private readonly cursors: CursorCodec,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** Oldest publication first, so that nothing is ever inserted before a page someone has read. */
  async list(generation: Generation, rawQuery: string): Promise<FinalizedList | FinalizedListV3> {
    const scope = SCOPES[generation];
    const query = readListQuery(rawQuery, LIMITS.finalizedListDefault);
    const after = query.cursor === null ? '0' : (this.cursors.decode(scope, query.cursor)[0] ?? '0');
    const rows = await this.records.list(NUMBERS[generation], query.limit, after);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    const nextCursor = rows.length > query.limit && last !== undefined ? this.cursors.encode(scope, [last.publicationNumber]) : null;
    const documents = page.map(({ record }) => parseStrictJson(encoder.encode(record)));
    return generation === 'v3'
      ? { schemaVersion: 'service.multi-role-finalized-metadata-list.v3', items: documents.map((one) => finalizedRecordV3Schema.parse(one)), nextCursor }
      : { schemaVersion: 'service.multi-role-finalized-metadata-list.v2', items: documents.map((one) => finalizedRecordSchema.parse(one)), nextCursor };
  }

  /** The published record's own bytes and their digest. @throws ApiError `NOT_FOUND` */
  async read(generation: Generation, id: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const row = await this.records.find(NUMBERS[generation], onchainIdFrom(id));
    if (row === null) throw new ApiError('NOT_FOUND');
    return { bytes: Buffer.from(row.record), sha256: row.recordSha256 };
  }

  /** The admitted image of a finalized launch, by exactly its digest. @throws ApiError `NOT_FOUND` */
  async image(generation: Generation, id: string, hex: string): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string; readonly sha256: string }> {
    const digest = imageDigestFrom(hex);
    const row = await this.records.find(NUMBERS[generation], onchainIdFrom(id));
    if (row === null || row.imageSha256 !== digest) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(digest), mediaType: row.imageMediaType, sha256: digest };
  }
}

const encoder = new TextEncoder();
