import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateRequest } from '@launch/contracts/multi-role';
import {
  childAddress,
  decodeNative20Arguments,
  encodeNative20Arguments,
  NATIVE20_TEMPLATE_SET,
  recogniseEconomics,
  type Hex,
} from '@launch/evm';
import { fixtureContext } from '../../../clients/multi-role/src/fixtures/launch-context.fixture.js';
import { editStandardJson, packReference, thaw, type MutableRequest } from './index.js';

const WALLET = '0x00112233445566778899aabbccddeeff00112233';
let original: CreateRequest;

beforeAll(async () => {
  ({ request: original } = await packReference({
    context: fixtureContext(),
    wallet: WALLET,
    nonce: 7n,
    validAfter: 1767225600n,
    deadline: 1767229200n,
    referenceCase: 'buy',
  }));
});

const template = NATIVE20_TEMPLATE_SET.contracts[0]!;
const withArguments = (request: MutableRequest, change: Record<string, unknown>): void => {
  const component = request.graphBundle.components[0]!;
  const parameters = decodeNative20Arguments(template, component.constructorArgs as Hex);
  if (parameters === null) throw new Error('the reference does not decode');
  component.constructorArgs = encodeNative20Arguments(template, { ...parameters, ...change });
};
const flip = (hex: string, byte: number): string =>
  `${hex.slice(0, 2 + 2 * byte)}${hex.slice(2 + 2 * byte, 4 + 2 * byte) === '00' ? '01' : '00'}${hex.slice(4 + 2 * byte)}`;

describe('economics of the combined Native20 recipe', () => {
  it('are recognised in the reference and have the same hash for every reader', () => {
    const verdict = recogniseEconomics(original);
    expect(verdict).toMatchObject({
      kind: 'recognised',
      recipe: { id: 'native20.combined', version: '1' },
      economics: {
        token: { account: original.graphBundle.components[0]!.predictedAddress, decimals: 18 },
        fees: { platformBps: 20, platformRecipient: original.context.chainBindings.platformFeeRecipient },
        pool: { fee: 0, tickSpacing: 60, liquidity: original.liquidityModel.liquidity },
        buy: { initialBuyWei: '10000000000000000' },
      },
    });
    expect(recogniseEconomics(thaw(original))).toEqual(verdict);
  });

  it.each<[string, (request: MutableRequest) => void]>([
    [
      'one byte of creation code',
      (r) =>
        (r.graphBundle.components[0]!.creationBytecode = flip(
          r.graphBundle.components[0]!.creationBytecode,
          900,
        ) as Hex),
    ],
    [
      'one byte of runtime outside the immutables',
      (r) =>
        (r.graphBundle.components[0]!.expectedRuntimeCode = flip(
          r.graphBundle.components[0]!.expectedRuntimeCode,
          5,
        ) as Hex),
    ],
    ['another compiler version', (r) => (r.compilerVerification.compilationUnits[0]!.compilerVersion = '0.8.28')],
    [
      'other optimizer runs',
      (r) => editStandardJson(r, (input) => ((input.settings['optimizer'] as { runs: number }).runs = 201)),
    ],
    ['another EVM version', (r) => editStandardJson(r, (input) => (input.settings['evmVersion'] = 'shanghai'))],
    [
      'a template set the context does not publish',
      (r) => (r.context = { ...r.context, profile: { ...r.context.profile, recipes: [] } }),
    ],
    ['another role', (r) => (r.graphBundle.components[0]!.roleMask = 1)],
    [
      'a second component',
      (r) => r.graphBundle.components.push({ ...r.graphBundle.components[0]!, componentId: 'other', roleMask: 0 }),
    ],
  ])('need evidence with %s', (_what, mutate) => {
    const request = thaw(original);
    mutate(request);
    const verdict = recogniseEconomics(request);
    expect(verdict.kind).toBe('unrecognised');
    expect(verdict).toMatchObject({ findings: [{ code: 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED' }] });
  });

  it.each<[string, (request: MutableRequest) => void, string]>([
    [
      'a platform fee recipient of its own',
      (r) => withArguments(r, { platformRecipient: WALLET }),
      '/graphBundle/components/0/constructorArgs',
    ],
    [
      'another PoolManager',
      (r) => withArguments(r, { poolManager: WALLET }),
      '/graphBundle/components/0/constructorArgs',
    ],
    ['another router', (r) => withArguments(r, { router: WALLET }), '/graphBundle/components/0/constructorArgs'],
    [
      'no creator recipient',
      (r) => withArguments(r, { creatorRecipient: `0x${'0'.repeat(40)}` }),
      '/graphBundle/components/0/constructorArgs',
    ],
    [
      'a creator fee its runtime does not carry',
      (r) => withArguments(r, { creatorBuyFeeBps: 999 }),
      '/graphBundle/components/0/expectedRuntimeCode',
    ],
    ['another supply', (r) => withArguments(r, { supply: 1n }), '/liquidityModel/liquidity'],
    ['ticks out of order', (r) => withArguments(r, { tickLower: 184_260 }), '/liquidityModel/tickLower'],
    [
      'trailing bytes after its arguments',
      (r) => (r.graphBundle.components[0]!.constructorArgs += '00'.repeat(32)),
      '/graphBundle/components/0/constructorArgs',
    ],
    [
      'another name than its metadata',
      (r) => (r.projectMetadata = { ...r.projectMetadata, name: 'Impostor' }),
      '/projectMetadata/name',
    ],
    [
      'another symbol than its metadata',
      (r) => (r.projectMetadata = { ...r.projectMetadata, symbol: 'IMP' }),
      '/projectMetadata/symbol',
    ],
    [
      'another liquidity',
      (r) => (r.liquidityModel = { ...r.liquidityModel, liquidity: '1' }),
      '/liquidityModel/liquidity',
    ],
    [
      'another start price',
      (r) => (r.graphBundle.officialPool = { ...r.graphBundle.officialPool, sqrtPriceX96: '1' }),
      '/graphBundle/officialPool/sqrtPriceX96',
    ],
    [
      'an unknown liquidity model',
      (r) => (r.liquidityModel = { ...r.liquidityModel, kind: 'other' }),
      '/liquidityModel/kind',
    ],
    ['no declared vault', (r) => (r.graphBundle.children = []), '/graphBundle/children'],
    [
      'a vault at another nonce',
      (r) =>
        (r.graphBundle.children[0]!.account = childAddress(r.graphBundle.components[0]!.predictedAddress as Hex, 2n)),
      '/graphBundle/children/0/account',
    ],
    [
      'a vault of other code',
      (r) => (r.graphBundle.children[0]!.runtimeCodeHash = `0x${'1'.repeat(64)}`),
      '/graphBundle/children/0/runtimeCodeHash',
    ],
    [
      'native seed liquidity',
      (r) => (r.fundingPlan = { ...r.fundingPlan, nativeLiquidityWei: '1' }),
      '/fundingPlan/nativeLiquidityWei',
    ],
    ['an LP fee', (r) => (r.graphBundle.officialPool.poolKey.fee = 3000), '/graphBundle/officialPool/poolKey/fee'],
  ])('need corrected bindings with %s', (_what, mutate, path) => {
    const request = thaw(original);
    mutate(request);
    const verdict = recogniseEconomics(request);
    expect(verdict.kind).toBe('bindings');
    if (verdict.kind !== 'bindings') return;
    expect(verdict.findings.map((finding) => finding.path)).toContain(path);
    expect(new Set(verdict.findings.map((finding) => finding.code))).toEqual(
      new Set(['MULTI_ROLE_NATIVE20_BINDINGS_REQUIRE_CORRECTION']),
    );
  });
});
