import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import type { Secret } from '@launch/platform';
import { z } from 'zod';
import { ApiError } from '../errors/api.error.js';

const MAC_BYTES = 16;
const MAX_CHARACTERS = 512;

/** What a cursor belongs to: it is good for this list of this reader and no other. */
export interface CursorScope {
  readonly route: string;
  /** The reader; null for public lists. */
  readonly reader: string | null;
}

const payloadSchema = z.strictObject({ v: z.literal(1), k: z.array(z.string().max(128)).min(1).max(4) });

/**
 * Opaque cursors: base64url of a payload and the first 16 bytes of its HMAC-SHA-256, which also covers route
 * and reader. They carry the last row's sort key and never expire.
 */
export class CursorCodec {
  constructor(private readonly key: Secret<string>) {}

  encode(scope: CursorScope, sortKey: readonly string[]): string {
    const payload = Buffer.from(canonicalizeJson({ v: 1, k: [...sortKey] }));
    return Buffer.concat([payload, this.mac(scope, payload)]).toString('base64url');
  }

  /** The sort key a cursor carries. @throws ApiError `CURSOR_INVALID` for everything this service did not issue for this list. */
  decode(scope: CursorScope, cursor: string): readonly string[] {
    const bytes = Buffer.from(cursor, 'base64url');
    if (cursor.length > MAX_CHARACTERS || bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor)
      throw new ApiError('CURSOR_INVALID');
    const payload = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(this.mac(scope, payload), bytes.subarray(-MAC_BYTES))) throw new ApiError('CURSOR_INVALID');
    return payloadSchema.parse(parseStrictJson(payload)).k;
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
