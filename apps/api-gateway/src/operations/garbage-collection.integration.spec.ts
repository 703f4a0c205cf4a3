import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const run = promisify(execFile);
const MODULE = new URL('../../dist/operations/garbage-collection.js', import.meta.url).href;

it('sets what this V8 knows, which writes to stderr otherwise', async () => {
  const ask = `(await import(${JSON.stringify(MODULE)})).collectLessOften();`;
  const { stderr } = await run(process.execPath, ['--input-type=module', '-e', ask]);
  expect(stderr).toBe('');
  const unknown = `(await import('node:v8')).setFlagsFromString('--no-flag-of-this-name');`;
  const other = await run(process.execPath, ['--input-type=module', '-e', unknown]);
  expect(other.stderr).toContain('unrecognized flag');
});
