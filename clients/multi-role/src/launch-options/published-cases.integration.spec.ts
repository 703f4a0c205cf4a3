/** Runs the built programs on the published cases: the options fill what a launcher would otherwise write into a file. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createRequestSchema, packErrorSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gif } from '../../../../libs/images/src/image-encoders.fixture.js';
import { buildBundles, BUNDLES, runNode, temporaryFolder, type ProgramResult } from '../fixtures/bundle.fixture.js';
import { fixtureInventoryInput } from '../fixtures/inventory.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';
import { FIXTURE_WALLET } from '../fixtures/reference.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const root = temporaryFolder();
const capabilities = join(root.path, 'capabilities.json');
let folder: string;
const at = (name: string): string => join(folder, name);
const run = (name: string, ...args: string[]): Promise<ProgramResult> => runNode([join(BUNDLES, name), ...args]);

beforeAll(async () => {
  await buildBundles();
  writeFileSync(capabilities, JSON.stringify(fixtureCapabilities()));
});
beforeEach(() => {
  folder = mkdtempSync(join(root.path, 'private-folder-'));
});
afterAll(() => root.remove());

const LIVE = ['--capabilities', capabilities, '--wallet', FIXTURE_WALLET];
const FIXED = ['--nonce', '7', '--valid-after', '1767225600', '--deadline', '1767228600'];
const reference = join(BUNDLES, 'request-packer-reference.json');
const native20 = (...more: string[]): Promise<ProgramResult> =>
  run('reference-builder.mjs', '--input', reference, '--case', 'buy', ...LIVE, ...more);
const inventory = (...more: string[]): Promise<ProgramResult> =>
  run(
    'inventory-builder.mjs',
    ...['--input', join(BUNDLES, 'inventory-projects.json'), '--case', 'cedar', ...LIVE],
    ...['--out', at('request.json'), ...more],
  );
const written = (name = 'request.json'): CreateRequest =>
  createRequestSchema.parse(JSON.parse(readFileSync(at(name), 'utf8')));

const CHOICES = [
  ...['--name', 'My Launch', '--symbol', 'MINE', '--description', 'Mine.', '--website', 'https://mine.example/'],
  ...['--creator-buy-fee-bps', '300', '--creator-sell-fee-bps', '0', '--slippage-bps', '100'],
];
const CHOSEN = {
  name: 'My Launch',
  symbol: 'MINE',
  description: 'Mine.',
  links: [{ label: 'Website', url: 'https://mine.example/' }],
};

function refusal(result: ProgramResult): { code: string; paths: string[] } {
  expect([result.stdout, existsSync(at('request.json'))]).toEqual(['', false]);
  for (const secret of ['private-folder', root.path, 'sn-secret']) expect(result.stderr).not.toContain(secret);
  const { code, findings } = packErrorSchema.parse(JSON.parse(result.stderr));
  return { code, paths: findings.map(({ path }) => path) };
}

describe('reference-builder.mjs --case', () => {
  it('writes the request that the packer makes of the configuration of the same case', async () => {
    const built = await native20(...FIXED, ...CHOICES, '--out', at('config.json'), '--request-out', at('request.json'));
    expect(built.code).toBe(0);
    const packed = await run('request-packer.mjs', 'pack', '--config', at('config.json'), '--out', at('packed.json'));
    expect(packed.code).toBe(0);
    const bytes = readFileSync(at('request.json'));
    expect(bytes.equals(readFileSync(at('packed.json')))).toBe(true);
    const { requestSha256, idempotencyKey } = JSON.parse(built.stdout);
    expect([requestSha256, idempotencyKey]).toEqual([sha256Digest(bytes), JSON.parse(packed.stdout).idempotencyKey]);
  });

  it('makes the configuration that the inert file of the case gives', async () => {
    await run('request-packer.mjs', 'reference', '--input', reference, '--case', 'buy', '--out', at('inert.json'));
    const fromFile = ['--input', at('inert.json'), ...LIVE, ...FIXED, '--out', at('from-file.json')];
    expect((await run('reference-builder.mjs', ...fromFile)).code).toBe(0);
    expect((await native20(...FIXED, '--out', at('from-case.json'))).code).toBe(0);
    expect(readFileSync(at('from-case.json')).equals(readFileSync(at('from-file.json')))).toBe(true);
  });

  it('takes every choice from the options', async () => {
    expect((await native20(...FIXED, ...CHOICES, '--request-out', at('request.json'))).code).toBe(0);
    const { projectMetadata, nonce, permitWindow } = written();
    expect([projectMetadata, nonce, permitWindow]).toMatchObject([
      CHOSEN,
      '7',
      { validAfter: '1767225600', deadline: '1767228600' },
    ]);
  });

  it('draws a nonce and opens the window now, where they are not given', async () => {
    const before = Math.floor(Date.now() / 1_000);
    for (const name of ['first.json', 'second.json']) expect((await native20('--request-out', at(name))).code).toBe(0);
    const [first, second] = [written('first.json'), written('second.json')];
    expect(first.nonce).not.toBe(second.nonce);
    for (const { permitWindow } of [first, second]) {
      expect(Number(permitWindow.validAfter)).toBeGreaterThanOrEqual(before);
      expect(Number(permitWindow.deadline) - Number(permitWindow.validAfter)).toBe(3_000);
    }
  });

  it('needs a file to write to', async () => {
    expect(refusal(await native20(...FIXED))).toEqual({ code: 'MULTI_ROLE_PACK_ARGUMENTS_INVALID', paths: ['--out'] });
  });
});

describe('inventory-builder.mjs --case', () => {
  it('makes the request of the same case as a file', async () => {
    expect((await inventory(...FIXED)).code).toBe(0);
    writeFileSync(at('input.json'), JSON.stringify(fixtureInventoryInput('cedar')));
    const fromFile = ['--input', at('input.json'), '--out', at('from-file.json')];
    expect((await run('inventory-builder.mjs', ...fromFile)).code).toBe(0);
    expect(readFileSync(at('request.json')).equals(readFileSync(at('from-file.json')))).toBe(true);
  });

  it('takes every choice from the options, and the image from its file', async () => {
    const image = gif();
    writeFileSync(at('mine.gif'), image);
    expect((await inventory(...FIXED, ...CHOICES, '--image', at('mine.gif'))).code).toBe(0);
    const { projectMetadata, source } = written();
    expect(projectMetadata).toMatchObject({
      ...CHOSEN,
      image: { mediaType: 'image/gif', sha256: sha256Digest(image) },
    });
    expect(source.imagePath).toBe('assets/image.gif');
  });

  it('takes no live option for a complete input', async () => {
    writeFileSync(at('input.json'), JSON.stringify(fixtureInventoryInput('cedar')));
    const args = ['--input', at('input.json'), '--wallet', FIXTURE_WALLET, '--out', at('request.json')];
    const { code, paths } = refusal(await run('inventory-builder.mjs', ...args));
    expect([code, paths]).toEqual(['MULTI_ROLE_PACK_ARGUMENTS_INVALID', ['--wallet']]);
  });
});

describe.each([
  ['reference-builder.mjs', (...more: string[]) => native20(...more, '--request-out', at('request.json'))],
  ['inventory-builder.mjs', inventory],
] as const)('%s', (_name, build) => {
  it.each([
    ['--wallet', '0x12'],
    ['--nonce', '-1'],
    ['--valid-after', 'tomorrow'],
    ['--deadline', '1.5'],
    ['--creator-recipient', '0x12'],
    ['--name', 'sn-secret'.repeat(8)],
    ['--symbol', 'sn-secret'.repeat(2)],
    ['--description', 'sn-secret'.repeat(140)],
    ['--website', 'http://sn-secret.example/'],
    ['--creator-buy-fee-bps', '1001'],
    ['--creator-sell-fee-bps', '0.5'],
  ])('refuses a faulty %s by its name', async (option, value) => {
    const args = option === '--wallet' ? [] : [option, value];
    const result = option === '--wallet' ? await withWallet(_name, value) : await build(...args);
    expect(refusal(result)).toEqual({ code: 'MULTI_ROLE_PACK_ARGUMENTS_INVALID', paths: [option] });
  });

  it('names every faulty option at once', async () => {
    const { paths } = refusal(await build('--nonce', 'x', '--website', 'x', '--creator-buy-fee-bps', 'x'));
    expect(paths).toEqual(['--nonce', '--website', '--creator-buy-fee-bps']);
  });

  it('refuses an unknown case', async () => {
    const out = _name === 'reference-builder.mjs' ? '--request-out' : '--out';
    const args = ['--input', reference, '--case', 'sn-secret', ...LIVE, out, at('request.json')];
    expect(refusal(await run(_name, ...args)).paths).toEqual(['--case']);
  });
});

const withWallet = (name: string, wallet: string): Promise<ProgramResult> =>
  run(
    name,
    ...['--input', reference, '--case', name === 'reference-builder.mjs' ? 'buy' : 'cedar'],
    ...['--capabilities', capabilities, '--wallet', wallet],
    ...[name === 'reference-builder.mjs' ? '--request-out' : '--out', at('request.json')],
  );
