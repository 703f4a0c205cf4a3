import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { CAPABILITIES_MEMBERS, publishedNameOf } from '@launch/client-core/binding';
import { capabilitiesSchema, type Capabilities } from '@launch/contracts/multi-role';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { readBoundedFile, writeNewFile } from '../offline/new-file.js';
import { ClientError } from './client.error.js';
import { boundBy, perform, read, READ_DEADLINE_MS, type PlannedCall } from './planned-call.js';
import { fetchPublic, MAX_RESPONSE_BYTES, type Answer } from './transport.js';

/** One published file in the launcher's folder. */
export interface CheckedFile {
  readonly file: string;
  readonly contentSha256: Sha256Digest;
  /** Whether this run downloaded it; false for a file that was there. */
  readonly downloaded: boolean;
}

/** The result of `download`. */
export interface Downloads {
  readonly schemaVersion: 'service.multi-role-downloads.v1';
  readonly readiness: Capabilities['readiness'];
  readonly files: readonly CheckedFile[];
}

interface Download {
  readonly origin: string;
  readonly deadlineMs: number | undefined;
  /** The folder that gets the files. */
  readonly folder: string;
}

/**
 * Downloads every file that the service publishes for launchers and the folder lacks, and compares all of them with the
 * digests of the capabilities. A file that is there is never replaced.
 *
 * @returns the capabilities as they were answered, with the checked files.
 * @throws {ClientError} `MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS` names each file with other bytes; none of the downloads with other
 * bytes is written.
 */
export async function download(
  wanted: Download,
): Promise<{ readonly answer: Answer<object>; readonly downloads: Downloads }> {
  const answer = await perform(planCapabilities(), { ...wanted, apiKey: null });
  const { readiness, documentation } = answer.value as Capabilities;
  const files: CheckedFile[] = [];
  const different: string[] = [];
  for (const { path, contentSha256 } of publishedFiles(documentation)) {
    const file = publishedNameOf(path)!;
    const place = join(wanted.folder, file);
    const isThere = lstatSync(place, { throwIfNoEntry: false }) !== undefined;
    const bytes = isThere
      ? readPublished(place, file)
      : await fetchPublic(wanted.origin, path, wanted.deadlineMs ?? READ_DEADLINE_MS);
    if (sha256Digest(bytes) !== contentSha256) different.push(file);
    else {
      if (!isThere) writeNewFile(place, file, bytes);
      files.push({ file, contentSha256, downloaded: !isThere });
    }
  }
  if (different.length > 0) throw differs(different);
  return { answer, downloads: { schemaVersion: 'service.multi-role-downloads.v1', readiness, files } };
}

/** Plans `GET /capabilities`. */
export const planCapabilities = (): PlannedCall =>
  read('/capabilities', capabilitiesSchema, boundBy(CAPABILITIES_MEMBERS, undefined), true);

interface PublishedFile {
  readonly path: string;
  readonly contentSha256: Sha256Digest;
}

/** Lists the files below the base path, by name; the description of the API at the origin is not one of them. */
function publishedFiles(documentation: Capabilities['documentation']): PublishedFile[] {
  const { requestPackaging: _, ...files } = documentation;
  return Object.values(files)
    .filter(({ path }) => publishedNameOf(path) !== null)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

const readPublished = (place: string, file: string): Uint8Array =>
  readBoundedFile(place, file, MAX_RESPONSE_BYTES, differs([file]));

const differs = (files: readonly string[]): ClientError =>
  new ClientError('MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS', {
    findings: files.map((file) => ({
      path: file,
      message: 'has other bytes than the capabilities name: delete it and download again',
    })),
  });
