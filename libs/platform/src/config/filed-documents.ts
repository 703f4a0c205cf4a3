import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { textFile } from './fields.js';

/** A document and the hash in its file name; the reader checks that they match. */
export interface FiledDocument {
  readonly contextHash: string;
  readonly document: string;
}

const FILE = /^(0x[0-9a-f]{64})\.json$/;
const MAX_FILES = 16;

/**
 * A variable that names a folder with the contexts of earlier releases, each in a file `<contextHash>.json`. Ignores
 * hidden names, which orchestrators leave in mounts, and refuses any other name, which is probably a mistake.
 */
export const filedDocuments = () =>
  z
    .string()
    .min(1)
    .transform((folder, context): readonly FiledDocument[] => {
      const refuse = (message: string): typeof z.NEVER => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      const names = namesIn(folder);
      if (names === null) return refuse('must name a readable folder');
      if (names.length > MAX_FILES) return refuse(`holds more than ${MAX_FILES} contexts`);
      const filed: FiledDocument[] = [];
      for (const name of names) {
        const contextHash = FILE.exec(name)?.[1];
        const document = textFile().safeParse(path.join(folder, name));
        if (contextHash === undefined || !document.success)
          return refuse('holds something else than files <contextHash>.json of at most 64 KiB');
        filed.push({ contextHash, document: document.data });
      }
      return filed;
    });

function namesIn(folder: string): readonly string[] | null {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return null;
  }
}
