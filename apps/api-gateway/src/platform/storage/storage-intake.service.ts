import { Inject, Injectable } from '@nestjs/common';
import { BlobError, type BlobStore, type NamedBlob } from '@launch/blob-store';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError, RateLimitService } from '@launch/http';
import type { FastifyRequest } from 'fastify';
import { BLOB_STORE, STORAGE_SPACE } from '../tokens.js';
import type { StorageSpace } from './blob-space.js';

/** The part of a caller by which stored bytes are counted. */
interface StorageOwner {
  readonly storageOwner: string;
}

const UNIT_BYTES = 1_024;
const RETRY_AFTER_SECONDS = 30;
/** Error codes of a file system that is full, or on which the quota of this process is used up. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Converts bytes to units of the quota `storage`. */
export const storageUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / UNIT_BYTES));

/** Stores the bytes of clients, within the daily quota of their key and only while the disk has room. Nothing else stores them. */
@Injectable()
export class StorageIntake {
  constructor(
    private readonly rateLimits: RateLimitService,
    @Inject(STORAGE_SPACE) private readonly space: StorageSpace,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

  /** @throws ApiError `STORAGE_LOW` while the disk has no room. */
  ensureOpen(): void {
    if (this.space.isLow()) throw storageLow();
  }

  /**
   * Refuses a request by its head, before its body is read, when its bytes could not be stored. A known key passes: its
   * record answers it and nothing is stored.
   * @throws ApiError `STORAGE_LOW`, `RATE_LIMITED`
   */
  async judgeHead(http: FastifyRequest, owner: StorageOwner, isKnown: () => Promise<boolean>): Promise<void> {
    try {
      this.ensureOpen();
      const declared = Number(http.headers['content-length'] ?? 0);
      await this.rateLimits.ensureUnitsFit(http, owner.storageOwner, 'storage', storageUnits(declared));
    } catch (refused) {
      if (!(refused instanceof ApiError) || !(await isKnown())) throw refused;
    }
  }

  /**
   * Counts and stores blobs.
   * @returns a function that reverts the count, for a request that turns out to have been stored before.
   * @throws ApiError `STORAGE_LOW`, `RATE_LIMITED`; then nothing is counted.
   */
  async keep(http: FastifyRequest, owner: StorageOwner, blobs: readonly NamedBlob[]): Promise<() => Promise<void>> {
    this.ensureOpen();
    const units = storageUnits(blobs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
    await this.rateLimits.chargeUnits(http, owner.storageOwner, 'storage', units);
    const giveBack = (): Promise<void> => this.rateLimits.giveBackUnits(owner.storageOwner, 'storage', units);
    try {
      await this.write(() => this.blobs.putAll(blobs));
    } catch (error) {
      await giveBack();
      throw error;
    }
    return giveBack;
  }

  /** Counts a small row that a request adds to the database. @throws ApiError `STORAGE_LOW`, `RATE_LIMITED` */
  async countRow(http: FastifyRequest, owner: StorageOwner): Promise<void> {
    this.ensureOpen();
    await this.rateLimits.chargeUnits(http, owner.storageOwner, 'storage', 1);
  }

  /** Stores bytes until `deleteTemporary`; they count against no quota. @throws ApiError `STORAGE_LOW` */
  async keepTemporary(bytes: Uint8Array, owner: string): Promise<Sha256Digest> {
    this.ensureOpen();
    return this.write(() => this.blobs.putTemporary(bytes, owner));
  }

  deleteTemporary(digest: Sha256Digest, owner: string): Promise<void> {
    return this.blobs.deleteTemporary(digest, owner);
  }

  private async write<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof BlobError) || error.data.errno === undefined || !FULL.has(error.data.errno)) throw error;
      this.space.noteFull();
      throw storageLow(error);
    }
  }
}

const storageLow = (cause?: unknown): ApiError =>
  new ApiError('STORAGE_LOW', { retryAfterSeconds: RETRY_AFTER_SECONDS, ...(cause === undefined ? {} : { cause }) });
