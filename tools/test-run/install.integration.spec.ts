import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const INSTALL = path.resolve(import.meta.dirname, '../install.mjs');
let folder: string;
const writeJson = (name: string, value: unknown): void =>
  writeFileSync(path.join(folder, name), JSON.stringify(value, null, 2));
/** The environment without the settings of the `npm` that runs the tests, which may be silent. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_config_')));
const npm = (...args: string[]) => spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
/** Runs `install` on the project of this suite, as `npm start` runs it on the repository. */
const install = () =>
  spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `(await import(${JSON.stringify(INSTALL)})).install(${JSON.stringify(folder)})`],
    { env, encoding: 'utf8' },
  );

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'install-'));
  mkdirSync(path.join(folder, 'demanding'));
  writeJson('demanding/package.json', { name: 'demanding', version: '1.0.0', engines: { node: '>=99' } });
  writeJson('package.json', {
    name: 'project',
    version: '1.0.0',
    private: true,
    workspaces: ['demanding'],
    allowScripts: {},
  });
  const { status, stderr } = npm('install', '--package-lock-only', '--offline', '--no-audit', '--no-fund');
  if (status !== 0) throw new Error(stderr);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the installation', () => {
  it('prints no engine warning of a package, where npm itself prints one', () => {
    expect(npm('ci', '--offline', '--no-audit', '--no-fund').stderr).toMatch(/EBADENGINE[^]*required: .*>=99/);
    const { status, stderr } = install();
    expect([status, stderr]).toEqual([0, expect.stringContaining('installing dependencies from the lockfile')]);
    expect(stderr).not.toContain('EBADENGINE');
  });

  it('fails with the errors of npm', () => {
    rmSync(path.join(folder, 'package-lock.json'));
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toMatch(/npm error code EUSAGE[^]*npm ci failed/);
  });
});
