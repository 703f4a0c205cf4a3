import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import { packErrorSchema, type PackConfig } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { packRefusalOf } from '../fixtures/pack-refusal.fixture.js';
import { fixtureConfig } from '../fixtures/reference.fixture.js';

// Builds, mines and starts processes, which exceeds a unit test's timeout on a busy machine.
jest.setTimeout(180_000);

const SECRET = 'sk-live-5f1e9c';
const OTHER_WORD = `0x${'9'.repeat(64)}`;
const OTHER_ADDRESS = `0x${'9'.repeat(40)}`;

let zero: PackConfig;
beforeAll(async () => {
  zero = await fixtureConfig('zero');
});

/** Changes the Standard JSON of a configuration's first unit. */
function editUnit(
  config: PackConfig,
  edit: (input: { sources: Record<string, { content?: string; urls?: string[] }> }) => void,
): void {
  const unit = config.compiler.compilationUnits[0]!;
  const input = JSON.parse(Buffer.from(unit.standardJsonInputBase64, 'base64').toString('utf8'));
  edit(input);
  unit.standardJsonInputBase64 = Buffer.from(JSON.stringify(input)).toString('base64');
}

describe('configurations that contradict their schema or themselves', () => {
  type Mutation = (config: PackConfig) => void;
  const component = (config: PackConfig) => config.graphBundle.components[0]!;
  const table: [string, Mutation, string, RegExp][] = [
    ['an unknown field', (c) => void Object.assign(c, { [SECRET]: SECRET }), '', /closed/],
    ['an unknown inner field', (c) => void Object.assign(c.source, { [SECRET]: SECRET }), '/source', /closed/],
    ['a missing field', (c) => void Reflect.deleteProperty(c, 'attestation'), '/attestation', /missing/],
    [
      'the inert schema',
      (c) => void Object.assign(c, { schemaVersion: 'service.multi-role-request-inert-pack-config.v2' }),
      '/schemaVersion',
      /accepted values/,
    ],
    ['a nonce with a leading zero', (c) => void (c.nonce = '07'), '/nonce', /canonical decimal/],
    ['a nonce beyond uint256', (c) => void (c.nonce = (2n ** 256n).toString()), '/nonce', /uint256/],
    [
      'a checksummed wallet',
      (c) => void (c.launchWallet = '0x00112233445566778899AABBCCDDEEFF00112233'),
      '/launchWallet',
      /lowercase/,
    ],
    [
      'a path that climbs',
      (c) => void (c.source.additionalFiles[0]!.path = `../${SECRET}`),
      '/source/additionalFiles/0/path',
      /segments/,
    ],
    [
      'base64 with stray bits',
      (c) => void c.source.additionalFiles.push({ path: 'a', base64: 'AB==' }),
      '/source/additionalFiles/1/base64',
      /not canonical base64/,
    ],
    [
      'one file path twice',
      (c) => void c.source.additionalFiles.push({ ...c.source.additionalFiles[0]! }),
      '/source/additionalFiles/1/path',
      /SOURCE_MANIFEST_MISMATCH/,
    ],
    [
      'an image path without a file',
      (c) => void (c.source.imagePath = 'assets/other.png'),
      '/source/imagePath',
      /IMAGE_MISMATCH/,
    ],
    [
      'an image of another length',
      (c) => void (c.projectMetadata.image.byteLength += 1),
      '/projectMetadata/image/byteLength',
      /IMAGE_MISMATCH/,
    ],
    [
      'an image with another digest',
      (c) => void (c.projectMetadata.image.sha256 = `sha256:${'0'.repeat(64)}`),
      '/projectMetadata/image/sha256',
      /IMAGE_MISMATCH/,
    ],
    [
      'another source digest in the graph',
      (c) => void (c.graphBundle.sourceBundleSha256 = `sha256:${'0'.repeat(64)}`),
      '/graphBundle/sourceBundleSha256',
      /SOURCE_BUNDLE_HASH_MISMATCH/,
    ],
    [
      'a source that changed',
      (c) => editUnit(c, ({ sources }) => void (sources['src/native20/Native20.sol']!.content += SECRET)),
      '/graphBundle/sourceBundleSha256',
      /SOURCE_BUNDLE_HASH_MISMATCH/,
    ],
    [
      'a source by url',
      (c) => editUnit(c, ({ sources }) => void (sources['src/native20/Native20.sol'] = { urls: [SECRET] })),
      '/compiler/compilationUnits/0/standardJsonInputBase64',
      /COMPILER_INPUT_INVALID/,
    ],
    [
      'a compiler input that is no JSON',
      (c) => void (c.compiler.compilationUnits[0]!.standardJsonInputBase64 = Buffer.from(SECRET).toString('base64')),
      '/compiler/compilationUnits/0/standardJsonInputBase64',
      /COMPILER_INPUT_INVALID/,
    ],
    [
      'a compiler the context does not publish',
      (c) => void (c.compiler.compilationUnits[0]!.compilerVersion = '0.8.25'),
      '/compiler/compilationUnits/0/compilerVersion',
      /COMPILER_VERSION_UNSUPPORTED/,
    ],
    [
      'a target in no unit',
      (c) => void (c.compiler.components[0]!.target.compilationUnitId = 'other'),
      '/compiler/components/0/target/compilationUnitId',
      /COMPILER_TARGET_MISSING/,
    ],
    [
      'a target at no source',
      (c) => void (c.compiler.components[0]!.target.path = 'src/Other.sol'),
      '/compiler/components/0/target/path',
      /COMPILER_TARGET_MISSING/,
    ],
    [
      'a compilation of another component',
      (c) => void (c.compiler.components[0]!.componentId = 'other'),
      '/graphBundle/components/0/componentId',
      /COMPILER_TARGET_MISSING/,
    ],
    [
      'another hash of the arguments',
      (c) => void (c.compiler.components[0]!.constructor.argumentsHash = OTHER_WORD as Hex),
      '/compiler/components/0/constructor/argumentsHash',
      /CONSTRUCTOR_ARGUMENTS_MISMATCH/,
    ],
    [
      'other arguments',
      (c) => void (component(c).constructorArgs += '00'),
      '/graphBundle/components/0/predictedAddress',
      /GRAPH_ADDRESS_MISMATCH/,
    ],
    [
      'other creation code',
      (c) => void (component(c).creationBytecode += '00'),
      '/graphBundle/components/0/predictedAddress',
      /GRAPH_ADDRESS_MISMATCH/,
    ],
    [
      'another predicted address',
      (c) => void (component(c).predictedAddress = OTHER_ADDRESS as Hex),
      '/graphBundle/components/0/predictedAddress',
      /GRAPH_ADDRESS_MISMATCH/,
    ],
    [
      'another runtime',
      (c) => void (component(c).expectedRuntimeCode += '00'),
      '/graphBundle/components/0/expectedRuntimeCodeHash',
      /GRAPH_RUNTIME_HASH_MISMATCH/,
    ],
    [
      'another runtime hash',
      (c) => void (component(c).expectedRuntimeCodeHash = OTHER_WORD as Hex),
      '/graphBundle/components/0/expectedRuntimeCodeHash',
      /GRAPH_RUNTIME_HASH_MISMATCH/,
    ],
    [
      'the salt of another launch',
      (c) => void (component(c).salt = OTHER_WORD as Hex),
      '/graphBundle/components/0/salt',
      /GRAPH_SALT_CONTROLLER_MISMATCH/,
    ],
    [
      'another wallet',
      (c) => void (c.launchWallet = OTHER_ADDRESS as Hex),
      '/graphBundle/components/0/salt',
      /GRAPH_SALT_CONTROLLER_MISMATCH/,
    ],
    [
      'a graph without a hook',
      (c) => void (component(c).roleMask = 1),
      '/graphBundle/components',
      /GRAPH_ROLES_INVALID/,
    ],
    [
      'a child of no component',
      (c) => void (c.graphBundle.children[0]!.parentIndex = 3),
      '/graphBundle/children/0/parentIndex',
      /GRAPH_CHILD_INVALID/,
    ],
    [
      'a child at another address',
      (c) => void (c.graphBundle.children[0]!.account = OTHER_ADDRESS as Hex),
      '/graphBundle/children/0/account',
      /GRAPH_CHILD_INVALID/,
    ],
    [
      'an account listed twice',
      (c) => void c.externalContracts.push({ ...c.externalContracts[0]! }),
      '/externalContracts/1/account',
      /GRAPH_INVALID/,
    ],
    [
      'a pool of another token',
      (c) => void (c.graphBundle.officialPool.poolKey.currency1 = OTHER_ADDRESS as Hex),
      '/graphBundle/officialPool/poolKey/currency1',
      /GRAPH_POOL_INVALID/,
    ],
    [
      'a pool with an LP fee',
      (c) => void (c.graphBundle.officialPool.poolKey.fee = 3000),
      '/graphBundle/officialPool/poolKey/fee',
      /GRAPH_POOL_INVALID/,
    ],
    [
      'a pool of another spacing',
      (c) => void (c.graphBundle.officialPool.poolKey.tickSpacing = 30),
      '/graphBundle/officialPool/poolKey/tickSpacing',
      /GRAPH_POOL_INVALID/,
    ],
    [
      'a range off its spacing',
      (c) => void (c.liquidityModel.tickLower += 1),
      '/liquidityModel/tickLower',
      /GRAPH_POOL_INVALID/,
    ],
    [
      'an empty range',
      (c) => void (c.liquidityModel.tickLower = c.liquidityModel.tickUpper),
      '/liquidityModel/tickLower',
      /GRAPH_POOL_INVALID/,
    ],
    [
      'a total that is no sum',
      (c) => void (c.funding.totalValueWei = '1'),
      '/funding/totalValueWei',
      /FUNDING_TOTAL_MISMATCH/,
    ],
    [
      'a minimum without a buy',
      (c) => void (c.fundingPlan.minimumTokensOut = '1'),
      '/fundingPlan/minimumTokensOut',
      /FUNDING_INVALID/,
    ],
    [
      'native liquidity',
      (c) =>
        void Object.assign(c, {
          funding: { totalValueWei: '5' },
          fundingPlan: { ...c.fundingPlan, nativeLiquidityWei: '5' },
        }),
      '/fundingPlan/nativeLiquidityWei',
      /FUNDING_INVALID/,
    ],
  ];
  it.each(table)('%s', (_title, mutate, path, message) => {
    const config = structuredClone(zero);
    config.attestation.agentId = SECRET;
    mutate(config);
    const refusal = packRefusalOf(canonicalizeJson(config));
    const body = refusal.toBody();
    expect(packErrorSchema.parse(body)).toEqual(body);
    expect(body.code).toBe('MULTI_ROLE_PACK_CONFIG_INVALID');
    expect(body.findings).toContainEqual({ path, message: expect.stringMatching(message) });
    const text = JSON.stringify(body);
    for (const echoed of [SECRET, 'pragma solidity', config.projectMetadata.description])
      expect(text).not.toContain(echoed);
  });

  it.each(['abc', '1e9', '0x7', '-1', ''])('a nonce %j that is not a number', (nonce) => {
    const refusal = packRefusalOf(canonicalizeJson({ ...zero, nonce }));
    expect(refusal).toMatchObject({ code: 'MULTI_ROLE_PACK_CONFIG_INVALID', exitCode: 3 });
  });

  it('names every contradiction at once', () => {
    const config = structuredClone(zero);
    config.funding.totalValueWei = '1';
    component(config).expectedRuntimeCodeHash = OTHER_WORD as Hex;
    config.projectMetadata.image.byteLength += 1;
    expect(
      packRefusalOf(canonicalizeJson(config))
        .findings.map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/funding/totalValueWei',
      '/graphBundle/components/0/expectedRuntimeCodeHash',
      '/projectMetadata/image/byteLength',
    ]);
  });
});
