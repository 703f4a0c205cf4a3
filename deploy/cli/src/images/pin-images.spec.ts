import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';

const root = path.resolve(import.meta.dirname, '../../../..');
const FILES = ['docker-compose.yml', ...globSync('deploy/docker/*.Dockerfile', { cwd: root })];
const OTHER = `sha256:${'b'.repeat(64)}`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pin-images-'));
  mkdirSync(path.join(folder, 'deploy/docker'), { recursive: true });
  for (const file of FILES) cpSync(path.join(root, file), path.join(folder, file));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command with a `docker` that answers by this shell script, whose `$4` is the reference. */
async function pinImages(
  script: string,
  ...args: string[]
): Promise<{ readonly code: number; readonly stdout: string }> {
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const host = hostOf({ env: { PATH: `${folder}:/usr/bin:/bin` } });
  const { exitCode, stdout } = await runDeploy(['pin-images', '--root', folder, ...args], host);
  return { code: exitCode, stdout };
}
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
/** A registry that has every requested digest, and one for each tag. */
const registry = (tag: string): string => `case "$4" in *@*) echo "\${4##*@}";; *) echo ${tag};; esac`;

describe('launch-deploy pin-images', () => {
  it('accepts digests that their registry still serves, and names the tags that moved on', async () => {
    const { code, stdout } = await pinImages(registry(OTHER));
    expect(code).toBe(0);
    const images = ['node', 'postgres', 'temporalio/server', 'temporalio/admin-tools', 'temporalio/ui'];
    for (const image of images)
      expect(stdout).toMatch(new RegExp(`^${image}:\\S+: the tag stands for ${OTHER} now$`, 'm'));
    expect(stdout.trim().split('\n')).toHaveLength(images.length);
  });

  it('fails when the registry does not serve a pinned digest, or an image has none', async () => {
    const gone = await pinImages(`case "$4" in *@*) echo gone >&2; exit 1;; *) echo ${OTHER};; esac`);
    expect([gone.code, gone.stdout]).toEqual([3, expect.stringContaining('cannot be fetched')]);
    writeFileSync(
      path.join(folder, 'docker-compose.yml'),
      read('docker-compose.yml').replace(/(:-postgres:\S+)@[^}]+/, '$1'),
    );
    const bare = await pinImages(registry(OTHER));
    expect([bare.code, bare.stdout]).toEqual([3, expect.stringMatching(/^postgres:\S+: not pinned$/m)]);
  });

  it('writes the current digests of the tags into every file, and nothing if one tag is unknown', async () => {
    const before = FILES.map(read);
    const silent = await pinImages('test "$2" = version', '--write');
    expect([silent.code, FILES.map(read)]).toEqual([8, before]);
    expect((await pinImages(registry(OTHER), '--write')).code).toBe(0);
    for (const file of FILES) {
      const digests = [...read(file).matchAll(/@(sha256:[0-9a-f]{64})/g)].map(([, digest]) => digest);
      expect([file, [...new Set(digests)]]).toEqual([file, [OTHER]]);
    }
    expect(read('docker-compose.yml')).toContain('image: launch/api-gateway:${LAUNCH_VERSION:-local}\n');
  });

  it('names the plugin that is missing, and asks no registry', async () => {
    expect(await pinImages('exit 1')).toEqual({ code: 8, stdout: '' });
    const { stderr } = await runDeploy(['pin-images', '--root', folder], hostOf({ env: { PATH: '/nowhere' } }));
    expect(stderr).toBe(
      'launch-deploy: DOCKER_MISSING: docker is not on the path; no registry was asked\nInstall Docker with its plugin buildx.\n',
    );
  });
});
