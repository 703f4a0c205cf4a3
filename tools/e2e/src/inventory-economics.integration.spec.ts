import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { finding, type Finding } from '@launch/contracts/errors';
import { parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import {
  childAddress,
  decodeInitializerArguments,
  decodeInventoryHookArguments,
  decodeInventoryTokenArguments,
  encodeInitializerArguments,
  encodeInventoryHookArguments,
  encodeInventoryTokenArguments,
  INVENTORY_TEMPLATE_SET,
  inventoryTemplates,
  recogniseEconomics,
  withInventoryBindings,
  type FeeConfig,
  type Hex,
  type InitializerArguments,
  type InventoryHookArguments,
  type InventoryTokenArguments,
} from '@launch/evm';
import { buildInventoryRequest } from '@launch/multi-role';
import { buildBundles } from '../../../clients/multi-role/src/fixtures/bundle.fixture.js';
import {
  fixtureInventoryInput,
  inventoryMaterial,
} from '../../../clients/multi-role/src/fixtures/inventory.fixture.js';
import { editStandardJson, packReference, thaw, type MutableRequest } from './index.js';

// Compiling and mining take longer than a unit test may on a busy machine.
jest.setTimeout(240_000);

const STRANGER: Hex = '0x9999999999999999999999999999999999999999';
const BINDINGS = 'MULTI_ROLE_INVENTORY_BINDINGS_REQUIRE_CORRECTION';
const UNKNOWN = 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED';
const [INITIALIZER, TOKEN, HOOK] = [0, 1, 2];
const at = (index: number, field: string): string => `/graphBundle/components/${index}/${field}`;

let original: CreateRequest;
beforeAll(async () => {
  await buildBundles();
  const { bytes } = await buildInventoryRequest(fixtureInventoryInput('cedar'), inventoryMaterial());
  original = createRequestSchema.parse(parseStrictJson(bytes));
});

const templates = inventoryTemplates(INVENTORY_TEMPLATE_SET);
const component = (request: MutableRequest, index: number) => request.graphBundle.components[index]!;
const flip = (hex: string, byte: number): string =>
  `${hex.slice(0, 2 + 2 * byte)}${hex.slice(2 + 2 * byte, 4 + 2 * byte) === '00' ? '01' : '00'}${hex.slice(4 + 2 * byte)}`;

const initializerWith =
  (change: Partial<InitializerArguments>) =>
  (request: MutableRequest): void => {
    const { initializer } = templates;
    const part = component(request, INITIALIZER);
    part.constructorArgs = encodeInitializerArguments(initializer, {
      ...decodeInitializerArguments(initializer, part.constructorArgs as Hex)!,
      ...change,
    });
  };
const tokenWith =
  (change: Partial<InventoryTokenArguments>) =>
  (request: MutableRequest): void => {
    const { token } = templates;
    const part = component(request, TOKEN);
    part.constructorArgs = encodeInventoryTokenArguments(token, {
      ...decodeInventoryTokenArguments(token, part.constructorArgs as Hex)!,
      ...change,
    });
  };
const hookWith =
  (change: Partial<InventoryHookArguments>, config: Partial<FeeConfig> = {}) =>
  (request: MutableRequest): void => {
    const { hook } = templates;
    const part = component(request, HOOK);
    const given = decodeInventoryHookArguments(hook, part.constructorArgs as Hex)!;
    part.constructorArgs = encodeInventoryHookArguments(hook, {
      ...given,
      ...change,
      config: { ...given.config, ...config },
    });
  };
const model =
  (change: Partial<CreateRequest['liquidityModel']>) =>
  (request: MutableRequest): void =>
    void (request.liquidityModel = { ...request.liquidityModel, ...change });
const funding =
  (change: Partial<CreateRequest['fundingPlan']>) =>
  (request: MutableRequest): void =>
    void (request.fundingPlan = { ...request.fundingPlan, ...change });
const poolKey =
  (change: Partial<CreateRequest['graphBundle']['officialPool']['poolKey']>) =>
  (request: MutableRequest): void =>
    void (request.graphBundle.officialPool.poolKey = { ...request.graphBundle.officialPool.poolKey, ...change });

type Mutation = [string, (request: MutableRequest) => void];

describe('economics of the inventory model', () => {
  it('are recognised in a published project and have the same hash for every reader', () => {
    const verdict = recogniseEconomics(original);
    const [initializer, token, hook] = original.graphBundle.components.map(({ predictedAddress }) => predictedAddress);
    expect(verdict).toMatchObject({
      kind: 'recognised',
      recipe: { id: 'inventory.funded', version: '3' },
      economics: {
        token: { account: token, decimals: 18, supply: '21000000000000000000000000' },
        hook,
        feeVault: original.graphBundle.children[0]!.account,
        fees: {
          platformBps: 20,
          creatorBuyBps: 250,
          creatorSellBps: 0,
          platformRecipient: original.context.chainBindings.platformFeeRecipient,
        },
        pool: { fee: 0, tickSpacing: 200, tickUpper: 138_000, liquidity: original.liquidityModel.liquidity },
        inventory: { initializer, inventoryRaw: '21000000000000000000000000' },
        buy: { initialBuyWei: '10000000000000000' },
      },
    });
    expect(recogniseEconomics(thaw(original))).toEqual(verdict);
    if (verdict.kind !== 'recognised') return;
    const { inventoryRaw, settledRaw, residueRaw } = verdict.economics.inventory!;
    expect(BigInt(settledRaw) + BigInt(residueRaw)).toBe(BigInt(inventoryRaw));
  });

  it('leave the combined project unchanged, whose economics have no inventory', async () => {
    const { context } = original;
    const { request } = await packReference({
      context,
      wallet: '0x00112233445566778899aabbccddeeff00112233',
      nonce: 7n,
      validAfter: 1767225600n,
      deadline: 1767229200n,
    });
    const verdict = recogniseEconomics(request);
    expect(verdict.kind === 'recognised' && Object.keys(verdict.economics).sort()).toEqual([
      'buy',
      'feeVault',
      'fees',
      'hook',
      'pool',
      'recipe',
      'schemaVersion',
      'token',
    ]);
  });

  it.each<Mutation>([
    [
      'another initializer',
      (r) =>
        (component(r, INITIALIZER).creationBytecode = flip(component(r, INITIALIZER).creationBytecode, 900) as Hex),
    ],
    [
      'another token',
      (r) => (component(r, TOKEN).creationBytecode = flip(component(r, TOKEN).creationBytecode, 900) as Hex),
    ],
    [
      'another hook',
      (r) => (component(r, HOOK).creationBytecode = flip(component(r, HOOK).creationBytecode, 900) as Hex),
    ],
    [
      'a fourth contract',
      (r) => r.graphBundle.components.push({ ...component(r, TOKEN), componentId: 'other', roleMask: 0 }),
    ],
    ['a contract missing', (r) => r.graphBundle.components.pop()],
    [
      'two tokens and no hook',
      (r) => (r.graphBundle.components[HOOK] = { ...component(r, TOKEN), componentId: 'hook', roleMask: 2 }),
    ],
    [
      'a template set the context does not publish',
      (r) => (r.context = { ...r.context, profile: { ...r.context.profile, recipes: [] } }),
    ],
    [
      'a template set of another hash',
      (r) =>
        (r.context.profile.recipes = r.context.profile.recipes.map((recipe) => ({
          ...recipe,
          templateSetHash: `0x${'1'.repeat(64)}`,
        }))),
    ],
  ])('need evidence with %s', (_what, mutate) => {
    const request = thaw(original);
    mutate(request);
    const verdict = recogniseEconomics(request);
    expect(verdict).toMatchObject({ kind: 'unrecognised', findings: [{ code: UNKNOWN }] });
  });

  it.each<[...Mutation, string]>([
    // Role, source and runtime.
    ['the token declared as auxiliary', (r) => (component(r, TOKEN).roleMask = 0), at(TOKEN, 'roleMask')],
    [
      'the initializer as liquidity custody',
      (r) => (component(r, INITIALIZER).roleMask = 8),
      at(INITIALIZER, 'roleMask'),
    ],
    ['the hook before the token', (r) => r.graphBundle.components.reverse(), at(0, 'creationBytecode')],
    [
      'a runtime byte of the token',
      (r) => (component(r, TOKEN).expectedRuntimeCode = flip(component(r, TOKEN).expectedRuntimeCode, 5) as Hex),
      at(TOKEN, 'expectedRuntimeCode'),
    ],
    [
      'a runtime byte of the hook',
      (r) => (component(r, HOOK).expectedRuntimeCode = flip(component(r, HOOK).expectedRuntimeCode, 5) as Hex),
      at(HOOK, 'expectedRuntimeCode'),
    ],
    [
      'a shorter runtime',
      (r) =>
        (component(r, INITIALIZER).expectedRuntimeCode = component(r, INITIALIZER).expectedRuntimeCode.slice(
          0,
          -2,
        ) as Hex),
      at(INITIALIZER, 'expectedRuntimeCode'),
    ],
    [
      'another compiler version',
      (r) => (r.compilerVerification.compilationUnits[0]!.compilerVersion = '0.8.28'),
      '/compilerVerification/compilationUnits/0/compilerVersion',
    ],
    [
      'other optimizer runs',
      (r) => editStandardJson(r, (input) => ((input.settings['optimizer'] as { runs: number }).runs = 201)),
      '/compilerVerification/compilationUnits/0/standardJsonInputBase64',
    ],
    [
      'a component without its compilation',
      (r) => r.compilerVerification.components.pop(),
      '/compilerVerification/components',
    ],
    // References between contracts.
    ['another PoolManager', initializerWith({ poolManager: STRANGER }), at(INITIALIZER, 'constructorArgs')],
    ['another router to seed', initializerWith({ router: STRANGER }), at(INITIALIZER, 'constructorArgs')],
    ['an inventory for another account', tokenWith({ initializer: STRANGER }), at(TOKEN, 'constructorArgs')],
    ['a hook for another token', hookWith({ token: STRANGER }), at(HOOK, 'constructorArgs')],
    ['a hook with another initializer', hookWith({ initializer: STRANGER }), at(HOOK, 'constructorArgs')],
    ['a hook for another router', hookWith({}, { router: STRANGER }), at(HOOK, 'constructorArgs')],
    ['a hook on another PoolManager', hookWith({}, { poolManager: STRANGER }), at(HOOK, 'constructorArgs')],
    ['a platform recipient of its own', hookWith({}, { platformRecipient: STRANGER }), at(HOOK, 'constructorArgs')],
    ['no creator recipient', hookWith({}, { creatorRecipient: `0x${'0'.repeat(40)}` }), at(HOOK, 'constructorArgs')],
    ['a creator fee above 1,000 basis points', hookWith({}, { creatorBuyFeeBps: 1_001 }), at(HOOK, 'constructorArgs')],
    [
      'a creator fee its runtime does not carry',
      hookWith({}, { creatorSellFeeBps: 1 }),
      at(HOOK, 'expectedRuntimeCode'),
    ],
    [
      "trailing bytes after the token's arguments",
      (r) => (component(r, TOKEN).constructorArgs += '00'.repeat(32)),
      at(TOKEN, 'constructorArgs'),
    ],
    [
      'arguments cut short',
      (r) => (component(r, HOOK).constructorArgs = component(r, HOOK).constructorArgs.slice(0, -64) as Hex),
      at(HOOK, 'constructorArgs'),
    ],
    ['another name than its metadata', tokenWith({ name: 'Impostor' }), '/projectMetadata/name'],
    ['another symbol than its metadata', tokenWith({ symbol: 'IMP' }), '/projectMetadata/symbol'],
    // The position.
    ['no inventory', tokenWith({ inventoryRaw: 0n }), at(TOKEN, 'constructorArgs')],
    ['an inventory beyond int128', tokenWith({ inventoryRaw: 2n ** 127n }), at(TOKEN, 'constructorArgs')],
    ["an inventory above one tick's limit", tokenWith({ inventoryRaw: 2n ** 127n - 1n }), at(TOKEN, 'constructorArgs')],
    ['another inventory', tokenWith({ inventoryRaw: 10n ** 24n }), '/liquidityModel/liquidity'],
    ['ticks out of order', initializerWith({ tickLower: 138_200 }), at(INITIALIZER, 'constructorArgs')],
    ['misaligned ticks', initializerWith({ tickLower: 46_100 }), at(INITIALIZER, 'constructorArgs')],
    ['the maximum tick', initializerWith({ tickUpper: 887_272 }), at(INITIALIZER, 'constructorArgs')],
    ['another lower tick than declared', initializerWith({ tickLower: 46_200 }), '/liquidityModel/tickLower'],
    ['another upper tick than declared', initializerWith({ tickUpper: 138_200 }), '/liquidityModel/tickUpper'],
    ['another spacing than declared', hookWith({ tickSpacing: 100 }), '/liquidityModel/tickSpacing'],
    ['another declared liquidity', model({ liquidity: '1' }), '/liquidityModel/liquidity'],
    [
      'one unit of liquidity less',
      (r) => model({ liquidity: (BigInt(r.liquidityModel.liquidity) - 1n).toString() })(r),
      '/liquidityModel/liquidity',
    ],
    ['another liquidity model', model({ kind: 'service.combined-native20.fixed-range.v1' }), '/liquidityModel/kind'],
    [
      'another start price',
      (r) => (r.graphBundle.officialPool.sqrtPriceX96 = '79228162514264337593543950336'),
      '/graphBundle/officialPool/sqrtPriceX96',
    ],
    // Pool, vault and funding.
    ['an LP fee', poolKey({ fee: 3_000 }), '/graphBundle/officialPool/poolKey/fee'],
    ['another pool token', poolKey({ currency1: STRANGER }), '/graphBundle/officialPool/poolKey/currency1'],
    ['another pool hook', poolKey({ hooks: STRANGER }), '/graphBundle/officialPool/poolKey/hooks'],
    ['a token as first currency', poolKey({ currency0: STRANGER }), '/graphBundle/officialPool/poolKey/currency0'],
    ['no declared vault', (r) => (r.graphBundle.children = []), '/graphBundle/children'],
    [
      'two children',
      (r) => r.graphBundle.children.push({ ...r.graphBundle.children[0]!, account: STRANGER }),
      '/graphBundle/children',
    ],
    [
      'a vault of the token',
      (r) => (r.graphBundle.children[0]!.parentIndex = TOKEN),
      '/graphBundle/children/0/parentIndex',
    ],
    [
      'a vault at another nonce',
      (r) => (r.graphBundle.children[0]!.account = childAddress(component(r, HOOK).predictedAddress as Hex, 2n)),
      '/graphBundle/children/0/account',
    ],
    [
      'a vault of other code',
      (r) => (r.graphBundle.children[0]!.runtimeCodeHash = `0x${'1'.repeat(64)}`),
      '/graphBundle/children/0/runtimeCodeHash',
    ],
    ['a vault in another role', (r) => (r.graphBundle.children[0]!.roleMask = 8), '/graphBundle/children/0/roleMask'],
    ['a native seed', funding({ nativeLiquidityWei: '1' }), '/fundingPlan/nativeLiquidityWei'],
    ['a buy without a minimum', funding({ minimumTokensOut: '0' }), '/fundingPlan/minimumTokensOut'],
    ['a minimum without a buy', funding({ initialBuyWei: '0' }), '/fundingPlan/minimumTokensOut'],
    ['more value than the buy', (r) => (r.funding = { totalValueWei: '10000000000000001' }), '/funding/totalValueWei'],
  ])('need corrected bindings with %s', (_what, mutate, path) => {
    const request = thaw(original);
    mutate(request);
    const verdict = recogniseEconomics(request);
    expect(verdict.kind).toBe('bindings');
    if (verdict.kind !== 'bindings') return;
    expect(verdict.findings.map((finding) => finding.path)).toContain(path);
    expect(new Set(verdict.findings.map((finding) => finding.code))).toEqual(new Set([BINDINGS]));
  });
});

describe("a refusal of the inventory model's contracts", () => {
  const refusal = finding('RUNTIME_BYTECODE_MISMATCH', '/graphBundle/components/1/expectedRuntimeCode');
  const codesAfter = (request: CreateRequest, ...findings: Finding[]): string[] =>
    withInventoryBindings(request, findings).map(({ code }) => code);

  it('reports that bindings need correction, and names those that the recipe knows', () => {
    expect(withInventoryBindings(original, [refusal])).toEqual([
      refusal,
      expect.objectContaining({ code: BINDINGS, path: '/graphBundle/components' }),
    ]);
    const request = thaw(original);
    component(request, TOKEN).roleMask = 2;
    expect(withInventoryBindings(request, [refusal]).map(({ path }) => path)).toEqual([
      refusal.path,
      at(TOKEN, 'roleMask'),
    ]);
  });

  it('is silent without a refusal, for a fault elsewhere, and when no evidence could override it', () => {
    expect(codesAfter(original)).toEqual([]);
    expect(codesAfter(original, finding('PERMIT_EXPIRED', '/permitWindow/deadline'))).toEqual(['PERMIT_EXPIRED']);
    expect(codesAfter(original, refusal, finding('MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', refusal.path))).not.toContain(
      BINDINGS,
    );
  });

  it('is silent about code outside of the model', () => {
    const request = thaw(original);
    component(request, HOOK).creationBytecode = flip(component(request, HOOK).creationBytecode, 900) as Hex;
    expect(codesAfter(request, refusal)).toEqual([refusal.code]);
    const unpublished = thaw(original);
    unpublished.context = { ...unpublished.context, profile: { ...unpublished.context.profile, recipes: [] } };
    expect(codesAfter(unpublished, refusal)).toEqual([refusal.code]);
  });
});
