/** Creates the published packer reference from the compiled artifacts: same artifacts, same bytes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closureOf } from './closure.mjs';
import { referenceImage } from './reference-image.mjs';

const sha256 = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const COMPILATION_UNIT = 'native20';
const IMAGE_PATH = 'assets/native20.png';
/** 0.01 ether (docs/reference/multi-role.md#reference-inputs). */
const BUY_WEI = '10000000000000000';
/** The purchase brings about 985,000 tokens at the starting price after both fees. Below this minimum the launch must fail. */
const BUY_MINIMUM_TOKENS = '950000000000000000000000';
const MAX_GAS_COST_WEI = '50000000000000000';

/** beforeInitialize, both liquidity guards, both sides of a swap and their two return deltas. */
const HOOK_FLAGS = 0x2acc;

function template(artifact) {
  return {
    target: { compilationUnitId: COMPILATION_UNIT, path: artifact.path, contract: artifact.contract },
    creationBytecode: artifact.creationCode,
    runtimeTemplate: artifact.runtimeCode,
    immutables: artifact.immutables.map(({ name, declaredIn, type, offsets }) => ({ name, declaredIn, type, offsets })),
    constructorInputs: artifact.abi.find(({ type }) => type === 'constructor').inputs,
  };
}

function funding(initialBuyWei, minimumTokensOut) {
  return {
    totalValueWei: initialBuyWei,
    plan: { initialBuyWei, minimumTokensOut, nativeLiquidityWei: '0', maxGasCostWei: MAX_GAS_COST_WEI },
  };
}

/**
 * @param {string} artifactsDir the folder `solidity/artifacts`
 * @param {{recipe: {id: string, version: string}, compilerVersion: string}} templateSet the reviewed recipe
 */
export function makeReference(artifactsDir, templateSet) {
  const read = (name) => readFileSync(join(artifactsDir, name));
  const artifact = (contract) => JSON.parse(read(`${contract}.json`).toString('utf8'));
  const standardJson = read('native20-standard-json.json');
  const image = referenceImage();
  return {
    schemaVersion: 'service.multi-role-request-packer-reference.v2',
    project: {
      recipe: templateSet.recipe,
      parameters: {
        supply: (10n ** 27n).toString(),
        tickLower: 60_000,
        tickUpper: 184_200,
        tickSpacing: 60,
        creatorBuyFeeBps: 100,
        creatorSellFeeBps: 200,
      },
      component: { componentId: 'native20', roleMask: 3, template: template(artifact('Native20')) },
      child: { roleMask: 16, createNonce: 1, template: template(artifact('FeeVault')) },
      hookFlags: HOOK_FLAGS,
    },
    compiler: {
      compilationUnitId: COMPILATION_UNIT,
      compilerVersion: templateSet.compilerVersion,
      standardJsonInputSha256: sha256(standardJson),
      standardJsonInputBase64: standardJson.toString('base64'),
    },
    source: {
      publicOrigin: 'https://native20.example/source',
      imagePath: IMAGE_PATH,
      additionalFiles: [{ path: IMAGE_PATH, base64: image.bytes.toString('base64') }],
    },
    projectMetadata: {
      name: 'Native20 Reference',
      symbol: 'N20REF',
      description:
        'The combined reference project: a fixed-supply token that is its own pool hook, seeded once with its whole supply.',
      links: [{ label: 'Website', url: 'https://native20.example/' }],
      image: {
        mediaType: image.mediaType,
        width: image.width,
        height: image.height,
        byteLength: image.bytes.length,
        sha256: sha256(image.bytes),
      },
    },
    cases: { zero: funding('0', '0'), buy: funding(BUY_WEI, BUY_MINIMUM_TOKENS) },
    closure: closureOf(
      JSON.parse(standardJson.toString('utf8')).sources,
      JSON.parse(read('native20-notices.json').toString('utf8')),
    ),
  };
}
