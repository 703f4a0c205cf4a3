import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Writable } from 'node:stream';
import { createProgress } from './progress.js';

it('The progress report continues when its reader is closed.', async () => {
  const reader = spawn('/bin/sh', ['-c', 'exec 0<&-; sleep 60'], { stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    const broken = once(reader.stdin, 'error');
    const progress = createProgress(reader.stdin);
    const wait = setInterval(() => progress.line('still here'), 5);
    const [error] = (await broken) as [NodeJS.ErrnoException];
    clearInterval(wait);
    expect(error.code).toBe('EPIPE');
    expect(reader.stdin.listenerCount('error')).toBe(1);
  } finally {
    reader.kill('SIGKILL');
  }
});

it('The progress report writes a line with the result of each completed step.', async () => {
  let text = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) });
  expect(
    await createProgress(stream).step(
      'chains',
      async () => 7,
      (result) => `at ${result}`,
    ),
  ).toBe(7);
  expect(text).toMatch(/^ {2}✔ chains +\d+\.\d s {2}at 7\n$/);
});
