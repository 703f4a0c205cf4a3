import { FileFault, writeNewFile } from '@launch/client-core/command';
import { ModuleCliError } from './module-cli.error.js';
import type { Outcome } from './run-module-cli.js';
import { readUuid, type Options } from './settings.js';
import { packSubmission, type PackedSubmission } from './submission.js';

/** Packs a module into the one request that submits it. */
export function prepare(options: Options): Outcome {
  const packed = packSubmission(options['root']!, options['package']!, readUuid(options, 'supersedes'));
  create(options['out']!, '--out', packed.bytes);
  return { httpStatus: null, replayed: null, receiptBound: null, resource: summaryOf(packed) };
}

/** Summarises a prepared request without any of its bytes. */
const summaryOf = ({ bytes, expected }: PackedSubmission): Outcome['resource'] => ({
  schemaVersion: 'service.modules.prepared-submission.v1',
  requestBytes: bytes.length,
  ...expected,
});

/** @throws {ModuleCliError} `MODULE_CLI_FILE` */
export function create(file: string, option: string, bytes: Uint8Array): void {
  try {
    writeNewFile(file, bytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw ModuleCliError.own('MODULE_CLI_FILE', { path: option });
  }
}
