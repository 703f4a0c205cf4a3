import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  anyCustomLaunchRequestSchema,
  type CustomLaunchPackConfig,
  customLaunchPackConfigSchema,
  customLaunchPackReportSchema,
  customLaunchRequest40Schema,
} from '@launch/contracts/custom-launch';
import { CUSTOM_LAUNCH_PROFILE_4_0 } from '@launch/contracts/launch';
import { canonicalJsonText, canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { readFileSync, writeFileSync } from 'node:fs';
import { customLaunchConfig, customLaunchContext } from '../fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../fixtures/inventory.fixture.js';
import { PackError } from '../offline/pack.error.js';
import { packCustomLaunch, type PackedCustomLaunch } from './pack-custom-launch.js';

/**
 * The valid custom-launch request of the rules' corpus beside its context. `WRITE_REQUEST=1` writes it again after a
 * recipe changed.
 */
const FILE = new URL('../../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const context = customLaunchContext();
const config = customLaunchConfig(context);
let packed: PackedCustomLaunch;
beforeAll(async () => {
  packed = await packCustomLaunch(config, context, inventoryMaterial());
});

it("packs the good custom-launch request of the rules' corpus, and the same bytes of the same config", async () => {
  const bytes = canonicalizeJson({ context, request: parseStrictJson(packed.bytes) });
  if (process.env['WRITE_REQUEST'] === '1') writeFileSync(FILE, bytes);
  expect(readFileSync(FILE).equals(bytes)).toBe(true);
  const turned = Object.fromEntries(Object.entries(config).reverse()) as CustomLaunchPackConfig;
  expect((await packCustomLaunch(turned, context, inventoryMaterial())).bytes).toEqual(packed.bytes);
  expect(canonicalJsonText(parseStrictJson(packed.bytes))).toBe(Buffer.from(packed.bytes).toString());
});

it('reports the properties and predictions of the bytes', () => {
  expect(customLaunchPackConfigSchema.parse(config)).toEqual(config);
  expect(customLaunchPackReportSchema.parse(packed.report)).toEqual(packed.report);
  expect(packed.report).toMatchObject({ contextHash: config.contextHash, byteLength: packed.bytes.length });
  expect(packed.report.idempotencyKey).toMatch(/^v4-[0-9a-f]{64}$/);
});

/** The same context under the earlier profile, which a request cannot choose. */
const earlier = customLaunchContext(CUSTOM_LAUNCH_PROFILE_4_0);
const withoutBuy = { buy: { initialBuyWei: '0', minimumTokensOut: '0' } };

it('packs a request of the profile that the context publishes: one of 4.0 has no buy', async () => {
  const { bytes, report } = await packCustomLaunch(
    { ...customLaunchConfig(earlier), ...withoutBuy },
    earlier,
    inventoryMaterial(),
  );
  expect(customLaunchRequest40Schema.parse(parseStrictJson(bytes)).funding).toEqual({
    ...{ kind: 'none', initialBuyWei: '0', minimumTokensOut: '0' },
    ...{ liquidityNativeWei: '0', platformFeeWei: '0', totalValueWei: '0' },
  });
  expect(report).toMatchObject({ totalValueWei: '0', predictedAddresses: packed.report.predictedAddresses });
});

it('packs a name that begins with a byte order mark, every byte of it', async () => {
  const project = { ...config.project, name: '\ufeffAtlas' };
  const { bytes } = await packCustomLaunch({ ...config, project }, context, inventoryMaterial());
  const { graphBundle } = anyCustomLaunchRequestSchema.parse(parseStrictJson(bytes));
  const name = Buffer.from(project.name).toString('hex').padEnd(64, '0');
  expect(graphBundle.components.some(({ constructorArgs }) => constructorArgs.includes(name))).toBe(true);
});

describe('a config is refused', () => {
  const { liquidity, buy, budgets, project } = config;
  it.each<[string, Partial<CustomLaunchPackConfig>, string]>([
    ['for another context', { contextHash: `0x${'0'.repeat(64)}` }, '/contextHash'],
    [
      'for ticks off the grid',
      { liquidity: { ...liquidity, tickUpper: liquidity.tickUpper + 1 } },
      '/liquidity/tickUpper',
    ],
    ['without a buy', withoutBuy, '/buy/initialBuyWei'],
    ['without a minimum', { buy: { ...buy, minimumTokensOut: '0' } }, '/buy/minimumTokensOut'],
    ['for a value above its budget', { budgets: { ...budgets, maxLaunchValueWei: '1' } }, '/budgets/maxLaunchValueWei'],
    [
      'for an image that is none',
      { project: { ...project, image: { ...project.image, base64: Buffer.from('GIF').toString('base64') } } },
      '/project/image/base64',
    ],
  ])('%s', async (_what, change, path) => {
    expect(await placesOf(packCustomLaunch({ ...config, ...change }, context, inventoryMaterial()))).toContain(path);
  });

  it('with a buy under profile 4.0', async () => {
    const places = await placesOf(packCustomLaunch(customLaunchConfig(earlier), earlier, inventoryMaterial()));
    expect(places).toEqual(expect.arrayContaining(['/buy/initialBuyWei', '/buy/minimumTokensOut']));
  });
});

async function placesOf(packing: Promise<unknown>): Promise<string[]> {
  const refused = await packing.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(PackError);
  return (refused as PackError).findings.map(({ path }) => path);
}
