import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import type { Secret } from '@launch/platform';
import { z } from 'zod';
import { detailedRefusal, type ApiError } from '../errors/api.error.js';

const MAC_BYTES = 16;
const MAX_CHARACTERS = 512;

/** The scope of a cursor: it is valid for this list and this reader only. */
export interface CursorScope {
  readonly route: string;
  /** The reader; null for public lists. */
  readonly reader: string | null;
}

/** Does not repeat the value: it may be anything, even a key. */
const foreignCursor = ({ length }: string): ApiError =>
  detailedRefusal('CURSOR_INVALID', '/cursor', {
    expected: 'nextCursor of a page of this list, unchanged',
    actual: `${length} characters that are none of it`,
  });

/** The most valid cursors that are cached. */
const KEPT = 256;

/** The decoded payload of a valid cursor for one list and reader. */
interface Issued {
  readonly mac: Buffer;
  readonly sortKey: readonly string[];
}

const payloadSchema = z.strictObject({ v: z.literal(1), k: z.array(z.string().max(128)).min(1).max(4) });

/**
 * Issues opaque cursors: base64url of a payload and the first 16 bytes of its HMAC-SHA-256, which also covers route and
 * reader. They carry the last row's sort key and never expire.
 */
export class CursorCodec {
  /** Cached payloads by list, reader and payload, oldest first. */
  private readonly issued = new Map<string, Issued>();

  constructor(private readonly key: Secret<string>) {}

  encode(scope: CursorScope, sortKey: readonly string[]): string {
    const payload = Buffer.from(canonicalizeJson({ v: 1, k: [...sortKey] }));
    return Buffer.concat([payload, this.mac(scope, payload)]).toString('base64url');
  }

  /**
   * Returns the sort key that a cursor carries. @throws ApiError `CURSOR_INVALID` for a text that this service did not
   * issue for this list.
   */
  decode(scope: CursorScope, cursor: string): readonly string[] {
    const bytes = Buffer.from(cursor, 'base64url');
    if (cursor.length > MAX_CHARACTERS || bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor)
      throw foreignCursor(cursor);
    const payload = bytes.subarray(0, -MAC_BYTES);
    const name = JSON.stringify([scope.route, scope.reader, payload.toString('latin1')]);
    const issued = this.issued.get(name);
    const mac = issued?.mac ?? this.mac(scope, payload);
    if (!timingSafeEqual(mac, bytes.subarray(-MAC_BYTES))) throw foreignCursor(cursor);
    if (issued !== undefined) return issued.sortKey;
    const sortKey = payloadSchema.parse(parseStrictJson(payload)).k;
    this.keep(name, { mac, sortKey });
    return sortKey;
  }

  private keep(name: string, issued: Issued): void {
    this.issued.set(name, issued);
    if (this.issued.size <= KEPT) return;
    for (const oldest of this.issued.keys()) if (this.issued.delete(oldest)) return;
  }

  private mac(scope: CursorScope, payload: Uint8Array): Buffer {
    const bound = canonicalizeJson([scope.route, scope.reader]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bound.length);
    return createHmac('sha256', this.key.reveal())
      .update(length)
      .update(bound)
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}
