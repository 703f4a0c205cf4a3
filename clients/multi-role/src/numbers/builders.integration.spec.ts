/** Runs the built programs as a launcher starts them: the numbers that they print, and the requests of today's inputs. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { launchNumbersSchema, packErrorSchema, type LaunchNumbers } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles, BUNDLES, runNode, temporaryFolder, type ProgramResult } from '../fixtures/bundle.fixture.js';
import { fixtureInventoryInput } from '../fixtures/inventory.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';
import { FIXTURE_WALLET } from '../fixtures/reference.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

/** Recorded from the programs before they computed any number. */
const RECORDED = {
  zero: {
    file: 'sha256:4aabea2d50a370c7072d29e4f78dae2314c41e02921f74b8a4738664e71ad629',
    stdout: 'sha256:82722e3fa9a8368ee662cb6ec8dca57d20591afb1471a5ceb7ed9903be5ef0ce',
  },
  buy: {
    file: 'sha256:67ad5287796c941525ef90349b1e52b11c7247678dc229b4096ea4f7d3a73e65',
    stdout: 'sha256:d6b4e305f0892ecd0668f0040d86a3935d8214bfdfeff55b9950e9d7dc0e0b8b',
  },
  atlas: {
    file: 'sha256:2fad6314817f6db040787ab49f500901ed80c2f52e11a1dd1c2943409cdf063a',
    stdout: 'sha256:ad16d42ae5ac0c722c9bbfe31386b0a42dde7fa6377ebd3cb2415a9120dd6ab5',
  },
  cedar: {
    file: 'sha256:cca7a37c7453d90d2872e828a79fb4ddd43c9c11f70dc3a6178b70660f6c34f2',
    stdout: 'sha256:0f1caba0e658f8e2ca4dd68f47d48cfb9cd3b387d2a57e89999ecd1c9378f472',
  },
} as const;

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
  folder = mkdtempSync(join(root.path, 'run-'));
});
afterAll(() => root.remove());

interface Inert {
  project: { parameters: Record<string, unknown> };
  funding: { totalValueWei: string; plan: Record<string, unknown> };
}
type Change = (inert: Inert) => void;

/** The packer's output per case, made once: every test changes a copy. */
const references = new Map<string, Promise<string>>();
async function packReference(chosen: string): Promise<string> {
  const out = join(root.path, `reference-${chosen}.json`);
  const input = join(BUNDLES, 'request-packer-reference.json');
  await run('request-packer.mjs', 'reference', '--input', input, '--case', chosen, '--out', out);
  return readFileSync(out, 'utf8');
}

async function native20(chosen: 'zero' | 'buy', change: Change, ...more: string[]): Promise<ProgramResult> {
  const packed = references.get(chosen) ?? packReference(chosen);
  references.set(chosen, packed);
  const inert = JSON.parse(await packed) as Inert;
  change(inert);
  writeFileSync(at('inert.json'), JSON.stringify(inert));
  const live = ['--wallet', FIXTURE_WALLET, '--nonce', '7', '--valid-after', '1767225600', '--deadline', '1767229200'];
  return run(
    'reference-builder.mjs',
    '--input',
    at('inert.json'),
    '--capabilities',
    capabilities,
    ...live,
    '--out',
    at('out.json'),
    ...more,
  );
}

async function inventory(
  chosen: 'atlas' | 'cedar',
  change: (parameters: Record<string, unknown>) => void,
  ...more: string[]
): Promise<ProgramResult> {
  const input = fixtureInventoryInput(chosen);
  change(input.parameters as unknown as Record<string, unknown>);
  writeFileSync(at('input.json'), JSON.stringify(input));
  return run('inventory-builder.mjs', '--input', at('input.json'), '--out', at('out.json'), ...more);
}

const nothing = (): void => undefined;
const building = (chosen: keyof typeof RECORDED, ...more: string[]): Promise<ProgramResult> =>
  chosen === 'zero' || chosen === 'buy' ? native20(chosen, nothing, ...more) : inventory(chosen, nothing, ...more);

const linesOf = ({ stderr }: ProgramResult): Record<string, unknown>[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const numbersOf = (result: ProgramResult): LaunchNumbers =>
  launchNumbersSchema.parse(linesOf(result).find((line) => 'numbers' in line)?.['numbers']);
const written = () => JSON.parse(readFileSync(at('out.json'), 'utf8'));

describe.each(['zero', 'buy', 'atlas', 'cedar'] as const)("today's input %s", (chosen) => {
  it('becomes the recorded bytes, with the recorded report', async () => {
    const result = await building(chosen);
    expect({
      file: sha256Digest(readFileSync(at('out.json'))),
      stdout: sha256Digest(Buffer.from(result.stdout)),
    }).toEqual(RECORDED[chosen]);
    expect(linesOf(result).filter((line) => !('numbers' in line) && !('mining' in line))).toEqual([]);
  });

  it('comes with its numbers', async () => {
    const { purchase, supply, warnings } = numbersOf(await building(chosen));
    expect([supply.tokens, purchase === null, warnings]).toEqual([
      chosen === 'cedar' ? '21000000' : '1000000000',
      chosen === 'zero' || chosen === 'atlas',
      [],
    ]);
  });
});

describe('typed numbers', () => {
  it.each(['buy', 'cedar'] as const)("a slippage and a supply replace the file's: %s", async (chosen) => {
    const result = await building(chosen, '--supply', '5000000.25 tokens', '--slippage-bps', '250');
    expect(result.code).toBe(0);
    const { purchase, supply } = numbersOf(result);
    const minimum = ((BigInt(purchase!.tokensOut.raw) * 9_750n) / 10_000n).toString();
    expect([supply.raw, purchase!.minimumTokensOut.raw]).toEqual(['5000000250000000000000000', minimum]);
    expect(written()).toMatchObject({ fundingPlan: { minimumTokensOut: minimum, initialBuyWei: '10000000000000000' } });
    const carried = 5_000_000_250_000_000_000_000_000n.toString(16).padStart(64, '0');
    expect(
      written().graphBundle.components.some(({ constructorArgs }: { constructorArgs: string }) =>
        constructorArgs.includes(carried),
      ),
    ).toBe(true);
  });

  it('a slippage computes the minimum that a file leaves at 0', async () => {
    expect(
      (await native20('buy', ({ funding }) => void (funding.plan['minimumTokensOut'] = '0'), '--slippage-bps', '100'))
        .code,
    ).toBe(0);
    const minimum = written().fundingPlan.minimumTokensOut;
    folder = mkdtempSync(join(root.path, 'run-'));
    const result = await inventory(
      'cedar',
      (parameters) => void (parameters['minimumTokensOut'] = '0'),
      '--slippage-bps',
      '100',
    );
    expect([result.code, written().fundingPlan.minimumTokensOut]).toEqual([
      0,
      numbersOf(result).purchase!.minimumTokensOut.raw,
    ]);
    expect(BigInt(minimum)).toBeGreaterThan(0n);
  });

  it.each([
    ['--supply', '21000000'],
    ['--supply', '21,000,000 tokens'],
    ['--slippage-bps', '10000'],
    ['--slippage-bps', '1%'],
    ['--slippage-bps', '-1'],
  ])('%s %s is a usage error', async (option, value) => {
    for (const result of [await building('buy', option, value), await building('cedar', option, value)]) {
      expect([result.code, packErrorSchema.parse(JSON.parse(result.stderr)).findings.map(({ path }) => path)]).toEqual([
        2,
        [option],
      ]);
    }
  });

  it.each(['buy', 'cedar'] as const)('a minimum of one unit causes a warning: %s', async (chosen) => {
    const result = await (chosen === 'buy'
      ? native20('buy', ({ funding }) => void (funding.plan['minimumTokensOut'] = '1'))
      : inventory('cedar', (parameters) => void (parameters['minimumTokensOut'] = '1')));
    expect(result.code).toBe(0);
    const warning = { code: 'MINIMUM_PROTECTS_NOTHING', path: expect.stringContaining('minimumTokensOut') as unknown };
    expect(linesOf(result).find((line) => 'warning' in line)).toMatchObject({ warning });
    expect(numbersOf(result).warnings).toMatchObject([warning]);
  });
});

describe('bad numbers', () => {
  const parameter =
    (name: string, value: unknown): Change =>
    ({ project }) =>
      void (project.parameters[name] = value);
  const plan =
    (name: string, value: unknown): Change =>
    ({ funding }) =>
      void (funding.plan[name] = value);
  const bought =
    (wei: string): Change =>
    ({ funding }) =>
      void ((funding.totalValueWei = wei), (funding.plan['initialBuyWei'] = wei));
  const swapped: Change = ({ project: { parameters } }) =>
    void ([parameters['tickLower'], parameters['tickUpper']] = [parameters['tickUpper'], parameters['tickLower']]);

  it.each<[string, Change, string]>([
    ['no supply', parameter('supply', '0'), '/project/parameters/supply'],
    ['a supply above uint128', parameter('supply', (2n ** 128n).toString()), '/project/parameters/supply'],
    ['a supply between int128 and uint128', parameter('supply', (2n ** 127n).toString()), '/project/parameters/supply'],
    [
      'a supply of more liquidity than a tick carries',
      parameter('supply', (2n ** 127n - 1n).toString()),
      '/project/parameters/supply',
    ],
    ['a supply in tokens', parameter('supply', '21000000 tokens'), '/project/parameters/supply'],
    ['a supply that is a number', parameter('supply', 21), '/project/parameters/supply'],
    ['swapped ticks', swapped, '/project/parameters/tickUpper'],
    ['equal ticks', parameter('tickLower', 184_200), '/project/parameters/tickUpper'],
    ['a tick above its range', parameter('tickUpper', 887_220), '/project/parameters/tickUpper'],
    ['a tick below its range', parameter('tickLower', -887_280), '/project/parameters/tickLower'],
    ['a tick off the spacing', parameter('tickUpper', 184_201), '/project/parameters/tickUpper'],
    ['half a tick', parameter('tickUpper', 184_200.5), '/project/parameters/tickUpper'],
    ['another spacing', parameter('tickSpacing', 61), '/project/parameters/tickSpacing'],
    ['a fee above 1000', parameter('creatorBuyFeeBps', 1_001), '/project/parameters/creatorBuyFeeBps'],
    ['a buy without a minimum', plan('minimumTokensOut', '0'), '/funding/plan/minimumTokensOut'],
    ['a minimum without a buy', bought('0'), '/funding/plan/minimumTokensOut'],
    [
      'a minimum above what the pool can give',
      plan('minimumTokensOut', (2n ** 100n).toString()),
      '/funding/plan/minimumTokensOut',
    ],
    ['a buy above the supply', bought((10n ** 24n).toString()), '/funding/plan/initialBuyWei'],
    ['a buy beyond int128', bought((2n ** 255n).toString()), '/funding/plan/initialBuyWei'],
    ['a negative buy', bought('-1'), '/funding/plan/initialBuyWei'],
    ['a total that is not the buy', ({ funding }) => void (funding.totalValueWei = '5'), '/funding/totalValueWei'],
  ])('of a Native20 configuration are refused by name: %s', async (_what, change, path) => {
    const result = await native20('buy', change);
    const refusal = packErrorSchema.parse(JSON.parse(result.stderr));
    expect([result.code, refusal.code, existsSync(at('out.json'))]).toEqual([
      3,
      'MULTI_ROLE_PACK_CONFIG_INVALID',
      false,
    ]);
    expect(refusal.findings.map((finding) => finding.path)).toContain(path);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no inventory', { inventoryRaw: '0' }, '/parameters/inventoryRaw'],
    ['an inventory beyond int128', { inventoryRaw: (2n ** 127n).toString() }, '/parameters/inventoryRaw'],
    ['swapped ticks', { tickLower: 138_000, tickUpper: 46_000 }, '/parameters/tickUpper'],
    ['a tick off the spacing', { tickLower: 46_001 }, '/parameters/tickLower'],
    ['a tick out of range', { tickLower: -900_000 }, '/parameters/tickLower'],
    ['a buy without a minimum', { minimumTokensOut: '0' }, '/parameters/minimumTokensOut'],
    ['a minimum without a buy', { initialBuyWei: '0' }, '/parameters/minimumTokensOut'],
    [
      'a minimum above what the pool can give',
      { minimumTokensOut: (2n ** 100n).toString() },
      '/parameters/minimumTokensOut',
    ],
    ['a buy above the supply', { initialBuyWei: (10n ** 24n).toString() }, '/parameters/initialBuyWei'],
  ])('of an inventory project are refused by name: %s', async (_what, change, path) => {
    const result = await inventory('cedar', (parameters) => void Object.assign(parameters, change));
    const refusal = packErrorSchema.parse(JSON.parse(result.stderr));
    expect([result.code, refusal.code, existsSync(at('out.json'))]).toEqual([
      3,
      'MULTI_ROLE_PACK_CONFIG_INVALID',
      false,
    ]);
    expect(refusal.findings.map((finding) => finding.path)).toContain(path);
  });

  it('state the expected and the actual value, even for bounds of a schema', async () => {
    const findingsOf = ({ stderr }: ProgramResult) => packErrorSchema.parse(JSON.parse(stderr)).findings;
    expect(
      findingsOf(
        await inventory(
          'cedar',
          (parameters) => void Object.assign(parameters, { tickLower: 138_000, tickUpper: 46_000 }),
        ),
      ),
    ).toEqual([
      {
        path: '/parameters/tickUpper',
        message: 'must be above tickLower: tickLower and tickUpper are swapped',
        expected: 'above 138000',
        actual: '46000',
      },
    ]);
    expect(findingsOf(await native20('buy', parameter('tickUpper', 900_000)))).toEqual([
      {
        path: '/project/parameters/tickUpper',
        message: 'is larger or longer than accepted',
        expected: 'at most 887160',
        actual: '900000',
      },
    ]);
    const [most] = findingsOf(await native20('buy', plan('minimumTokensOut', (10n ** 30n).toString())));
    expect(most).toMatchObject({
      expected: expect.stringMatching(/^at most 98[0-9]{22}$/),
      actual: (10n ** 30n).toString(),
    });
  });
});
