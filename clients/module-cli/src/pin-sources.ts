import { MODULE_LIMITS, modulePackageSchema, type ModulePackage } from '@launch/contracts/modules';
import { sha256Digest } from '@launch/contracts/primitives';
import type { JsonObject, JsonValue } from '@launch/contracts/json';
import { ModuleCliError } from './module-cli.error.js';
import { create } from './prepare.js';
import { ModuleRoot } from './root.js';
import type { Outcome } from './run-module-cli.js';
import type { Options } from './settings.js';
import { descriptorOf, parse, plainPath } from './submission.js';

/** Holds a digest's place until the file is read: the rest of the descriptor is judged before any file is. */
const UNPINNED = '0'.repeat(64);

/**
 * Writes a descriptor with the digest of each file that `/source/files` names. The digests in the input may be absent or
 * outdated; `--module-version` replaces its version.
 */
export function pinSources(options: Options): Outcome {
  const { maxRequestBytes, maxFileBytes } = MODULE_LIMITS;
  const version = options['module-version'];
  if (version !== undefined && !modulePackageSchema.shape.version.safeParse(version).success)
    throw ModuleCliError.own('MODULE_CLI_ARGUMENTS_INVALID', { path: '--module-version' });
  const root = new ModuleRoot(options['root']!);
  const tooLarge = ModuleCliError.finding('MODULE_LIMIT_EXCEEDED', '--package');
  const draft = parse(root.read(plainPath(options['package']!), '--package', maxRequestBytes, tooLarge));
  const descriptor = descriptorOf(unpinned(draft, version));
  const files = descriptor.source.files.map(({ path }, index) => {
    const pointer = `/source/files/${index}`;
    const bytes = root.read(path, pointer, maxFileBytes, ModuleCliError.finding('MODULE_LIMIT_EXCEEDED', pointer));
    return { path, sha256: sha256Digest(bytes) };
  });
  root.confirm();
  const pinned: ModulePackage = { ...descriptor, source: { ...descriptor.source, files } };
  create(options['out']!, '--out', Buffer.from(`${JSON.stringify(pinned, null, 2)}\n`));
  return {
    httpStatus: null,
    replayed: null,
    receiptBound: null,
    resource: { schemaVersion: 'service.modules.pinned-sources.v1', version: pinned.version, files },
  };
}

/** Returns the draft with a digest's place in each file entry. A value of another form stays as it is, for the schema to refuse. */
function unpinned(draft: JsonValue, version: string | undefined): JsonValue {
  if (!isObject(draft)) return draft;
  const { source } = draft;
  const versioned = version === undefined ? draft : { ...draft, version };
  if (!isObject(source) || !Array.isArray(source['files'])) return versioned;
  const files = source['files'].map((file: JsonValue) => (isObject(file) ? { ...file, sha256: UNPINNED } : file));
  return { ...versioned, source: { ...source, files } };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
