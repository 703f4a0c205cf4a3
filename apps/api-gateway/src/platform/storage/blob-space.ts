import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Gauge, type Logger, type Registry } from '@launch/platform';

const EVERY_MS = 1_000;
/** Milliseconds for which intake stays closed after a write found the disk full, even if another process frees space. */
const FULL_FOR_MS = 10_000;
/** Intake reopens at this multiple of the watermark, so that it does not open and close with every request. */
const REOPEN_FACTOR = 1.2;

/** Reports whether the disk of the blobs has room for the bytes of clients. */
export interface StorageSpace {
  isLow(): boolean;
  /** Reports that a write failed for want of space. */
  noteFull(): void;
}

/** The space of an object store, which has no watermark. */
export const UNLIMITED_SPACE: StorageSpace = { isLow: () => false, noteFull: () => undefined };

export interface BlobSpaceOptions {
  readonly dir: string;
  /** Intake closes below this. */
  readonly minFreeBytes: number;
  readonly now: () => number;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Returns the bytes that an unprivileged process may still write; by default measures the file system of `dir`. */
  readonly freeBytes?: (dir: string) => Promise<number>;
}

/**
 * Measures the free space of a file system once a second. Requests read the last measurement, so none waits for a file
 * system that hangs. Intake is open before the first measurement.
 */
export class BlobSpace implements StorageSpace {
  private low = false;
  private fullUntil = 0;
  private free: number | null = null;
  private measuring: Promise<void> | undefined;

  constructor(private readonly options: BlobSpaceOptions) {
    const free: Gauge = new Gauge({
      name: 'launch_blob_free_bytes',
      help: 'Free bytes of the file system that holds the blobs.',
      registers: [options.metrics],
      collect: () => free.set(this.free ?? Number.NaN),
    });
    const closed: Gauge = new Gauge({
      name: 'launch_blob_intake_closed',
      help: '1 while requests that would be stored are refused, since the file system is nearly full.',
      registers: [options.metrics],
      collect: () => closed.set(this.isLow() ? 1 : 0),
    });
  }

  isLow(): boolean {
    return this.low || this.options.now() < this.fullUntil;
  }

  noteFull(): void {
    this.fullUntil = this.options.now() + FULL_FOR_MS;
  }

  /** Measures now; concurrent calls share a measurement in flight. */
  measure(): Promise<void> {
    this.measuring ??= this.read().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  /** Starts to measure. @returns a function that stops it. */
  start(): () => void {
    void this.measure();
    const timer = setInterval(() => void this.measure(), EVERY_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  private async read(): Promise<void> {
    const { dir, minFreeBytes, logger, freeBytes = freeBytesOf } = this.options;
    try {
      this.free = await freeBytes(dir);
    } catch (error) {
      // The last measurement stays in effect: a write that fails for want of space closes intake as well.
      logger.warn({ err: error }, 'the free space of the blobs could not be measured');
      return;
    }
    const low = this.free < (this.low ? minFreeBytes * REOPEN_FACTOR : minFreeBytes);
    if (low !== this.low)
      logger[low ? 'error' : 'info'](
        { freeBytes: this.free, minFreeBytes },
        low ? 'intake is closed: the disk of the blobs is nearly full' : 'intake is open again: the disk has room',
      );
    this.low = low;
  }
}

/** Returns the free bytes at the nearest folder that exists: the store creates its own with the first blob. */
async function freeBytesOf(dir: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(dir);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === dir) throw error;
    return freeBytesOf(parent);
  }
}
