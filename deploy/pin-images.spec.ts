import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..');
const FILES = ['docker-compose.yml', ...globSync('deploy/docker/*.Dockerfile', { cwd: root })];
const OTHER = `sha256:${'b'.repeat(64)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pin-images-'));
  mkdirSync(path.join(folder, 'deploy/docker'), { recursive: true });
  for (const file of FILES) cpSync(path.join(root, file), path.join(folder, file));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the program with a `docker` that answers by this shell script, whose `$4` is the reference. */
async function pinImages(script: string, ...args: string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const run = promisify(execFile)(process.execPath, [path.join(root, 'deploy/pin-images.mjs'), ...args, folder], {
    env: { PATH: `${folder}:/usr/bin:/bin` },
  });
  return run.then(
    (said) => ({ code: 0, ...said }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
/** A registry that has every digest that it is asked for, and one for each tag. */
const registry = (tag: string): string => `case "$4" in *@*) echo "\${4##*@}";; *) echo ${tag};; esac`;

describe('The program that pins images', () => {
  it('accepts digests that their registry still serves, and names the tags that moved on', async () => {
    const { code, stdout } = await pinImages(registry(OTHER));
    expect(code).toBe(0);
    const images = ['node', 'postgres', 'temporalio/server', 'temporalio/admin-tools', 'temporalio/ui'];
    for (const image of images) expect(stdout).toMatch(new RegExp(`^${image}:\\S+: the tag stands for ${OTHER} now$`, 'm'));
    expect(stdout.trim().split('\n')).toHaveLength(images.length);
  });

  it('fails where the registry does not serve a pinned digest, or an image has none', async () => {
    const gone = await pinImages(`case "$4" in *@*) echo gone >&2; exit 1;; *) echo ${OTHER};; esac`);
    expect([gone.code, gone.stdout]).toEqual([1, expect.stringContaining('cannot be fetched')]);
    writeFileSync(path.join(folder, 'docker-compose.yml'), read('docker-compose.yml').replace(/(image: postgres:\S+)@\S+/, '$1'));
    const bare = await pinImages(registry(OTHER));
    expect([bare.code, bare.stdout]).toEqual([1, expect.stringMatching(/^postgres:\S+: not pinned$/m)]);
  });

  it('writes what the tags stand for now into every file, and nothing where one tag is unknown', async () => {
    const before = FILES.map(read);
    const silent = await pinImages('exit 1', '--write');
    expect([silent.code, FILES.map(read)]).toEqual([1, before]);
    expect((await pinImages(registry(OTHER), '--write')).code).toBe(0);
    for (const file of FILES) {
      const digests = [...read(file).matchAll(/@(sha256:[0-9a-f]{64})/g)].map(([, digest]) => digest);
      expect([file, [...new Set(digests)]]).toEqual([file, [OTHER]]);
    }
    expect(read('docker-compose.yml')).toContain('image: launch/api-gateway:${LAUNCH_VERSION:-local}\n');
  });
});
