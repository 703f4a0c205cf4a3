import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { MODULE_CLIENT_RELEASES } from './module-clients.js';

/** Names the files that the process publishes. */
export const PUBLISHED_FILES = Symbol('PublishedFiles');

/** A file that a deployment may publish: its name in the folder and at the end of its path, and its entry in the description. */
export interface PublishableFile {
  readonly name: string;
  readonly entry: string;
  readonly mediaType: string;
  readonly summary: string;
}

const MARKDOWN = 'text/markdown; charset=utf-8';
const PROGRAM = 'text/javascript; charset=utf-8';
const JSON_DOCUMENT = 'application/json; charset=utf-8';

/** Every file that has a route (docs/reference/api-conventions.md#published-files), and the builder of the reference cases. */
export const PUBLISHABLE_FILES = [
  {
    name: 'guide.md',
    entry: 'guide',
    mediaType: MARKDOWN,
    summary: 'The guide to multi-role launches',
  },
  { name: 'client.mjs', entry: 'client', mediaType: PROGRAM, summary: 'The transport client' },
  { name: 'request-packer.mjs', entry: 'packer', mediaType: PROGRAM, summary: 'The offline request packer' },
  {
    name: 'request-packer-reference.json',
    entry: 'reference',
    mediaType: JSON_DOCUMENT,
    summary: 'Reference cases without a value and with an atomic buy',
  },
  {
    name: 'request-packer-build.json',
    entry: 'buildManifest',
    mediaType: JSON_DOCUMENT,
    summary: 'Hashes, inputs and provenance of the request packer and the reference cases',
  },
  {
    name: 'reference-builder.mjs',
    entry: 'referenceBuilder',
    mediaType: PROGRAM,
    summary: 'The builder that turns a reference case into a launch',
  },
  {
    name: 'inventory-builder.mjs',
    entry: 'inventoryBuilder',
    mediaType: PROGRAM,
    summary: 'The offline builder of inventory launches',
  },
  {
    name: 'inventory-projects.json',
    entry: 'inventoryProjects',
    mediaType: JSON_DOCUMENT,
    summary: 'Two example inventory projects',
  },
  {
    name: 'inventory-build.json',
    entry: 'inventoryBuildManifest',
    mediaType: JSON_DOCUMENT,
    summary: 'Hashes, inputs and provenance of the inventory builder',
  },
] as const satisfies readonly PublishableFile[];

/** The command line client of custom launches and plans and its manifest, which discovery describes. */
export const LAUNCH_CLI_FILES = [
  { name: 'launch.mjs', entry: 'launchCli', mediaType: PROGRAM, summary: 'The launch CLI' },
  {
    name: 'launch-cli-release.json',
    entry: 'launchCliRelease',
    mediaType: JSON_DOCUMENT,
    summary: 'The launch CLI and the inputs of its build',
  },
] as const satisfies readonly PublishableFile[];

/** The program of readers of the index, which discovery describes. */
export const INDEX_READER_FILES = [
  { name: 'index-reader.mjs', entry: 'indexReader', mediaType: PROGRAM, summary: 'The index reader' },
] as const satisfies readonly PublishableFile[];

/** The file of a release of the module CLI, below its version. */
export const moduleClientFile = (version: string): string => `${version}/module-cli.mjs`;

/** The releases of the module CLI, which the capabilities of modules describe. */
export const MODULE_CLIENT_FILES: readonly PublishableFile[] = MODULE_CLIENT_RELEASES.map(({ version }) => ({
  name: moduleClientFile(version),
  entry: `moduleClient${version.replace(/[^0-9]/g, '')}`,
  mediaType: PROGRAM,
  summary: `The module CLI ${version}`,
}));

/** No download of this service is larger: the folder is wrong. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A published file, held in memory while the process runs. */
export interface PublishedFile extends PublishableFile {
  readonly bytes: Buffer;
  readonly contentSha256: Sha256Digest;
}

export type PublishedFiles = ReadonlyMap<string, PublishedFile>;

/**
 * Reads the folder once: the process serves the bytes that it hashed, even if the folder changes later. An absent file is
 * not published.
 * @throws RangeError for a file that is too large, and the file system's own error for a file that cannot be read.
 */
export function readPublishedFiles(
  folder: string,
  publishables: readonly PublishableFile[] = PUBLISHABLE_FILES,
): PublishedFiles {
  const files = new Map<string, PublishedFile>();
  for (const publishable of publishables) {
    const file = path.join(folder, publishable.name);
    if (!existsSync(file)) continue;
    if (statSync(file).size > MAX_FILE_BYTES)
      throw new RangeError(`${publishable.name} is larger than ${MAX_FILE_BYTES} bytes`);
    const bytes = readFileSync(file);
    files.set(publishable.name, { ...publishable, bytes, contentSha256: sha256Digest(bytes) });
  }
  return files;
}
