import { existsSync, mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, FileFault, readBoundedFile, writeNewFile } from '@launch/client-core/command';
import { parseStrictJson, StrictJsonError } from '@launch/contracts/json';
import { moduleReceiptSchema, type ModuleReceipt } from '@launch/contracts/modules';
import { ModuleCliError } from './module-cli.error.js';

const MAX_RECEIPT_BYTES = 64 * 1024;
const PLACE = '--receipts';

/** A receipt as the service first gave it. */
export interface KeptReceipt {
  readonly bytes: Uint8Array;
  readonly receipt: ModuleReceipt;
}

/**
 * A folder of receipts, each in a file named by its submission, and beside it the origin of the service that gave it. Nothing
 * in it is ever overwritten.
 */
export class Receipts {
  constructor(private readonly folder: string) {}

  /** The kept receipt of a submission, or null. */
  read(submissionId: string): KeptReceipt | null {
    if (!this.names().includes(nameOf(submissionId))) return null;
    const kept = this.parse(nameOf(submissionId));
    if (kept.receipt.submissionId !== submissionId) throw unusable();
    return kept;
  }

  /**
   * Keeps a receipt. A receipt that is kept already must have the same bytes. A replay must name the submission that is kept
   * for the request, unless another service gave that one.
   * @throws {ModuleCliError} `MODULE_API_RECEIPT_MISMATCH`
   */
  keep({ bytes, receipt }: KeptReceipt, origin: string, isReplay: boolean): void {
    const kept = this.read(receipt.submissionId);
    if (kept !== null) return requireEqual(kept, { bytes, receipt });
    const { requestDigest } = receipt;
    const isOfRequest = (name: string): boolean =>
      this.parse(name).receipt.requestDigest === requestDigest && (this.originOf(name) ?? origin) === origin;
    if (isReplay && this.names().some(isOfRequest))
      throw ModuleCliError.own('MODULE_API_RECEIPT_MISMATCH', { path: '/submissionId' });
    try {
      const name = nameOf(receipt.submissionId);
      writeNewFile(join(this.folder, name), bytes);
      try {
        writeNewFile(join(this.folder, originNameOf(name)), Buffer.from(origin));
      } catch (error) {
        // A receipt without its origin would be taken for one of an earlier release.
        unlinkSync(join(this.folder, name));
        throw error;
      }
    } catch (error) {
      throw asFileError(error);
    }
  }

  /** @throws {ModuleCliError} `MODULE_CLI_FILE` if the folder does not exist and cannot be created. */
  create(): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      this.names();
    } catch (error) {
      throw asFileError(error);
    }
  }

  private names(): readonly string[] {
    try {
      return readdirSync(this.folder).filter((name) => /^[0-9a-f]{8}-[0-9a-f-]{27}\.json$/.test(name));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw asFileError(error);
    }
  }

  /** Returns the origin that gave a receipt; null for a receipt that an earlier release kept. */
  private originOf(name: string): string | null {
    try {
      const bytes = readBoundedFile(
        join(this.folder, originNameOf(name)),
        MAX_RECEIPT_BYTES,
        new FileFault('is too large'),
      );
      return Buffer.from(bytes).toString();
    } catch (error) {
      if (existsSync(join(this.folder, originNameOf(name)))) throw asFileError(error);
      return null;
    }
  }

  private parse(name: string): KeptReceipt {
    try {
      const bytes = readBoundedFile(join(this.folder, name), MAX_RECEIPT_BYTES, new FileFault('is too large'));
      const read = moduleReceiptSchema.safeParse(parseStrictJson(bytes));
      if (!read.success) throw unusable();
      return { bytes, receipt: read.data };
    } catch (error) {
      if (error instanceof StrictJsonError) throw unusable();
      throw asFileError(error);
    }
  }
}

/**
 * Checks that a receipt equals the kept one: a submission always has the same receipt, byte for byte.
 * @throws {ModuleCliError} `MODULE_API_RECEIPT_MISMATCH` with the first member that differs, if one does
 */
export function requireEqual(kept: KeptReceipt, told: KeptReceipt): void {
  for (const name of Object.keys(kept.receipt) as (keyof ModuleReceipt)[])
    if (told.receipt[name] !== kept.receipt[name])
      throw ModuleCliError.own('MODULE_API_RECEIPT_MISMATCH', { path: `/${String(name)}` });
  if (Buffer.compare(kept.bytes, told.bytes) !== 0)
    throw ModuleCliError.own('MODULE_API_RECEIPT_MISMATCH', { path: '' });
}

const nameOf = (submissionId: string): string => `${submissionId}.json`;
const originNameOf = (name: string): string => name.replace(/json$/, 'origin');
const unusable = (): ModuleCliError => ModuleCliError.own('MODULE_CLI_FILE', { path: PLACE });

/** Returns a fault of the file system as a failure of the folder, and any other error unchanged. */
function asFileError(error: unknown): unknown {
  const isOfFiles = error instanceof FileFault || typeof (error as { syscall?: unknown } | null)?.syscall === 'string';
  return isOfFiles ? unusable() : error;
}
