import { Inject, Injectable } from '@nestjs/common';
import type { BlobReader } from '@launch/blob-store';
import { assertCanonicalJson } from '@launch/contracts/json';
import { isSha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { z } from 'zod';
import { BLOB_STORE } from '../../platform/tokens.js';
import { ProjectionError } from './projection.error.js';

export interface StoredDocument<T> {
  /** The bytes as text: canonical JSON. */
  readonly text: string;
  readonly value: T;
}

/** Reads documents of other services by their hash, and parses each before any of it is trusted. */
@Injectable()
export class StoredDocuments {
  constructor(@Inject(BLOB_STORE) private readonly blobs: Pick<BlobReader, 'get'>) {}

  /** @throws ProjectionError `DOCUMENT_INVALID`; BlobError */
  async read<T>(digest: Sha256Digest, schema: z.ZodType<T>): Promise<StoredDocument<T>> {
    if (!isSha256Digest(digest)) throw new ProjectionError('DOCUMENT_INVALID', 'digest');
    const bytes = await this.blobs.get(digest);
    return { text: Buffer.from(bytes).toString('utf8'), value: parsed(schema, canonical(bytes)) };
  }
}

function canonical(bytes: Uint8Array): unknown {
  try {
    return assertCanonicalJson(bytes);
  } catch (error) {
    throw new ProjectionError('DOCUMENT_INVALID', 'bytes', { cause: error });
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProjectionError('DOCUMENT_INVALID', result.error.issues[0]?.path.map(String).join('.') ?? '', {
    cause: result.error,
  });
}

/** A field of a document, compared with the reservation. */
export type Agreement = readonly [name: string, said: string, reserved: string];

/** @throws ProjectionError `PROJECTION_MISMATCH` naming the first field that differs. */
export function mustAgree(fields: readonly Agreement[]): void {
  for (const [name, said, reserved] of fields)
    if (said !== reserved) throw new ProjectionError('PROJECTION_MISMATCH', name);
}
