import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MODULE_LIMITS, moduleReceiptSchema, type ModuleCapabilities } from '@launch/contracts/modules';
import { bindToRequest } from './binding.js';
import { ModuleCliError } from './module-cli.error.js';
import { create } from './prepare.js';
import { capabilitiesOf, receiptsOf, SUBMISSIONS } from './reads.js';
import { ModuleRoot } from './root.js';
import type { Outcome, World } from './run-module-cli.js';
import { ask } from './service.js';
import { holdsKey, readIdempotencyKey, readKey, readService, readSubmitted, type Options } from './settings.js';
import { packSubmission, readSubmission, type PackedSubmission } from './submission.js';

/**
 * Sends one request, whose exact bytes are in a file first. After an unknown outcome, the author sends the same file again
 * under the same key. Neither key nor source is sent until the service states that it takes submissions.
 */
export async function submit(options: Options, world: World): Promise<Outcome> {
  const { environment, submitting } = world;
  const service = readService(options, world);
  const idempotencyKey = readIdempotencyKey(options);
  const key = readKey(environment);
  const submitted = readSubmitted(options);
  const packed =
    'request' in submitted
      ? savedRequest(options['root']!, submitted.request)
      : newRequest(options['root']!, submitted.package);
  refuseKeyInSource(packed, key);
  const receipts = receiptsOf(options);
  receipts.create();
  requireAccepted((await capabilitiesOf(service)).value, packed);
  submitting();
  const answer = await ask(service, {
    method: 'POST',
    path: SUBMISSIONS,
    schema: moduleReceiptSchema,
    statuses: [200, 201],
    responseCode: 'MODULE_API_RESPONSE',
    key,
    body: packed.bytes,
    idempotencyKey,
  });
  const { status, headers, bytes, json, value } = answer;
  const replayed = status === 200;
  // A proxy may remove the header, so only a contradiction counts.
  const header = headers.get('idempotency-replayed');
  if (header !== null && (header === 'true') !== replayed)
    throw ModuleCliError.own('MODULE_API_RESPONSE', { httpStatus: status });
  bindToRequest(value, packed.expected);
  receipts.keep({ bytes, receipt: value }, service.origin, replayed);
  return { httpStatus: status, replayed, receiptBound: true, resource: json };
}

function savedRequest(root: string, file: string): PackedSubmission {
  // The root of a saved request is not read again: the request is the prepared one.
  new ModuleRoot(root);
  const tooLarge = ModuleCliError.finding('MODULE_LIMIT_EXCEEDED', '--request');
  const folder = new ModuleRoot(dirname(file), '--request');
  const bytes = folder.read(basename(file), '--request', MODULE_LIMITS.maxRequestBytes, tooLarge);
  folder.confirm();
  return readSubmission(bytes);
}

/**
 * Creates a request from the sources and keeps it beside the descriptor. The same sources give the same file, which is then
 * reused.
 */
function newRequest(root: string, descriptor: string): PackedSubmission {
  const packed = packSubmission(root, descriptor, null);
  const name = `module-request-${packed.expected.requestDigest.slice('sha256:'.length, 'sha256:'.length + 16)}.json`;
  const place = join(dirname(descriptor), name);
  if (!existsSync(join(root, place))) {
    create(join(root, place), '--package', packed.bytes);
    return packed;
  }
  const tooLarge = ModuleCliError.own('MODULE_CLI_FILE', { path: '--package' });
  const kept = new ModuleRoot(root).read(place, '--package', packed.bytes.length, tooLarge);
  if (!kept.equals(packed.bytes)) throw tooLarge;
  return packed;
}

/** @throws {ModuleCliError} `MODULE_KEY_EXPOSED`: every reader of the module would have a key in a source. */
function refuseKeyInSource({ texts }: PackedSubmission, key: string): void {
  for (const { pointer, bytes } of texts)
    if (holdsKey(Buffer.from(bytes), key)) throw ModuleCliError.own('MODULE_KEY_EXPOSED', { path: pointer });
}

/** @throws {ModuleCliError} if the service takes no submissions, or none of this size. */
function requireAccepted({ moduleContributions, operations }: ModuleCapabilities, packed: PackedSubmission): void {
  if (!moduleContributions.submissions || !operations.submit)
    throw ModuleCliError.own('MODULE_SUBMISSIONS_UNAVAILABLE');
  const { maxFiles, maxFileBytes, maxTotalBytes, maxRequestBytes } = moduleContributions;
  const { byteCount, fileCount } = packed.expected;
  const exceeded =
    fileCount > maxFiles ||
    packed.largestFileBytes > maxFileBytes ||
    byteCount > maxTotalBytes ||
    packed.bytes.length > maxRequestBytes;
  if (exceeded) throw ModuleCliError.finding('MODULE_LIMIT_EXCEEDED', '/files');
}
