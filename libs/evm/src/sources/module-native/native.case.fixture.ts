import type { Abi } from 'viem';
import type { Hex } from '../../encoding/hex.js';
import { eventCodec, type DecodedEvent } from '../../events/event-codec.js';
import type { AbiValue } from '../../events/abi-values.js';
import {
  account,
  receiptOf,
  SOURCE,
  talkativeToken,
  word,
  type AskedContract,
  type SourceCase,
} from '../fixtures/source-case.fixture.js';
import type { SourceAdapter } from '../source-adapter.js';
import { TOKEN_METADATA_ABI } from '../token-display.js';
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
import { ENGINE_V1_NAMES, NATIVE_V1_NAMES, NATIVE_V2_NAMES, type NativeNames } from './module-native.abi.js';
import { MODULE_ENGINE_V1, MODULE_NATIVE_V1, MODULE_NATIVE_V2 } from './native.adapter.js';

export const RECIPE: NativeRecipe = {
  salt: word('5a'),
  name: textBytes('Blue Token'),
  symbol: textBytes('BLUE'),
  totalSupply: 10n ** 27n,
  metadata: {
    description: textBytes('a blue token'),
    website: textBytes('https://blue.example'),
    image: textBytes('ipfs://image'),
    extraData: '0x',
  },
  modules: [
    { packageId: word('a1'), familyId: word('f1'), instance: account('11'), configuration: '0x0102' },
    { packageId: word('a2'), familyId: word('f2'), instance: account('12'), configuration: '0x' },
  ],
  tickLower: -887_220,
  tickUpper: 120,
  sqrtPriceX96: 79_703_368_147_083_832_895_430_371_328n,
  creatorBuyFeeBps: 100,
  creatorSellFeeBps: 200,
  creatorFeeRecipient: account('cc'),
};

const NAMES = new Map<SourceAdapter, NativeNames>([
  [MODULE_NATIVE_V1, NATIVE_V1_NAMES],
  [MODULE_NATIVE_V2, NATIVE_V2_NAMES],
  [MODULE_ENGINE_V1, ENGINE_V1_NAMES],
]);
const WALLET = account('e0');
const TOKEN = account('70');
const CODES = { token: word('07'), [account('11')]: word('d1'), [account('12')]: word('d2') } as const;

/** Returns a launch of a recipe by a native launcher; `change` may change the arguments of its events. */
export function nativeCase(
  adapter: SourceAdapter,
  recipe: NativeRecipe = RECIPE,
  change: (event: keyof NativeNames, args: Readonly<Record<string, AbiValue>>) => Readonly<Record<string, AbiValue>> = (
    _,
    args,
  ) => args,
): SourceCase {
  const names = NAMES.get(adapter)!;
  const bytes = encodeRecipe(recipe);
  const launched = { launcher: SOURCE.address, chainId: 4663n, domain: adapter.sourceVersion };
  const key = launchKey(WALLET, recipe.salt);
  const launchId = nativeLaunchId({ ...launched, launchKey: key, recipeHash: recipeHash(bytes) });
  const hashes = recipe.modules.map((module, index) =>
    instanceHash(launchId, index, module, (CODES as Record<Hex, Hex>)[module.instance]!),
  );
  const bound = {
    metadataHash: metadataHash(recipe.name, recipe.symbol, recipe.metadata),
    configurationHash: configurationHash(recipe.modules),
  };
  const program = programHash(recipe.modules, hashes);
  const common = { launchId, token: TOKEN };
  const place = { poolManager: account('77'), poolId: word('99'), hook: account('40') };
  const args: Readonly<Record<keyof NativeNames, Readonly<Record<string, AbiValue>>>> = {
    launched: {
      ...common,
      launchWallet: WALLET,
      ...place,
      recipeHash: recipeHash(bytes),
      launchKey: key,
      ...(adapter === MODULE_NATIVE_V2 ? { protocolFeeBps: 20 } : {}),
    },
    programBound: {
      ...common,
      runtime: account('60'),
      programHash: program,
      packageIds: recipe.modules.map(({ packageId }) => packageId),
      familyIds: recipe.modules.map(({ familyId }) => familyId),
      instances: recipe.modules.map(({ instance }) => instance),
      instanceHashes: hashes,
    },
    configurationBound: { ...common, ...bound, recipe: bytes },
    tokenIdentityBound: {
      ...common,
      tokenCodeHash: CODES.token,
      name: recipe.name,
      symbol: recipe.symbol,
      decimals: 18,
      totalSupply: recipe.totalSupply,
    },
  };
  const wanted: readonly string[] = Object.values(names);
  const events = eventCodec<DecodedEvent>(adapter.abi, (name) => wanted.includes(name));
  const launcher: AskedContract = {
    abi: adapter.abi,
    codeHash: SOURCE.runtimeCodeHash,
    answers: {
      launchIdentityVersion: () => (adapter === MODULE_NATIVE_V2 ? 2n : 1n),
      getLaunch: () => [launchId, WALLET, place.hook, place.poolManager, place.poolId, recipeHash(bytes)],
      getLaunchIdentity: () => [launchId, key, program, bound.configurationHash, bound.metadataHash, account('60')],
    },
  };
  return {
    adapter,
    source: {
      ...SOURCE,
      sourceVersion: adapter.sourceVersion,
      contracts: { poolManager: { address: account('77'), runtimeCodeHash: SOURCE.runtimeCodeHash } },
    },
    receipt: receiptOf(
      (['launched', 'programBound', 'configurationBound', 'tokenIdentityBound'] as const).map((part) => ({
        address: SOURCE.address,
        ...events.encode({ event: names[part], args: change(part, args[part]) }),
      })),
    ),
    contracts: {
      [SOURCE.address]: launcher,
      [TOKEN]: talkativeToken(CODES.token),
      ...Object.fromEntries(
        recipe.modules.map(({ instance }) => [
          instance,
          { abi: TOKEN_METADATA_ABI as Abi, codeHash: (CODES as Record<Hex, Hex>)[instance]!, answers: {} },
        ]),
      ),
    },
  };
}
