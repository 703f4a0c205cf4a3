import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { textFile } from './fields.js';

/** A document and the hash that its file is named by; whether it is that document's is its reader's question. */
export interface FiledDocument {
  readonly contextHash: string;
  readonly document: string;
}

const FILE = /^(0x[0-9a-f]{64})\.json$/;
const MAX_FILES = 16;

/**
 * A variable that names a folder of earlier releases' contexts, each filed as `<contextHash>.json`. Hidden names, which
 * orchestrators leave in what they mount, are passed over; anything else is refused, since it was meant to be one.
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
