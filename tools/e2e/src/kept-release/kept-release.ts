import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { LaunchContext } from '@launch/contracts/multi-role';
import type { PrismaService } from '@launch/prisma-tools';

/** One release's state as it stood on its last day, kept for the releases after it (testdata/releases/README.md). */
export interface KeptRelease {
  readonly manifest: KeptManifest;
  readonly rows: KeptRows;
  readonly answers: readonly KeptAnswer[];
  /** By `sha256:` digest. */
  readonly blobs: ReadonlyMap<string, Buffer>;
}

export type ServiceName = PrismaService['name'];

export interface KeptManifest {
  readonly schemaVersion: 'launch.kept-release.v1';
  /** The commit whose services wrote the rows and gave the answers. */
  readonly commit: string;
  readonly recordedAt: string;
  /** What the release had applied, in order, with the SHA-256 of each file. */
  readonly migrations: Readonly<Record<ServiceName, readonly KeptMigration[]>>;
  /** Made for this recording, good for nothing else. */
  readonly testSecrets: {
    readonly credentialPepper: string;
    readonly cursorKey: string;
    readonly keys: Readonly<Record<string, string>>;
    /** Of a wallet that signed in and whose key was revoked. */
    readonly revokedWalletPrivateKey: string;
  };
  readonly signInOrigin: string;
  /** What was published when the answers were given. */
  readonly context: LaunchContext;
  readonly launches: readonly KeptLaunch[];
  readonly blobs: readonly { readonly sha256: string; readonly bytes: number }[];
}

export interface KeptMigration {
  readonly name: string;
  readonly checksum: string;
}

export interface KeptLaunch {
  /** What was done with it. */
  readonly name: string;
  /** Name of its owner's key. */
  readonly key: string;
  readonly launchId: string;
  readonly status: string;
}

/** By database and table: each row as `row_to_json(…)::text`, which keeps every value as PostgreSQL writes it. */
export type KeptRows = Readonly<Record<ServiceName, Readonly<Record<string, readonly string[]>>>>;

/** One question and what the release answered to it, byte for byte. */
export interface KeptAnswer {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Name of the key it was asked with. */
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly text: string } | { readonly sha256: string } | null;
  /** The moment it was asked. */
  readonly at: string;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answer: { readonly text: string } | { readonly base64: string };
}

const FILES = {
  manifest: 'release.json',
  rows: 'rows.json.br',
  answers: 'answers.json.br',
  blobs: 'blobs.br',
} as const;
const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A window over the whole text: launches repeat each other from end to end. */
const pack = (bytes: Uint8Array): Buffer =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
const lines = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/** Writes a release into a folder that is not there yet. */
export async function writeKeptRelease(
  folder: string,
  release: Omit<KeptRelease, 'manifest'> & { readonly manifest: Omit<KeptManifest, 'blobs' | 'schemaVersion'> },
): Promise<void> {
  const blobs = [...release.blobs].sort(([left], [right]) => (left < right ? -1 : 1));
  const manifest: KeptManifest = {
    schemaVersion: 'launch.kept-release.v1',
    ...release.manifest,
    blobs: blobs.map(([digest, { length: bytes }]) => ({ sha256: digest, bytes })),
  };
  await mkdir(path.dirname(folder), { recursive: true });
  await mkdir(folder);
  const write = (file: string, bytes: Uint8Array): Promise<void> =>
    writeFile(path.join(folder, file), bytes, { flag: 'wx' });
  await write(FILES.manifest, lines(manifest));
  await write(FILES.rows, pack(lines(release.rows)));
  await write(FILES.answers, pack(lines(release.answers)));
  await write(FILES.blobs, pack(Buffer.concat(blobs.map(([, bytes]) => bytes))));
}

/** @throws Error when a blob is not what its digest says. */
export async function readKeptRelease(folder: string): Promise<KeptRelease> {
  const read = (file: string): Promise<Buffer> => readFile(path.join(folder, file));
  const json = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes).toString('utf8')) as T;
  const manifest = json<KeptManifest>(await read(FILES.manifest));
  const packed = brotliDecompressSync(await read(FILES.blobs));
  const blobs = new Map<string, Buffer>();
  let offset = 0;
  for (const { sha256: digest, bytes } of manifest.blobs) {
    const blob = packed.subarray(offset, (offset += bytes));
    if (sha256(blob) !== digest) throw new Error(`${folder}: a blob is not ${digest}`);
    blobs.set(digest, blob);
  }
  if (offset !== packed.length) throw new Error(`${folder}: ${packed.length - offset} bytes belong to no blob`);
  return {
    manifest,
    rows: json(brotliDecompressSync(await read(FILES.rows))),
    answers: json(brotliDecompressSync(await read(FILES.answers))),
    blobs,
  };
}

/** Where releases are kept, one folder each. */
export const KEPT_RELEASES = path.resolve(import.meta.dirname, '../../testdata/releases');

/** Folders of the releases that are kept, the first first. */
export async function keptReleases(): Promise<string[]> {
  const entries = await readdir(KEPT_RELEASES, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(KEPT_RELEASES, entry.name))
    .sort();
}
