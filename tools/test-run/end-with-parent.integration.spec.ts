import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';

const MODULE = path.resolve(import.meta.dirname, '../end-with-parent.mjs');
/** Says its id, and how it was told to end; it would run for ever. */
const PROGRAM = `
  import { endWithParent } from ${JSON.stringify(MODULE)};
  process.on('SIGTERM', () => { console.log('told to end'); process.exit(0); });
  setInterval(() => {}, 1_000);
  endWithParent(20);
  console.log(process.pid);
`;

it('a program that npm started is told to end when the shell between them is killed', async () => {
  // The second command keeps the shell from becoming the first.
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$PROGRAM"; true'], {
    env: { ...process.env, NODE: process.execPath, PROGRAM, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  try {
    const gone = once(shell, 'exit');
    shell.kill('SIGTERM');
    await gone;
    expect((await lines.next()).value).toBe('told to end');
  } catch (error) {
    process.kill(pid, 'SIGKILL');
    throw error;
  }
});
