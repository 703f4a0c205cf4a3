import { describe, expect, it } from '@jest/globals';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { descriptorOf, sha256, SMALL_FILES, writeModule } from './fixtures/module-package.fixture.js';
import { moduleRuns, PROGRAM, RELEASE } from './fixtures/module-run.fixture.js';
import { CAPABILITIES } from './fixtures/module-service.fixture.js';

const { at, folder, newModule, run } = moduleRuns();

describe('check-client', () => {
  const published = (version: string, contentSha256: string) => {
    const path = `/v1/modules/client/${version}/module-cli.mjs`;
    at.service.capabilities = { ...CAPABILITIES, clients: [{ version, path, contentSha256, commands: [] }] };
  };
  const check = () => run(['check-client', '--api-origin', at.origin], {});

  it('accepts the file that the service publishes for its version, without a key', async () => {
    const contentSha256 = `sha256:${sha256(PROGRAM)}`;
    published(RELEASE.version, contentSha256);
    const { exitCode, result } = await check();
    expect([exitCode, result['resource']]).toEqual([
      0,
      { schemaVersion: 'service.modules.client-check.v1', version: RELEASE.version, contentSha256 },
    ]);
    expect(at.service.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('refuses a file with other bytes', async () => {
    published(RELEASE.version, `sha256:${sha256('another client')}`);
    const { exitCode, error } = await check();
    expect([exitCode, error['code'], error['path']]).toEqual([3, 'MODULE_CLI_DIFFERS', '/clients/0/contentSha256']);
  });

  it('refuses a version that the service does not publish', async () => {
    published('1.0.0-development.4', `sha256:${sha256(PROGRAM)}`);
    const { exitCode, error } = await check();
    expect([exitCode, error['code'], error['path']]).toEqual([3, 'MODULE_CLI_DIFFERS', '/clients']);
  });
});

describe('pin-module-sources', () => {
  const pin = (root: string, out: string, ...more: string[]) =>
    run(['pin-module-sources', '--root', root, '--package', 'draft.json', '--out', join(root, out), ...more]);
  /** Writes a module whose draft names its files without digests. */
  const newDraft = (change: object = {}): string => {
    const root = newModule();
    const files = Object.keys(SMALL_FILES).map((path) => ({ path }));
    writeFileSync(join(root, 'draft.json'), JSON.stringify({ ...descriptorOf({}), source: { files }, ...change }));
    return root;
  };
  const written = (root: string, name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

  it('writes the digest of each file into a new descriptor, which can be prepared', async () => {
    const root = newDraft();
    const { exitCode, result } = await pin(root, 'pinned.json');
    const files = Object.entries(SMALL_FILES).map(([path, text]) => ({ path, sha256: `sha256:${sha256(text)}` }));
    expect([exitCode, result['resource']]).toEqual([
      0,
      { schemaVersion: 'service.modules.pinned-sources.v1', version: '1.0.0', files },
    ]);
    expect(written(root, 'pinned.json')).toEqual({ ...descriptorOf({}), source: { files } });
    expect(statSync(join(root, 'pinned.json')).mode & 0o777).toBe(0o600);
    const prepare = ['--root', root, '--package', 'pinned.json', '--out', join(root, 'request.json')];
    expect((await run(['prepare-module-submission', ...prepare])).exitCode).toBe(0);
  });

  it('replaces outdated digests, and the version where one is given', async () => {
    const root = newModule();
    const outdated = descriptorOf({ 'src/Vesting.sol': 'before', 'README.md': 'before' });
    writeFileSync(join(root, 'draft.json'), JSON.stringify(outdated));
    expect((await pin(root, 'pinned.json', '--module-version', '1.1.0')).exitCode).toBe(0);
    const { version, source } = written(root, 'pinned.json');
    expect([version, source.files[0].sha256]).toEqual(['1.1.0', `sha256:${sha256(SMALL_FILES['src/Vesting.sol'])}`]);
  });

  it('never replaces a file', async () => {
    const root = newDraft();
    writeFileSync(join(root, 'pinned.json'), 'mine');
    const { exitCode, error } = await pin(root, 'pinned.json');
    expect([exitCode, error['code'], error['path']]).toEqual([11, 'MODULE_CLI_FILE', '--out']);
    expect(readFileSync(join(root, 'pinned.json'), 'utf8')).toBe('mine');
  });

  it.each<[string, object, string, string]>([
    ['a file that is not there', { source: { files: [{ path: 'absent.sol' }] } }, 'MODULE_CLI_FILE', '/source/files/0'],
    [
      'a path out of the folder',
      { source: { files: [{ path: '../module.json' }] } },
      'MODULE_PATH_INVALID',
      '/source/files/0/path',
    ],
    ['a descriptor without files', { source: {} }, 'SCHEMA_INVALID', '/source/files'],
    ['a version that is none', { version: 'next' }, 'SCHEMA_INVALID', '/version'],
  ])('refuses %s, and writes nothing', async (_what, change, code, place) => {
    const root = newDraft(change);
    const { error } = await pin(root, 'pinned.json');
    expect([error['code'], error['path']]).toEqual([code, place]);
    expect(() => statSync(join(root, 'pinned.json'))).toThrow('ENOENT');
  });

  it('names the option of a version that is none', async () => {
    const { exitCode, error } = await pin(newDraft(), 'pinned.json', '--module-version', 'next');
    expect([exitCode, error['code'], error['path']]).toEqual([2, 'MODULE_CLI_ARGUMENTS_INVALID', '--module-version']);
  });

  it('reads no descriptor outside of the folder', async () => {
    const root = newDraft();
    const target = join(folder, 'elsewhere');
    writeModule(target, SMALL_FILES);
    const { exitCode, error } = await run([
      ...['pin-module-sources', '--root', root, '--package', '../elsewhere/module.json'],
      ...['--out', join(root, 'pinned.json')],
    ]);
    expect([exitCode, error['path']]).toEqual([2, '--package']);
  });
});
