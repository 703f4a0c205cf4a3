import { Inject, Injectable } from '@nestjs/common';
import { finalizedRecordSchema, LIMITS, MULTI_ROLE_BASE_PATH, type FinalizedList, type FinalizedRecord } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';
import type { BlobStore } from '@launch/blob-store';
import { ApiError } from '../http/api.error.js';
import { CursorCodec, type CursorScope } from '../http/cursor.codec.js';
import { readListQuery } from '../http/list-query.js';
import { imageDigestFrom, onchainIdFrom } from '../http/path-ids.js';
import { BLOB_STORE } from '../tokens.js';
import { FinalizedRepository } from './finalized.repository.js';

const SCOPE: CursorScope = { route: `GET ${MULTI_ROLE_BASE_PATH}/finalized`, lineageId: null };

/** The public feed of finalized launches; reads the gateway's own rows and blobs only. */
@Injectable()
export class FinalizedService {
  constructor(
    private readonly records: FinalizedRepository,
    private readonly cursors: CursorCodec,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** Oldest publication first, so that nothing is ever inserted before a page someone has read. */
  async list(rawQuery: string): Promise<FinalizedList> {
    const query = readListQuery(rawQuery, LIMITS.finalizedListDefault);
    const after = query.cursor === null ? '0' : (this.cursors.decode(SCOPE, query.cursor)[0] ?? '0');
    const rows = await this.records.list(query.limit, after);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      schemaVersion: 'service.multi-role-finalized-metadata-list.v2',
      items: page.map(({ record }) => decodeRecord(record)),
      nextCursor: rows.length > query.limit && last !== undefined ? this.cursors.encode(SCOPE, [last.publicationNumber]) : null,
    };
  }

  /** The published record's own bytes and their digest. @throws ApiError `NOT_FOUND` */
  async read(id: string): Promise<{ readonly bytes: Uint8Array; readonly sha256: string }> {
    const row = await this.records.find(onchainIdFrom(id));
    if (row === null) throw new ApiError('NOT_FOUND');
    return { bytes: Buffer.from(row.record), sha256: row.recordSha256 };
  }

  /** The admitted image of a finalized launch, by exactly its digest. @throws ApiError `NOT_FOUND` */
  async image(id: string, hex: string): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string; readonly sha256: string }> {
    const digest = imageDigestFrom(hex);
    const row = await this.records.find(onchainIdFrom(id));
    if (row === null || row.imageSha256 !== digest) throw new ApiError('NOT_FOUND');
    return { bytes: await this.blobs.get(digest), mediaType: row.imageMediaType, sha256: digest };
  }
}

const encoder = new TextEncoder();
const decodeRecord = (text: string): FinalizedRecord => finalizedRecordSchema.parse(parseStrictJson(encoder.encode(text)));
