import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const TRANSCRIPTS = path.resolve(import.meta.dirname, '../../../../docs/transcripts');

/**
 * Writes the input and output of a session as the document of this name.
 * @param following the guides that were typed, as links.
 */
export const writeTranscript = (name: string, title: string, following: string, transcript: string): Promise<void> =>
  writeFile(
    path.join(TRANSCRIPTS, `${name}.md`),
    `# ${title}

A newcomer's session, ${following} word by word against
\`npm start\`, and what comes back (long lines are cut). Written by the test that does so: see [testing](../testing.md).

${transcript.trimEnd()}
`,
  );
