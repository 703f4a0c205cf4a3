import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The record that `tools/build-info.mjs` makes of a build. */
const buildInfoSchema = z.strictObject({
  schemaVersion: z.literal('launch.build-info.v1'),
  sourceCommit: z.string().regex(/^[0-9a-f]{40}$/),
});

/**
 * Returns the commit that a program was built from.
 * @param file the record of the program's build
 * @throws Error if the program was not built.
 */
export function sourceCommitOfBuild(file: URL): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file.pathname} cannot be read: run npm run generate`, { cause: error });
  }
  return buildInfoSchema.parse(JSON.parse(text)).sourceCommit;
}
