import type { Hex } from '../../encoding/hex.js';
import { account, word } from '../fixtures/source-case.fixture.js';
import {
  configurationHash,
  encodeRecipe,
  instanceHash,
  launchKey,
  metadataHash,
  nativeLaunchId,
  programHash,
  recipeHash,
  textBytes,
  type NativeRecipe,
} from './commitments.js';
import { RECIPE } from './native.case.fixture.js';

/** One recipe of one wallet and every commitment of a source to it. */
export interface NativeVector {
  readonly what: string;
  readonly domain: string;
  readonly chainId: string;
  readonly launcher: Hex;
  readonly launchWallet: Hex;
  readonly recipe: Hex;
  /** The code hash of each module's instance, in order. */
  readonly instanceCodeHashes: readonly Hex[];
  readonly expected: {
    readonly recipeHash: Hex;
    readonly launchKey: Hex;
    readonly launchId: Hex;
    readonly instanceHashes: readonly Hex[];
    readonly programHash: Hex;
    readonly configurationHash: Hex;
    readonly metadataHash: Hex;
  };
}
export interface NativeVectors {
  readonly schemaVersion: 'service.module-native-vectors.v1';
  readonly cases: readonly NativeVector[];
}

const CASES: readonly (readonly [string, Partial<NativeRecipe>, string])[] = [
  ['two modules', {}, 'module-native-v1'],
  ['two modules of V2', {}, 'module-native-v2'],
  ['two modules of an engine', {}, 'module-engine-v1'],
  ['no module', { modules: [] }, 'module-native-v1'],
  ['another salt', { salt: word('5b') }, 'module-native-v1'],
  ['modules in another order', { modules: [...RECIPE.modules].reverse() }, 'module-native-v1'],
  [
    'one family twice',
    { modules: RECIPE.modules.map((one) => ({ ...one, familyId: word('f1') })) },
    'module-native-v1',
  ],
  ['text beyond ASCII', { name: textBytes('Größe 漢字'), symbol: textBytes('😀') }, 'module-native-v1'],
  ['text that is no UTF-8', { name: '0xff', symbol: '0x610062' }, 'module-native-v1'],
  ['empty text', { name: '0x', symbol: '0x' }, 'module-native-v1'],
  ['extra data', { metadata: { ...RECIPE.metadata, extraData: textBytes('{"v":1}') } }, 'module-native-v1'],
  [
    'a long configuration',
    { modules: [{ ...RECIPE.modules[0]!, configuration: `0x${'ab'.repeat(1_000)}` }] },
    'module-native-v1',
  ],
  [
    'the largest numbers',
    {
      totalSupply: 2n ** 256n - 1n,
      tickLower: -8_388_608,
      tickUpper: 8_388_607,
      sqrtPriceX96: 2n ** 160n - 1n,
      creatorBuyFeeBps: 65_535,
    },
    'module-native-v1',
  ],
];

export const vectorsOf = (): NativeVectors => ({
  schemaVersion: 'service.module-native-vectors.v1',
  cases: CASES.map(([what, change, domain]) => vectorOf(what, { ...RECIPE, ...change }, domain)),
});

function vectorOf(what: string, recipe: NativeRecipe, domain: string): NativeVector {
  const launcher = account('5f');
  const launchWallet = account('e0');
  const bytes = encodeRecipe(recipe);
  const key = launchKey(launchWallet, recipe.salt);
  const hash = recipeHash(bytes);
  const launchId = nativeLaunchId({ domain, chainId: 4663n, launcher, launchKey: key, recipeHash: hash });
  const instanceCodeHashes = recipe.modules.map((_, index) => word(`d${index + 1}`));
  const instanceHashes = recipe.modules.map((module, index) =>
    instanceHash(launchId, index, module, instanceCodeHashes[index]!),
  );
  return {
    what,
    domain,
    chainId: '4663',
    launcher,
    launchWallet,
    recipe: bytes,
    instanceCodeHashes,
    expected: {
      recipeHash: hash,
      launchKey: key,
      launchId,
      instanceHashes,
      programHash: programHash(recipe.modules, instanceHashes),
      configurationHash: configurationHash(recipe.modules),
      metadataHash: metadataHash(recipe.name, recipe.symbol, recipe.metadata),
    },
  };
}
