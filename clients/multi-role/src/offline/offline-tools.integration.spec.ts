import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { packErrorSchema } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { IMAGE_LIMITS } from '@launch/images';
import { buildSync } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  buildBundles,
  BUNDLES,
  CLIENT_DIR,
  runNode,
  temporaryFolder,
  type ProgramResult,
} from '../fixtures/bundle.fixture.js';
import { gif } from '../../../../libs/images/src/image-encoders.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';
import { fixtureConfig, FIXTURE_WALLET } from '../fixtures/reference.fixture.js';
import { PACK_EXIT_CODES, type PackErrorCode } from './pack.error.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const KEY = 'sk-live-7d30ab';
const root = temporaryFolder();
const config = join(root.path, 'config.json');
const inert = join(root.path, 'inert.json');
const capabilities = join(root.path, 'capabilities.json');
const reference = join(BUNDLES, 'request-packer-reference.json');
let folder: string;
const at = (name: string): string => join(folder, name);

const program =
  (name: string) =>
  (...args: string[]): Promise<ProgramResult> =>
    runNode([join(BUNDLES, name), ...args], {
      env: { SERVICE_API_KEY: KEY, SERVICE_API_BASE_URL: 'https://service.example' },
    });
const packer = program('request-packer.mjs');
const builder = program('reference-builder.mjs');
const pack = (out: string, from = config): Promise<ProgramResult> => packer('pack', '--config', from, '--out', out);

beforeAll(async () => {
  await buildBundles();
  writeFileSync(config, canonicalizeJson(await fixtureConfig('zero')));
  writeFileSync(capabilities, JSON.stringify(fixtureCapabilities()));
  expect((await packer('reference', '--input', reference, '--case', 'zero', '--out', inert)).code).toBe(0);
});
beforeEach(() => {
  folder = mkdtempSync(join(root.path, 'private-folder-'));
});
afterAll(() => root.remove());

/** Returns the JSON line of a refusal. Checks that it never repeats the key, the folder or an argument. */
function refusal(result: ProgramResult): { code: string; findings: { path: string; message: string }[] } {
  expect(result.stdout).toBe('');
  for (const secret of [KEY, 'private-folder', root.path]) expect(result.stderr).not.toContain(secret);
  return packErrorSchema.parse(JSON.parse(result.stderr));
}

describe('written files', () => {
  it('are readable by their owner only, under any umask', async () => {
    const result = spawnSync('sh', [
      '-c',
      `umask 000; exec "$0" "$@"`,
      process.execPath,
      join(BUNDLES, 'request-packer.mjs'),
      'pack',
      '--config',
      config,
      '--out',
      at('request.json'),
    ]);
    expect(result.status).toBe(0);
    expect(statSync(at('request.json')).mode & 0o7777).toBe(0o600);
  });

  it('never replace a file', async () => {
    writeFileSync(at('request.json'), 'mine');
    const result = await pack(at('request.json'));
    expect(result.code).toBe(11);
    expect(refusal(result)).toMatchObject({
      code: 'MULTI_ROLE_PACK_IO_ERROR',
      findings: [{ path: '--out', message: expect.stringContaining('never overwritten') }],
    });
    expect(readFileSync(at('request.json'), 'utf8')).toBe('mine');
  });

  it.each([
    ['a link to a file', (target: string) => writeFileSync(target, 'mine')],
    ['a link to nothing', () => undefined],
  ])('never follow %s', async (_title, prepare) => {
    prepare(at('target.json'));
    symlinkSync(at('target.json'), at('request.json'));
    const result = await pack(at('request.json'));
    expect(result.code).toBe(11);
    expect(refusal(result).code).toBe('MULTI_ROLE_PACK_IO_ERROR');
    if (existsSync(at('target.json'))) expect(readFileSync(at('target.json'), 'utf8')).toBe('mine');
  });

  it('do not appear when the input is refused', async () => {
    writeFileSync(at('bad.json'), '{}');
    expect((await pack(at('request.json'), at('bad.json'))).code).toBe(3);
    expect(readdirSync(folder)).toEqual(['bad.json']);
  });

  it('report the failing option when their folder is absent', async () => {
    const result = await pack(at('absent/request.json'));
    expect(result.code).toBe(11);
    expect(refusal(result).findings).toEqual([{ path: '--out', message: 'cannot be created (ENOENT)' }]);
  });
});

describe('an interruption', () => {
  /** A program of a few lines over the tools' own sources. */
  const running = (contents: string, ...args: string[]) => {
    const stdin = { contents, resolveDir: join(CLIENT_DIR, 'src') };
    const outfile = at('program.mjs');
    buildSync({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', conditions: ['@launch/source'] });
    return spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  };

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s during a write leaves the whole file', async (signal) => {
    const length = 1 << 27;
    const child = running(
      `import { writeNewFile } from './offline/new-file.js'; writeNewFile(process.argv[2], '--out', Buffer.alloc(${length}, 1));`,
      at('large'),
    );
    const ended = once(child, 'exit');
    while (!existsSync(at('large')) && child.exitCode === null) await nextTurn();
    child.kill(signal);
    await ended;
    expect(statSync(at('large')).size).toBe(length);
  });

  it('ends the program at once while it mines a salt', async () => {
    const word = `0x${'c'.repeat(64)}`;
    const child = running(`
      import { mineSalt } from './builder/salt-miner.js';
      const onProgress = (attempts) => process.stderr.write(attempts + '\\n');
      await mineSalt({ router: '${FIXTURE_WALLET}', controller: '${FIXTURE_WALLET}', nonce: 1n, initCodeHash: '${word}', hookFlags: 1 << 14, maxAttempts: 2 ** 32 - 1, onProgress });
    `);
    const ended = once(child, 'exit');
    for await (const chunk of child.stderr) if (Number(String(chunk).trim().split('\n').at(-1)) > 1 << 17) break;
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
  });
});

describe('read files', () => {
  it.each([
    ['absent', () => undefined, 11, /ENOENT/],
    ['a folder', (file: string) => mkdirSync(file), 11, /not a regular file/],
    ['a named pipe', (file: string) => spawnSync('mkfifo', [file]), 11, /not a regular file/],
    [
      'larger than 16 MiB',
      (file: string) => writeFileSync(file, Buffer.alloc(16 * 1024 * 1024 + 1, 0x20)),
      3,
      /larger than 16777216/,
    ],
  ] as const)('are refused when %s', async (_title, prepare, code, message) => {
    prepare(at('config.json'));
    const result = await pack(at('request.json'), at('config.json'));
    expect(result.code).toBe(code);
    expect(refusal(result).findings[0]!.message).toMatch(message);
  });

  it('may be write-protected and linked', async () => {
    writeFileSync(at('config.json'), readFileSync(config));
    chmodSync(at('config.json'), 0o400);
    symlinkSync(at('config.json'), at('link.json'));
    expect((await pack(at('request.json'), at('link.json'))).code).toBe(0);
  });
});

describe('arguments', () => {
  it.each([
    ['no command', []],
    ['an unknown command', [KEY]],
    ['a command of Object.prototype', ['toString']],
    ['an unknown option', ['pack', '--config', 'a', '--out', 'b', `--${KEY}`, 'x']],
    ['an option twice', ['pack', '--config', 'a', '--config', 'b', '--out', 'c']],
    ['an option without value', ['pack', '--config', 'a', '--out']],
    ['a missing option', ['pack', '--config', 'a']],
    ['an unknown case', ['reference', '--input', 'a', '--case', KEY, '--out', 'b']],
    ['--output', ['pack', '--config', 'a', '--output', 'b']],
  ])('%s is a usage error', async (_title, args) => {
    const result = await packer(...args);
    expect(result.code).toBe(2);
    expect(refusal(result).code).toBe('MULTI_ROLE_PACK_ARGUMENTS_INVALID');
  });

  it.each(['request-packer.mjs', 'reference-builder.mjs', 'client.mjs'])('%s --help explains itself', async (name) => {
    const result = await program(name)('--help');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain(`node ${name}`);
  });
});

it('the built packer reports each code of a refusal, with its exit code and none of the input', async () => {
  writeFileSync(at('other.json'), '{}');
  const wrong: Readonly<Record<PackErrorCode, readonly string[]>> = {
    MULTI_ROLE_PACK_ARGUMENTS_INVALID: ['pack'],
    MULTI_ROLE_PACK_CONFIG_INVALID: ['pack', '--config', at('other.json'), '--out', at('out.json')],
    MULTI_ROLE_PACK_REFERENCE_INVALID: [
      'reference',
      '--input',
      at('other.json'),
      '--case',
      'zero',
      '--out',
      at('out.json'),
    ],
    MULTI_ROLE_PACK_IO_ERROR: ['pack', '--config', at('absent.json'), '--out', at('out.json')],
  };
  expect(Object.keys(wrong).sort()).toEqual([...packErrorSchema.shape.code.options].sort());
  for (const [code, args] of Object.entries(wrong)) {
    const result = await packer(...args);
    expect([refusal(result).code, result.code]).toEqual([code, PACK_EXIT_CODES[code as PackErrorCode]]);
  }
});

describe('the reference', () => {
  it.each([
    ['another document', '{"schemaVersion":"service.multi-role-request-packer-reference.v1"}'],
    ['no JSON', 'reference'],
  ])('is refused when it is %s', async (_title, text) => {
    writeFileSync(at('reference.json'), text);
    const result = await packer(
      'reference',
      '--input',
      at('reference.json'),
      '--case',
      'zero',
      '--out',
      at('inert.json'),
    );
    expect(result.code).toBe(3);
    expect(refusal(result).code).toBe('MULTI_ROLE_PACK_REFERENCE_INVALID');
  });

  it('is inert: pack refuses the output of reference', async () => {
    const result = await pack(at('request.json'), inert);
    expect(result.code).toBe(3);
    expect(refusal(result).findings.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/schemaVersion', '/context', '/graphBundle']),
    );
  });
});

describe('the reference builder', () => {
  const build = (...more: string[]): Promise<ProgramResult> =>
    builder(
      ...(more.includes('--input') ? [] : ['--input', inert]),
      '--capabilities',
      capabilities,
      '--wallet',
      FIXTURE_WALLET,
      '--nonce',
      '7',
      '--valid-after',
      '1767225600',
      '--deadline',
      '1767229200',
      '--out',
      at('config.json'),
      ...more,
    );

  it('writes names, recipient and wallet into a configuration that packs', async () => {
    const recipient = `0x${'E'.repeat(40)}`;
    const built = await build('--name', 'Ünïcode', '--symbol', 'UNI', '--creator-recipient', recipient);
    expect(built.code).toBe(0);
    const written = JSON.parse(readFileSync(at('config.json'), 'utf8'));
    expect(written.projectMetadata).toMatchObject({ name: 'Ünïcode', symbol: 'UNI' });
    expect(written.graphBundle.components[0].constructorArgs).toContain(recipient.slice(2).toLowerCase());
    expect(written.graphBundle.components[0].salt.slice(0, 42)).toBe(FIXTURE_WALLET);
    expect(JSON.parse(built.stdout)).toMatchObject({
      token: written.graphBundle.components[0].predictedAddress,
      productionAuthority: false,
      walletSigning: false,
    });
    expect((await pack(at('request.json'), at('config.json'))).code).toBe(0);
  });

  it("declares the launcher's own image from its bytes, and uses the choices made in the inert configuration", async () => {
    writeFileSync(at('logo'), gif());
    const chosen = JSON.parse(readFileSync(inert, 'utf8'));
    chosen.projectMetadata.description = 'Mine';
    chosen.project.parameters.creatorSellFeeBps = 0;
    writeFileSync(at('chosen.json'), JSON.stringify(chosen, null, 2));
    const built = await build('--input', at('chosen.json'), '--image', at('logo'));
    expect(built.code).toBe(0);
    const { projectMetadata, source } = JSON.parse(readFileSync(at('config.json'), 'utf8'));
    const bytes = readFileSync(at('logo'));
    expect(projectMetadata).toMatchObject({
      description: 'Mine',
      image: { mediaType: 'image/gif', width: 32, height: 32, byteLength: bytes.length, sha256: sha256Digest(bytes) },
    });
    expect([source.imagePath, source.additionalFiles]).toEqual([
      'assets/image.gif',
      [{ path: 'assets/image.gif', base64: bytes.toString('base64') }],
    ]);
    expect((await pack(at('request.json'), at('config.json'))).code).toBe(0);
  });

  it.each([
    ['no image', Buffer.from('logo'), /not an admissible PNG or GIF/],
    ['too large', Buffer.alloc(IMAGE_LIMITS.bytes + 1), /larger than an image may be/],
  ])('refuses an image that is %s', async (_title, bytes, message) => {
    writeFileSync(at('logo'), bytes);
    const result = await build('--image', at('logo'));
    expect([result.code, existsSync(at('config.json'))]).toEqual([3, false]);
    expect(refusal(result).findings).toEqual([{ path: '--image', message: expect.stringMatching(message) }]);
  });

  it('stops at a bound instead of mining forever', async () => {
    const result = await build('--max-attempts', '1');
    expect(result.code).toBe(3);
    expect(refusal(result).findings[0]!.path).toBe('--max-attempts');
  });

  it.each([
    ['a wallet that is not an address', ['--wallet', '0x00'], '--wallet'],
    ['a window that is not a time', ['--deadline', '1e9'], '--deadline'],
    ['a nonce below zero', ['--nonce', '-1'], '--nonce'],
  ])('refuses %s', async (_title, replacement, path) => {
    const args = [
      '--input',
      inert,
      '--capabilities',
      capabilities,
      '--wallet',
      FIXTURE_WALLET,
      '--nonce',
      '7',
      '--valid-after',
      '1',
      '--deadline',
      '2',
      '--out',
      at('c.json'),
    ];
    args[args.indexOf(replacement[0]!) + 1] = replacement[1]!;
    const result = await builder(...args);
    expect(result.code).toBe(2);
    expect(refusal(result).findings).toEqual([expect.objectContaining({ path })]);
  });

  it('stops when the deployment has no ready context', async () => {
    const unavailable = at('unavailable.json');
    writeFileSync(unavailable, JSON.stringify(fixtureCapabilities(null)));
    const result = await builder(
      '--input',
      inert,
      '--capabilities',
      unavailable,
      '--wallet',
      FIXTURE_WALLET,
      '--nonce',
      '7',
      '--valid-after',
      '1',
      '--deadline',
      '2',
      '--out',
      at('c.json'),
    );
    expect(result.code).toBe(3);
    expect(refusal(result).findings[0]!.message).toMatch(/not ready/);
  });
});
