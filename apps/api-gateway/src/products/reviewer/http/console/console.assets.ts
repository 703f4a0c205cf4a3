import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';

export interface ConsoleAsset {
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly contentSha256: Sha256Digest;
}

/** The folder beside the sources, in the repository and in the service's image alike. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../../console');
const TYPES: Readonly<Record<string, string>> = {
  'console.css': 'text/css; charset=utf-8',
  'console.js': 'text/javascript; charset=utf-8',
};

/** The files that the pages load, read when the listener starts. */
export function readConsoleAssets(): ReadonlyMap<string, ConsoleAsset> {
  return new Map(
    Object.entries(TYPES).map(([name, mediaType]) => {
      const bytes = readFileSync(path.join(FOLDER, name));
      return [name, { mediaType, bytes, contentSha256: sha256Digest(bytes) }];
    }),
  );
}
