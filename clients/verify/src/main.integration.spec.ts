import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

it('The program reads a file from the folder where npm was called, not from the repository.', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'launch-verify-npm-'));
  try {
    await writeFile(path.join(folder, 'here.json'), '{"a":1}');
    // The environment of a shell outside of any script.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => name !== 'INIT_CWD' && !name.startsWith('npm_')),
    );
    const { stdout } = await run('npm', ['--prefix', root, 'run', '-s', 'launch-verify', '--', 'json', './here.json'], {
      cwd: folder,
      env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'pass' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
