import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../multi-role/src/fixtures/bundle.fixture.js';
import { readApiKey } from './key-store.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const KEY = 'sentinel-key';
const fileOf = (name: string, text: string, mode = 0o600): string => {
  const file = join(folder.path, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
const printing = (script: string): string => JSON.stringify([process.execPath, '-e', script]);

describe('the key', () => {
  it('comes from the variable, else from the file, else from the output of the command', () => {
    const SERVICE_API_KEY_FILE = fileOf('key', 'of-the-file\n');
    const SERVICE_API_KEY_COMMAND = printing(`console.log('of-the-command')`);
    expect(readApiKey({ SERVICE_API_KEY: KEY, SERVICE_API_KEY_FILE, SERVICE_API_KEY_COMMAND })).toBe(KEY);
    expect(readApiKey({ SERVICE_API_KEY_FILE, SERVICE_API_KEY_COMMAND })).toBe('of-the-file');
    expect(readApiKey({ SERVICE_API_KEY_COMMAND })).toBe('of-the-command');
  });

  it('comes from the output of the command, which runs without a shell', () => {
    const argv = JSON.stringify([process.execPath, '-p', 'process.argv[1]', '$(id);x']);
    expect(readApiKey({ SERVICE_API_KEY_COMMAND: argv })).toBe('$(id);x');
  });

  mkdirSync(join(folder.path, 'folder'));
  it.each<[string, Record<string, string>, RegExp]>([
    ['no variable', {}, /none of SERVICE_API_KEY, /],
    ['an empty key', { SERVICE_API_KEY: '' }, /SERVICE_API_KEY: the key is not printable/],
    ['a key of two lines', { SERVICE_API_KEY: `${KEY}\nx: y` }, /the key is not printable/],
    ['a file that others read', { SERVICE_API_KEY_FILE: fileOf('open', KEY, 0o640) }, /chmod 600/],
    ['a file too long', { SERVICE_API_KEY_FILE: fileOf('long', 'x'.repeat(600)) }, /1 to 512/],
    ['a folder', { SERVICE_API_KEY_FILE: join(folder.path, 'folder') }, /not a regular file/],
    ['no file', { SERVICE_API_KEY_FILE: join(folder.path, 'absent') }, /cannot be opened/],
    ['a command that is text', { SERVICE_API_KEY_COMMAND: 'pass show key' }, /not a JSON array/],
    ['a command that is empty', { SERVICE_API_KEY_COMMAND: '[]' }, /not a JSON array/],
    ['a command that fails', { SERVICE_API_KEY_COMMAND: printing(`console.log('${KEY}'); process.exit(1)`) }, /failed/],
    ['a command that prints much', { SERVICE_API_KEY_COMMAND: printing(`console.log('x'.repeat(9999))`) }, /more than/],
  ])('is refused and not printed for %s', (_what, environment, message) => {
    const thrown = (): unknown => {
      try {
        return readApiKey(environment);
      } catch (error) {
        return error;
      }
    };
    const error = thrown();
    expect(error).toMatchObject({ code: 'LAUNCH_CLI_ENVIRONMENT_INVALID', exitCode: 2 });
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain(KEY);
  });
});
