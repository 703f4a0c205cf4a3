import { Controller, Inject, Res, type Type } from '@nestjs/common';
import { MODULES_PATH } from '@launch/contracts/modules';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import {
  INDEX_READER_PATH,
  LAUNCH_CLI_PATH,
  launchCliReleaseSchema,
  type LaunchCliRelease,
} from '@launch/contracts/reports';
import { ApiError, sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { Route } from '../../../core/routes/api.route.js';
import {
  PUBLISHED_FILES,
  INDEX_READER_FILES,
  LAUNCH_CLI_FILES,
  MODULE_CLIENT_FILES,
  PUBLISHABLE_FILES,
  type PublishableFile,
  type PublishedFiles,
} from '../../../core/downloads/published-files.js';

/**
 * Guide, client and capabilities come from one deployment revision, so caches must revalidate
 * (docs/reference/api-conventions.md#published-files). No proxy may re-encode a file, since clients check its digest.
 */
export const DOWNLOAD_CACHE_CONTROL = 'public, no-cache, no-transform';

/** Sends the original bytes of a published file. @throws ApiError `NOT_FOUND` for a file that the deployment does not publish. */
export function sendPublishedFile(reply: FastifyReply, files: PublishedFiles, name: string): void {
  const file = files.get(name);
  if (file === undefined) throw new ApiError('NOT_FOUND');
  sendCacheable(reply, {
    etag: file.contentSha256,
    mediaType: file.mediaType,
    cacheControl: DOWNLOAD_CACHE_CONTROL,
    body: file.bytes,
  });
}

interface Publication {
  /** The path below which its files are. */
  readonly basePath: string;
  /** Names the place of the digest. */
  readonly digestOf: (entry: string) => string;
  /** The schema of a JSON file whose form is a contract, and an example. */
  readonly described?: Readonly<Record<string, { readonly schema: z.ZodType; readonly example: unknown }>>;
}

/** Creates the route of one file. */
function downloadController({ name, entry, mediaType, summary }: PublishableFile, publication: Publication): Type {
  const { basePath, digestOf, described } = publication;
  @Controller()
  class DownloadController {
    constructor(@Inject(PUBLISHED_FILES) readonly files: PublishedFiles) {}

    /** Serves the original bytes; an absent file is 404. */
    @Route({
      method: 'get',
      path: `${basePath}/${name}`,
      id: `download${entry.charAt(0).toUpperCase()}${entry.slice(1)}`,
      tag: 'Downloads',
      scopes: null,
      quota: 'download',
      summary,
      description: `Returns the file byte for byte. Its digest is in ${digestOf(entry)}. Returns 404 if the deployment does not publish the file.`,
      entityTag: '`sha256:` followed by the digest of the response body.',
      answers: { 200: { description: summary, ...(described?.[name] ?? { mediaTypes: [mediaType] }) } },
      errors: ['NOT_FOUND'],
    })
    download(@Res() reply: FastifyReply): void {
      sendPublishedFile(reply, this.files, name);
    }
  }
  return DownloadController;
}

const MULTI_ROLE: Publication = {
  basePath: MULTI_ROLE_BASE_PATH,
  digestOf: (entry) => `capabilities as \`documentation.${entry}.contentSha256\``,
};

const RELEASE_EXAMPLE: LaunchCliRelease = {
  schemaVersion: 'service.launch-cli-release.v1',
  version: '4.1.2',
  apiProfile: '4.1.0',
  file: { path: 'launch.mjs', byteLength: 131_072, sha256: `sha256:${'1'.repeat(64)}` },
  openApiSha256: `sha256:${'2'.repeat(64)}`,
  sourceCommit: '3'.repeat(40),
};
const LAUNCH_CLI: Publication = {
  basePath: LAUNCH_CLI_PATH,
  digestOf: () => 'discovery as `clients.launchCli`',
  described: { 'launch-cli-release.json': { schema: launchCliReleaseSchema, example: RELEASE_EXAMPLE } },
};

const INDEX_READER: Publication = {
  basePath: INDEX_READER_PATH,
  digestOf: () => 'discovery as `clients.indexReader`',
};

const MODULE_CLIENTS: Publication = {
  basePath: `${MODULES_PATH}/client`,
  digestOf: () => 'the capabilities of modules as `clients`',
};

export const DOWNLOAD_CONTROLLERS = [
  ...PUBLISHABLE_FILES.map((file) => downloadController(file, MULTI_ROLE)),
  ...LAUNCH_CLI_FILES.map((file) => downloadController(file, LAUNCH_CLI)),
  ...INDEX_READER_FILES.map((file) => downloadController(file, INDEX_READER)),
  ...MODULE_CLIENT_FILES.map((file) => downloadController(file, MODULE_CLIENTS)),
];
