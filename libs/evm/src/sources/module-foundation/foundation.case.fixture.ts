import type { FoundationFactoryVersion } from '@launch/contracts/index';
import type { Hex } from '../../encoding/hex.js';
import type { AbiValue } from '../../events/abi-values.js';
import { eventCodec, type DecodedEvent } from '../../events/event-codec.js';
import { poolId } from '../../launch-call/launch-hashes.js';
import {
  account,
  receiptOf,
  SOURCE,
  word,
  type AskedContract,
  type SourceCase,
} from '../fixtures/source-case.fixture.js';
import { textBytes } from '../module-native/commitments.js';
import { compositionHash, foundationMetadataHash, type ModuleRef } from './foundation-commitments.js';
import { FOUNDATION_ABI, LAUNCH_EVENTS } from './foundation.abi.js';
import { MODULE_FOUNDATION_V1 } from './foundation.adapter.js';

export const TOKEN = account('70');
export const HOOK = account('40');
export const CUSTODY = account('cd');
const POOL_MANAGER = account('77');
const QUOTE = account('00');
const LEDGER = account('1e');
const CREATOR = account('e0');

export const MODULES: readonly ModuleRef[] = [
  { module: account('11'), packageId: word('a1'), familyId: word('f1'), configurationHash: word('c1') },
  { module: account('12'), packageId: word('a2'), familyId: word('f2'), configurationHash: word('c2') },
];
const NO_MODULE: ModuleRef = {
  module: account('00'),
  packageId: word('00'),
  familyId: word('00'),
  configurationHash: word('00'),
};
export const SAID = {
  name: 'Gray Token',
  symbol: 'GRAY',
  description: 'a gray token',
  imageURI: 'ipfs://gray',
  website: 'https://gray.example',
  socialData: textBytes('{"v":1,"x":"https://x.example/gray"}'),
};
export const POOL_KEY = { currency0: QUOTE, currency1: TOKEN, fee: 0, tickSpacing: 60, hooks: HOOK };

const events = eventCodec<DecodedEvent>(FOUNDATION_ABI, (name) => name.startsWith('FoundationLaunched'));

/** The values of a launch event, which `launchOf` repeats. */
export type LaunchValues = Readonly<Record<string, AbiValue>>;

export interface FoundationChange {
  readonly modules?: readonly ModuleRef[];
  /** An event of another version. */
  readonly event?: FoundationFactoryVersion;
  /** Changes event and `launchOf` alike: a factory that lies consistently. */
  readonly values?: (honest: LaunchValues) => LaunchValues;
  readonly hook?: AskedContract['answers'];
  readonly custody?: AskedContract['answers'];
  readonly token?: AskedContract['answers'];
}

/** Returns a launch of a factory release with changed values. */
export function foundationCase(version: FoundationFactoryVersion, change: FoundationChange = {}): SourceCase {
  const modules = change.modules ?? MODULES;
  const id = poolId(POOL_KEY);
  const place = { token: TOKEN, hook: HOOK, ledger: LEDGER, poolId: id, custodyId: 7n, initialBuyQuoteAmount: 5n };
  const honest: LaunchValues = {
    ...place,
    creator: CREATOR,
    quote: QUOTE,
    metadataHash: foundationMetadataHash({
      name: textBytes(SAID.name),
      symbol: textBytes(SAID.symbol),
      description: textBytes(SAID.description),
      imageURI: textBytes(SAID.imageURI),
      website: textBytes(SAID.website),
      socialData: SAID.socialData,
    }),
    compositionHash: compositionHash(modules),
    result: { ...place, liquidity: 99n, sqrtPriceX96: 2n ** 96n, initialBuyTokenAmount: 6n },
  };
  const values = change.values?.(honest) ?? honest;
  const asked = (codeHash: Hex, answers: AskedContract['answers']): AskedContract => ({
    abi: FOUNDATION_ABI,
    codeHash,
    answers,
  });
  const fees: AskedContract['answers'] =
    version === 'V3' ? { creatorBuyFeeBps: () => 300, creatorSellFeeBps: () => 500 } : { creatorFeeBps: () => 300 };
  return {
    adapter: MODULE_FOUNDATION_V1,
    source: {
      ...SOURCE,
      sourceVersion: 'module-foundation-v1',
      factoryVersion: version,
      contracts: {
        poolManager: { address: POOL_MANAGER, runtimeCodeHash: word('77') },
        custody: { address: CUSTODY, runtimeCodeHash: word('cd') },
      },
    },
    receipt: receiptOf([
      { address: SOURCE.address, ...events.encode({ event: LAUNCH_EVENTS[change.event ?? version], args: values }) },
    ]),
    contracts: {
      [SOURCE.address]: asked(SOURCE.runtimeCodeHash, {
        launchOf: () => values,
        poolManager: () => POOL_MANAGER,
        custody: () => CUSTODY,
      }),
      [HOOK]: asked(word('40'), {
        token: () => TOKEN,
        quote: () => QUOTE,
        creator: () => CREATOR,
        ledger: () => LEDGER,
        poolKey: () => POOL_KEY,
        poolId: () => id,
        compositionHash: () => compositionHash(modules),
        moduleCount: () => BigInt(modules.length),
        moduleAt: (index: bigint) => Object.values(modules[Number(index)] ?? NO_MODULE),
        platformFeeBps: () => (version === 'V1' ? 100 : 30),
        ...fees,
        ...change.hook,
      } as AskedContract['answers']),
      [CUSTODY]: asked(word('cd'), {
        ownerOf: () => `0x${'0'.repeat(36)}dead`,
        positionOf: () => [id, -887_220, 0, 99n, SOURCE.address],
        ...change.custody,
      }),
      [TOKEN]: asked(word('07'), {
        ...Object.fromEntries(Object.entries(SAID).map(([name, value]) => [name, () => value])),
        decimals: () => 18,
        metadataHash: () => honest['metadataHash'],
        ...change.token,
      }),
    },
  };
}
