import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  customLaunchPackConfigSchema,
  customLaunchPackReportSchema,
  type CustomLaunchPackConfig,
} from '@launch/contracts';
import { canonicalJsonText, canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { readFileSync, writeFileSync } from 'node:fs';
import { configOfV4, contextOfV4 } from '../fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../fixtures/inventory.fixture.js';
import { PackError } from '../offline/pack.error.js';
import { packCustomLaunch, type PackedCustomLaunch } from './pack-custom-launch.js';

/** The good V4 request of the rules' corpus beside its context. `WRITE_REQUEST=1` writes it anew, after a recipe changed. */
const FILE = new URL('../../../../libs/launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const context = contextOfV4();
const config = configOfV4(context);
let packed: PackedCustomLaunch;
beforeAll(async () => {
  packed = await packCustomLaunch(config, context, inventoryMaterial());
});

it("packs the good V4 request of the rules' corpus, and the same bytes of the same config", async () => {
  const bytes = canonicalizeJson({ context, request: parseStrictJson(packed.bytes) });
  if (process.env['WRITE_REQUEST'] === '1') writeFileSync(FILE, bytes);
  expect(readFileSync(FILE).equals(bytes)).toBe(true);
  const turned = Object.fromEntries(Object.entries(config).reverse()) as CustomLaunchPackConfig;
  expect((await packCustomLaunch(turned, context, inventoryMaterial())).bytes).toEqual(packed.bytes);
  expect(canonicalJsonText(parseStrictJson(packed.bytes))).toBe(Buffer.from(packed.bytes).toString());
});

it('reports what the bytes are and predict', () => {
  expect(customLaunchPackConfigSchema.parse(config)).toEqual(config);
  expect(customLaunchPackReportSchema.parse(packed.report)).toEqual(packed.report);
  expect(packed.report).toMatchObject({ contextHash: config.contextHash, byteLength: packed.bytes.length });
  expect(packed.report.idempotencyKey).toMatch(/^v4-[0-9a-f]{64}$/);
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
    ['without a buy', { buy: { initialBuyWei: '0', minimumTokensOut: '0' } }, '/buy/initialBuyWei'],
    ['without a minimum', { buy: { ...buy, minimumTokensOut: '0' } }, '/buy/minimumTokensOut'],
    ['for a value above its budget', { budgets: { ...budgets, maxLaunchValueWei: '1' } }, '/budgets/maxLaunchValueWei'],
    [
      'for an image that is none',
      { project: { ...project, image: { ...project.image, base64: Buffer.from('GIF').toString('base64') } } },
      '/project/image/base64',
    ],
  ])('%s', async (_what, change, path) => {
    const refused = await packCustomLaunch({ ...config, ...change }, context, inventoryMaterial()).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(PackError);
    expect((refused as PackError).findings.map((finding) => finding.path)).toContain(path);
  });
});
