import { describe, expect, it } from '@jest/globals';
import { launchNumbersSchema } from '@launch/contracts/multi-role';
import { PackError, type PackErrorBody } from '../offline/pack.error.js';
import { refusalText } from '../offline/run-offline.js';
import { launchNumbers, type ChoicePaths, type LaunchChoices } from './launch-numbers.js';
import { numbersText } from './numbers-text.js';

const PATHS: ChoicePaths = {
  supplyRaw: '/s',
  tickLower: '/l',
  tickUpper: '/u',
  tickSpacing: '/d',
  initialBuyWei: '/b',
  minimumTokensOut: '/m',
  slippageBps: '--slippage-bps',
};
const CHOICES: LaunchChoices = {
  supplyRaw: 10n ** 27n,
  tickLower: 60_000,
  tickUpper: 184_200,
  tickSpacing: 60,
  creatorBuyFeeBps: 100,
  initialBuyWei: 10n ** 16n,
  minimumTokensOut: 1n,
  slippageBps: null,
};
const of = (change: Partial<LaunchChoices>) =>
  launchNumbersSchema.parse(launchNumbers({ ...CHOICES, ...change }, PATHS));
const refusalOf = (change: Partial<LaunchChoices>): PackErrorBody => {
  try {
    of(change);
  } catch (error) {
    if (error instanceof PackError) return error.toBody();
    throw error;
  }
  throw new Error('nothing was refused');
};
const out = BigInt(of({}).purchase!.tokensOut.raw);

describe('the numbers of a launch', () => {
  it('add up: fees and pool are the purchase; purchase, position and residue are the supply', () => {
    const { purchase, locked, supply } = of({});
    expect(BigInt(purchase!.platformFeeWei) + BigInt(purchase!.creatorFeeWei) + BigInt(purchase!.poolWei)).toBe(
      CHOICES.initialBuyWei,
    );
    expect([purchase!.platformFeeWei, purchase!.creatorFeeWei, locked.nativeWei]).toEqual([
      '20000000000000',
      '100000000000000',
      purchase!.poolWei,
    ]);
    expect(BigInt(purchase!.tokensOut.raw) + BigInt(locked.position.raw) + BigInt(locked.residue.raw)).toBe(
      BigInt(supply.raw),
    );
    expect(Number(purchase!.percentOfSupply) + Number(locked.percentOfSupply)).toBeCloseTo(100, 12);
  });

  it('state the start price as 1.0001 to the power of the upper tick, and a purchase that raises it', () => {
    const { price, purchase } = of({});
    expect(Number(price.tokensPerEth) / 1.0001 ** 184_200).toBeCloseTo(1, 9);
    expect(Number(price.tokensPerEth) * Number(price.ethPerToken)).toBeCloseTo(1, 12);
    expect(Number(purchase!.priceAfterwards.ethPerToken)).toBeGreaterThan(Number(price.ethPerToken));
    const average = 0.00988 / Number(purchase!.tokensOut.tokens);
    expect(average > Number(price.ethPerToken) && average < Number(purchase!.priceAfterwards.ethPerToken)).toBe(true);
  });

  it('have no purchase without a buy, and everything locked', () => {
    expect(of({ initialBuyWei: 0n, minimumTokensOut: 0n })).toMatchObject({
      purchase: null,
      locked: { nativeWei: '0', percentOfSupply: '100' },
      warnings: [],
    });
  });

  it.each([
    [0, out],
    [1, (out * 9_999n) / 10_000n],
    [100, (out * 99n) / 100n],
    [9_999, out / 10_000n],
  ])('a slippage of %d basis points sets the minimum, rounded down', (slippageBps, minimum) => {
    expect(of({ slippageBps, minimumTokensOut: 0n }).purchase!.minimumTokensOut.raw).toBe(minimum.toString());
  });

  it('keep the minimum without a slippage, up to what the purchase brings', () => {
    expect(of({ minimumTokensOut: out }).purchase!.minimumTokensOut.raw).toBe(out.toString());
  });

  it('warn of a minimum of one unit, even one that a slippage gives, and of no other', () => {
    expect(of({}).warnings).toMatchObject([{ code: 'MINIMUM_PROTECTS_NOTHING', path: '/m' }]);
    expect(of({ minimumTokensOut: 2n }).warnings).toEqual([]);
    expect(of({ slippageBps: 100 }).warnings).toEqual([]);
  });
});

describe('numbers that no pool can have', () => {
  it.each<[string, Partial<LaunchChoices>, string, string, string, RegExp]>([
    [
      'a minimum above what the pool can give',
      { minimumTokensOut: out + 1n },
      '/m',
      `at most ${out}`,
      `${out + 1n}`,
      /more than the pool can give/,
    ],
    [
      'swapped ticks',
      { tickLower: 184_200, tickUpper: 60_000 },
      '/u',
      'above 184200',
      '60000',
      /tickLower and tickUpper are swapped/,
    ],
    ['equal ticks', { tickLower: 184_200 }, '/u', 'a tick above tickLower', '184200', /not a tick above tickLower/],
    ['a tick off the spacing', { tickLower: 60_001 }, '/l', 'a multiple of the tick spacing', '60001', /multiple/],
    ['a tick out of range', { tickLower: -900_000 }, '/l', 'a tick inside the bounds', '-900000', /bounds/],
    ['half a tick', { tickUpper: 184_200.5 }, '/u', 'a whole tick', '184200.5', /whole/],
    ['no supply', { supplyRaw: 0n }, '/s', 'a positive amount inside a signed 128-bit integer', '0', /positive/],
    [
      'a supply beyond int128',
      { supplyRaw: 2n ** 127n },
      '/s',
      'a positive amount inside a signed 128-bit integer',
      `${2n ** 127n}`,
      /128/,
    ],
    [
      'a supply too small for any liquidity',
      { supplyRaw: 1n },
      '/s',
      'enough for one unit of liquidity over this range',
      '1',
      /liquidity/,
    ],
    [
      'a buy without a minimum',
      { minimumTokensOut: 0n },
      '/m',
      'at least 1 base unit',
      '0',
      /--slippage-bps computes one/,
    ],
    ['a minimum without a buy', { initialBuyWei: 0n }, '/m', '0, or /b above 0', '1', /there is none/],
    [
      'a slippage without a buy',
      { initialBuyWei: 0n, minimumTokensOut: 0n, slippageBps: 100 },
      '--slippage-bps',
      '/b above 0',
      '0',
      /has none/,
    ],
    [
      'a buy that brings nothing',
      { initialBuyWei: 1n, tickLower: -120_000, tickUpper: -60_000 },
      '/b',
      'enough for 1 base unit',
      '1',
      /too little/,
    ],
    [
      'a slippage that leaves nothing',
      { initialBuyWei: 9n, tickLower: -120, tickUpper: 0, slippageBps: 9_999 },
      '--slippage-bps',
      'a slippage that leaves at least 1 base unit',
      '9999',
      /minimum of 0/,
    ],
  ])('are refused by name: %s', (_what, change, path, expected, actual, message) => {
    expect(refusalOf(change)).toMatchObject({
      code: 'MULTI_ROLE_PACK_CONFIG_INVALID',
      findings: [{ path, expected, actual, message: expect.stringMatching(message) }],
    });
  });

  it('are refused together', () => {
    expect(
      refusalOf({ supplyRaw: 0n, tickLower: 184_201, minimumTokensOut: 0n }).findings.map(({ path }) => path),
    ).toEqual(['/m', '/l', '/u', '/s']);
  });

  it.each([20n, 10_000n, 10n ** 20n])(
    'state the largest purchase, which is filled to the wei: a supply of %d units',
    (supplyRaw) => {
      const range = { supplyRaw, tickLower: -600, tickUpper: 0, creatorBuyFeeBps: 777 };
      const [finding] = refusalOf({ ...range, initialBuyWei: 10n ** 30n }).findings;
      expect(finding).toMatchObject({ path: '/b', actual: `${10n ** 30n}` });
      const most = BigInt(/^at most (\d+)$/.exec(finding!.expected!)![1]!);
      expect(of({ ...range, initialBuyWei: most }).purchase!.initialBuyWei).toBe(most.toString());
      expect(refusalOf({ ...range, initialBuyWei: most + 1n }).findings).toMatchObject([
        { path: '/b', expected: `at most ${most}` },
      ]);
    },
  );
});

describe('on a terminal', () => {
  it('the numbers are a table of plain words', () => {
    const text = numbersText(of({ minimumTokensOut: out }));
    expect(text).toContain('1,000,000,000 tokens');
    expect(text).toMatch(/brings exactly +[0-9]{3},[0-9]{3}\.[0-9]+ tokens, 0\.0[0-9]+ % of the supply/);
    expect(text).toMatch(
      /purchase +0\.01 ETH: 0\.00002 ETH to the platform, 0\.0001 ETH to the creator, 0\.00988 ETH to the pool/,
    );
    expect(text).not.toContain('{');
  });

  it('a warning is below them', () =>
    expect(numbersText(of({}))).toMatch(/warning: \/m: a minimum of 1 base unit protects from nothing/));

  it('a refusal states its place, the expected and the actual value', () => {
    expect(refusalText(refusalOf({ tickLower: 184_200, tickUpper: 60_000 }))).toBe(
      [
        'The input is not a valid configuration. (MULTI_ROLE_PACK_CONFIG_INVALID)',
        '  /u is not above tickLower: tickLower and tickUpper are swapped',
        '      expected  above 184200',
        '      actual    60000',
        '',
      ].join('\n'),
    );
  });
});
