import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { isCanonical, parseStrictJson } from '@launch/contracts/json';
import {
  createRequestSchema,
  inertInventoryInputSchema,
  INVENTORY_CASES,
  inventoryProjectInputSchema,
  inventoryProjectsSchema,
  inventoryReportSchema,
  packErrorSchema,
} from '@launch/contracts/multi-role';
import { inventoryParametersSchema } from '@launch/contracts/launch';
import { sha256Digest } from '@launch/contracts/primitives';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBundles, BUNDLES, runNode, temporaryFolder, type ProgramResult } from '../fixtures/bundle.fixture.js';
import { fixtureInventoryInput, readInventoryProjects } from '../fixtures/inventory.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const KEY = 'sk-live-7d30ab';
const root = temporaryFolder();
let folder: string;
const at = (name: string): string => join(folder, name);
const builder = (...args: string[]): Promise<ProgramResult> =>
  runNode([join(BUNDLES, 'inventory-builder.mjs'), ...args], { env: { SERVICE_API_KEY: KEY } });

beforeAll(buildBundles);
beforeEach(() => {
  folder = mkdtempSync(join(root.path, 'private-folder-'));
});
afterAll(() => root.remove());

/** Writes an input, formatted as a person would, and builds from it. */
function build(input: unknown, out = 'request.json'): Promise<ProgramResult> {
  writeFileSync(at('input.json'), typeof input === 'string' ? input : JSON.stringify(input, null, 2));
  return builder('--input', at('input.json'), '--out', at(out));
}

/** Returns the refusal after any progress. Checks that it never repeats the key, the folder or the input. */
function refusal(result: ProgramResult): { code: string; findings: { path: string; message: string }[] } {
  expect(result.stdout).toBe('');
  for (const secret of [KEY, 'private-folder', root.path]) expect(result.stderr).not.toContain(secret);
  return packErrorSchema.parse(JSON.parse(result.stderr.trim().split('\n').at(-1)!));
}

describe('inventory-builder.mjs', () => {
  it.each(INVENTORY_CASES)('makes %s into an ordinary create request with a report about it', async (chosen) => {
    const result = await build(fixtureInventoryInput(chosen));
    expect(result.code).toBe(0);
    const bytes = readFileSync(at('request.json'));
    expect(statSync(at('request.json')).mode & 0o7777).toBe(0o600);
    expect(isCanonical(bytes)).toBe(true);
    const request = createRequestSchema.parse(parseStrictJson(bytes));
    const report = inventoryReportSchema.parse(JSON.parse(result.stdout));
    expect(report.requestSha256).toBe(sha256Digest(bytes));
    expect(report.idempotencyKey).toBe(`mr-v2-${report.requestSha256.slice('sha256:'.length)}`);
    const { initializer, token, hook, feeVault } = report.predictedAddresses;
    expect(
      request.graphBundle.components.map(({ predictedAddress, roleMask }) => [predictedAddress, roleMask]),
    ).toEqual([
      [initializer, 4],
      [token, 1],
      [hook, 2],
    ]);
    expect(request.graphBundle.children.map(({ account }) => account)).toEqual([feeVault]);
    expect(
      result.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expect.arrayContaining([{ mining: { attempts: 0 } }, { mining: { attempts: report.miningAttempts } }]));
  });

  it('never replaces a file', async () => {
    writeFileSync(at('request.json'), 'mine');
    const result = await build(fixtureInventoryInput('atlas'));
    expect(result.code).toBe(11);
    expect(refusal(result)).toMatchObject({ code: 'MULTI_ROLE_PACK_IO_ERROR', findings: [{ path: '--out' }] });
    expect(readFileSync(at('request.json'), 'utf8')).toBe('mine');
  });

  it.each(INVENTORY_CASES)('refuses the published %s unchanged, because it is inert', async (chosen) => {
    const { cases } = JSON.parse(Buffer.from(readInventoryProjects()).toString('utf8')) as {
      cases: Record<string, unknown>;
    };
    const result = await build(cases[chosen]);
    expect(result.code).toBe(3);
    expect(refusal(result).findings.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/context', '/launchWallet', '/nonce', '/permitWindow', '/parameters/creatorRecipient']),
    );
    expect(readdirSync(folder)).toEqual(['input.json']);
  });

  it.each<[string, () => unknown, string]>([
    ['an unknown field', () => ({ ...fixtureInventoryInput('atlas'), [KEY]: 1 }), ''],
    [
      'an unknown parameter',
      () => ({
        ...fixtureInventoryInput('atlas'),
        parameters: { ...fixtureInventoryInput('atlas').parameters, owner: 1 },
      }),
      '/parameters',
    ],
    [
      'another version',
      () => ({ ...fixtureInventoryInput('atlas'), schemaVersion: 'service.inventory-project-input.v2' }),
      '/schemaVersion',
    ],
    ['a key twice', () => JSON.stringify(fixtureInventoryInput('atlas')).replace('{', '{"nonce":"1",'), ''],
    [
      'ticks off the spacing',
      () => ({
        ...fixtureInventoryInput('atlas'),
        parameters: { ...fixtureInventoryInput('atlas').parameters, tickUpper: 184_201 },
      }),
      '/parameters/tickUpper',
    ],
  ])('refuses %s', async (_what, input, path) => {
    const result = await build(input());
    expect(result.code).toBe(3);
    expect(refusal(result)).toMatchObject({ code: 'MULTI_ROLE_PACK_CONFIG_INVALID' });
    expect(refusal(result).findings.map((found) => found.path)).toContain(path);
  });

  it.each([
    ['nothing', []],
    ['no output', ['--input', 'a']],
    ['--output', ['--input', 'a', '--output', 'b']],
    ['a command', ['build', '--input', 'a', '--out', 'b']],
    ['a bound of its own', ['--input', 'a', '--out', 'b', '--max-attempts', '1']],
  ])('refuses %s as a usage error', async (_what, args) => {
    const result = await builder(...args);
    expect(result.code).toBe(2);
    expect(refusal(result).code).toBe('MULTI_ROLE_PACK_ARGUMENTS_INVALID');
  });

  it('--help explains itself', async () => {
    const result = await builder('--help');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('node inventory-builder.mjs');
  });
});

describe('the input', () => {
  const fields = (value: object): string[] =>
    Object.entries(value).flatMap(([key, inner]) =>
      inner !== null && typeof inner === 'object' && !Array.isArray(inner) && key !== 'context'
        ? fields(inner).map((path) => `${key}.${path}`)
        : [key],
    );
  const without = (value: object, path: string): object => {
    const [key, ...rest] = path.split('.') as [string, ...string[]];
    const { [key]: inner, ...others } = value as Record<string, object>;
    return rest.length === 0 ? others : { ...others, [key]: without(inner!, rest.join('.')) };
  };

  it('needs every field', () => {
    const input = fixtureInventoryInput('cedar');
    expect(inventoryProjectInputSchema.safeParse(input).success).toBe(true);
    const paths = fields(input);
    expect(paths.length).toBe(23);
    for (const path of paths)
      expect({ path, accepted: inventoryProjectInputSchema.safeParse(without(input, path)).success }).toEqual({
        path,
        accepted: false,
      });
  });

  it('has the same fields as a published case', () => {
    const { cases } = inventoryProjectsSchema.parse(parseStrictJson(readInventoryProjects()));
    for (const chosen of INVENTORY_CASES) {
      expect(inertInventoryInputSchema.parse(cases[chosen])).toEqual(cases[chosen]);
      expect(Object.keys(cases[chosen]).sort()).toEqual(Object.keys(fixtureInventoryInput(chosen)).sort());
    }
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['spacing 1', { tickSpacing: 1 }, true],
    ['spacing 32767', { tickSpacing: 32_767 }, true],
    ['spacing 0', { tickSpacing: 0 }, false],
    ['spacing 32768', { tickSpacing: 32_768 }, false],
    ['fees at their bounds', { creatorBuyFeeBps: 0, creatorSellFeeBps: 1_000 }, true],
    ['a fee above 1000', { creatorBuyFeeBps: 1_001 }, false],
    ['a negative fee', { creatorSellFeeBps: -1 }, false],
    ['half a basis point', { creatorSellFeeBps: 0.5 }, false],
    ['the tick below the maximum', { tickUpper: 887_271 }, true],
    ['the maximum tick', { tickUpper: 887_272 }, false],
    ['the lowest tick', { tickLower: -887_272 }, true],
    ['a tick below the bounds', { tickLower: -887_273 }, false],
    ['equal ticks', { tickLower: 60_000, tickUpper: 60_000 }, false],
    ['the largest inventory', { inventoryRaw: (2n ** 127n - 1n).toString() }, true],
    ['an inventory beyond int128', { inventoryRaw: (2n ** 127n).toString() }, false],
    ['no inventory', { inventoryRaw: '0' }, false],
    ['an inventory as a number', { inventoryRaw: 1 }, false],
    ['no recipient', { creatorRecipient: `0x${'0'.repeat(40)}` }, false],
    ['a buy', { initialBuyWei: '1', minimumTokensOut: '1' }, true],
    ['a buy without a minimum', { initialBuyWei: '1' }, false],
    ['a minimum without a buy', { minimumTokensOut: '1' }, false],
  ])('of %s is judged by its rule', (_what, change, accepted) => {
    expect(
      inventoryParametersSchema.safeParse({ ...fixtureInventoryInput('atlas').parameters, ...change }).success,
    ).toBe(accepted);
  });
});
