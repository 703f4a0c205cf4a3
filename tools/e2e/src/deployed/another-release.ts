import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from './run-program.js';

/** Commits another release in a clone: another workflow makes the bundles, and so the versions of the workers, others. */
export async function commitAnotherRelease(clone: string): Promise<void> {
  for (const bundle of ['admission', 'finality'])
    await appendFile(
      path.join(clone, `libs/workflows/src/${bundle}.bundle.ts`),
      '\nexport async function addedByRelease(): Promise<void> {}\n',
    );
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  await runProgram(['git', ...author, 'commit', '-q', '-a', '-m', 'another release'], { cwd: clone });
}
