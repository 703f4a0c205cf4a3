import { afterAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descriptorOf, sha256, SMALL_FILES, writeModule } from './fixtures/module-package.fixture.js';
import { ModuleCliError } from './module-cli.error.js';
import { packSubmission, readSubmission } from './submission.js';

const folder = mkdtempSync(join(tmpdir(), 'module-roots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let roots = 0;
const newRoot = (): string => join(folder, `root-${(roots += 1)}`);

/** Returns code and place of the refusal to pack a folder. */
function refusalOf(pack: () => unknown): readonly [code: string, path: string | undefined, exitCode: number] {
  try {
    pack();
  } catch (error) {
    if (!(error instanceof ModuleCliError)) throw error;
    return [error.code, error.detail.path, error.exitCode];
  }
  throw new Error('it was packed');
}

/** Returns a descriptor whose files have these paths, each with the digest of an empty file. */
const pinning = (...paths: readonly string[]) => ({
  ...descriptorOf({}),
  source: { files: paths.map((path) => ({ path, sha256: sha256('') })) },
});
const withDescriptor =
  (descriptor: unknown, files: Record<string, string | Uint8Array> = {}) =>
  (root: string) =>
    writeModule(root, files, descriptor);
const [FIRST] = Object.keys(SMALL_FILES) as [string];

describe('a package', () => {
  it('is packed to equal bytes each time, with the expected members of its receipt', () => {
    const root = newRoot();
    writeModule(root, { ...SMALL_FILES, 'notes.md': 'not pinned' }, descriptorOf(SMALL_FILES));
    const supersedes = '0b6f7b0e-95f5-4a3c-8d53-6a2f9a1f2b3c';
    const packed = packSubmission(root, 'module.json', supersedes);
    expect(Buffer.from(packSubmission(root, 'module.json', supersedes).bytes).equals(packed.bytes)).toBe(true);
    expect(readSubmission(packed.bytes).expected).toEqual(packed.expected);
    expect(packed.expected).toMatchObject({
      requestDigest: `sha256:${sha256(packed.bytes)}`,
      fileCount: 2,
      byteCount: Object.values(SMALL_FILES).join('').length,
      supersedes,
    });
    const { files } = JSON.parse(Buffer.from(packed.bytes).toString('utf8')) as { files: { path: string }[] };
    expect(files.map(({ path }) => path)).toEqual(Object.keys(SMALL_FILES));
  });

  it('of 128 files, and of a file of 4 MiB, is packed', () => {
    const root = newRoot();
    const files: Record<string, string | Uint8Array> = Object.fromEntries(
      Array.from({ length: 127 }, (_, index) => [`f${index}`, 'x']),
    );
    writeModule(root, { ...files, large: new Uint8Array(4 * 1024 * 1024) });
    expect(packSubmission(root, 'module.json', null).expected.fileCount).toBe(128);
  });
});

it.each(['/', '/.', '//', '/./'])('a root that is a link is refused also with %s at its end', (end) => {
  const root = newRoot();
  writeModule(`${root}-real`, SMALL_FILES);
  symlinkSync(`${root}-real`, root);
  expect(refusalOf(() => packSubmission(root + end, 'module.json', null))).toEqual(['MODULE_CLI_FILE', '--root', 11]);
  expect(packSubmission(`${root}-real${end}`, 'module.json', null).expected.fileCount).toBe(2);
});

it('a root below a link is refused', () => {
  const [above, link] = [newRoot(), newRoot()];
  writeModule(join(above, 'module'), SMALL_FILES);
  symlinkSync(above, link);
  const below = join(link, 'module');
  expect(refusalOf(() => packSubmission(below, 'module.json', null))).toEqual(['MODULE_CLI_FILE', '--root', 11]);
});

describe('a hostile package', () => {
  const cases: readonly (readonly [string, (root: string) => void, string, string | undefined])[] = [
    [
      'with a link for a file',
      (root) => {
        writeModule(root, {}, descriptorOf(SMALL_FILES));
        writeFileSync(join(folder, 'outside'), SMALL_FILES['README.md']);
        symlinkSync(join(folder, 'outside'), join(root, 'README.md'));
        mkdirSync(join(root, 'src'));
        writeFileSync(join(root, FIRST), SMALL_FILES['src/Vesting.sol']);
      },
      'MODULE_CLI_FILE',
      '/source/files/1',
    ],
    [
      'with a link for a folder',
      (root) => {
        writeModule(join(folder, 'linked'), SMALL_FILES);
        writeModule(root, {}, descriptorOf(SMALL_FILES));
        symlinkSync(join(folder, 'linked', 'src'), join(root, 'src'));
      },
      'MODULE_CLI_FILE',
      '/source/files/0',
    ],
    [
      'that is a link itself',
      (root) => {
        writeModule(`${root}-real`, SMALL_FILES);
        symlinkSync(`${root}-real`, root);
      },
      'MODULE_CLI_FILE',
      '--root',
    ],
    [
      'with a named pipe for a file',
      (root) => {
        writeModule(root, {}, pinning('pipe'));
        execFileSync('mkfifo', [join(root, 'pipe')]);
      },
      'MODULE_CLI_FILE',
      '/source/files/0',
    ],
    [
      'with a folder for a file',
      (root) => {
        writeModule(root, { 'a/b': '' }, pinning('a'));
      },
      'MODULE_CLI_FILE',
      '/source/files/0',
    ],
    ['without a file', withDescriptor(descriptorOf(SMALL_FILES)), 'MODULE_CLI_FILE', '/source/files/0'],
    [
      'with other bytes than it pins',
      withDescriptor(descriptorOf(SMALL_FILES), { ...SMALL_FILES, [FIRST]: 'other' }),
      'MODULE_FILE_HASH',
      '/source/files/0/sha256',
    ],
    [
      'of 129 files',
      withDescriptor(pinning(...Array.from({ length: 129 }, (_, index) => `f${index}`))),
      'MODULE_LIMIT_EXCEEDED',
      '/source/files',
    ],
    [
      'with a file of 4 MiB and a byte',
      (root) => {
        writeModule(root, { large: '' }, pinning('large'));
        truncateSync(join(root, 'large'), 4 * 1024 * 1024 + 1);
      },
      'MODULE_LIMIT_EXCEEDED',
      '/source/files/0',
    ],
    [
      'of more than 16 MiB',
      (root) => {
        const bytes = new Uint8Array(4 * 1024 * 1024);
        const names = ['a', 'b', 'c', 'd', 'e'];
        writeModule(root, { a: bytes }, descriptorOf(Object.fromEntries(names.map((name) => [name, bytes]))));
        for (const name of names.slice(1)) linkSync(join(root, 'a'), join(root, name));
      },
      'MODULE_LIMIT_EXCEEDED',
      '/source/files',
    ],
    ['above its root', withDescriptor(pinning('../outside')), 'MODULE_PATH_INVALID', '/source/files/0/path'],
    ['at an absolute path', withDescriptor(pinning('/etc/hostname')), 'MODULE_PATH_INVALID', '/source/files/0/path'],
    ['with a backslash', withDescriptor(pinning('a\\b')), 'MODULE_PATH_INVALID', '/source/files/0/path'],
    ['with a decomposed name', withDescriptor(pinning('e\u0301')), 'MODULE_PATH_INVALID', '/source/files/0/path'],
    [
      'with names that differ by case',
      withDescriptor(pinning('A.sol', 'a.sol')),
      'MODULE_PATH_INVALID',
      '/source/files/1/path',
    ],
    [
      'with a file that is a folder too',
      withDescriptor(pinning('a', 'a/b')),
      'MODULE_PATH_INVALID',
      '/source/files/0/path',
    ],
    [
      'without an author',
      withDescriptor(descriptorOf({ a: '' }, { author: `0x${'0'.repeat(40)}` })),
      'OPEN_ADDRESS',
      '/author',
    ],
    [
      'with a wrong checksum',
      withDescriptor(
        descriptorOf({ a: '' }, { rewardWallet: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('5a', '5A') }),
      ),
      'OPEN_ADDRESS',
      '/rewardWallet',
    ],
    [
      'with a member of its own',
      withDescriptor({ ...descriptorOf({ a: '' }), more: 1 }),
      'SCHEMA_UNKNOWN_FIELD',
      '/more',
    ],
    [
      'that is no JSON',
      (root) => {
        writeModule(root, {});
        writeFileSync(join(root, 'module.json'), '{"a":1,"a":2}');
      },
      'MODULE_JSON_INVALID',
      '',
    ],
  ];

  it.each(cases)('%s is refused', (_what, make, code, path) => {
    const root = newRoot();
    make(root);
    const [found, place] = refusalOf(() => packSubmission(root, 'module.json', null));
    expect([found, place]).toEqual([code, path]);
  });

  it.each(['../module.json', '/module.json', './module.json', 'a//module.json', 'a/../module.json', ''])(
    'whose descriptor is named %j is refused as an argument',
    (path) => {
      const root = newRoot();
      writeModule(root, SMALL_FILES);
      expect(refusalOf(() => packSubmission(root, path, null))).toEqual([
        'MODULE_CLI_ARGUMENTS_INVALID',
        '--package',
        2,
      ]);
    },
  );
});
