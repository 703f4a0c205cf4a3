import { encodeAbiParameters } from 'viem/utils';
import type { Hex } from '../../encoding/hex.js';
import { poolId } from '../../launch-call/launch-hashes.js';
import { account, word } from '../fixtures/source-case.fixture.js';
import { textBytes } from '../module-native/commitments.js';
import {
  compositionHash,
  foundationMetadataHash,
  type FoundationMetadata,
  type ModuleRef,
} from './foundation-commitments.js';
import { MODULES, POOL_KEY } from './foundation.case.fixture.js';

type FoundationPoolKey = typeof POOL_KEY;

/** The commitments of a Foundation launch, each separately. */
export interface FoundationVectors {
  readonly schemaVersion: 'service.module-foundation-vectors.v1';
  /** `said`: the six values in the form that a contract receives, texts as their bytes. */
  readonly metadata: readonly { readonly what: string; readonly said: Hex; readonly metadataHash: Hex }[];
  readonly compositions: readonly {
    readonly what: string;
    readonly modules: readonly ModuleRef[];
    readonly compositionHash: Hex;
  }[];
  readonly pools: readonly { readonly what: string; readonly poolKey: FoundationPoolKey; readonly poolId: Hex }[];
}

const SAID: FoundationMetadata = {
  name: textBytes('Gray Token'),
  symbol: textBytes('GRAY'),
  description: textBytes('a gray token'),
  imageURI: textBytes('ipfs://gray'),
  website: textBytes('https://gray.example'),
  socialData: textBytes('{"v":1}'),
};
const NOTHING: FoundationMetadata = {
  name: '0x',
  symbol: '0x',
  description: '0x',
  imageURI: '0x',
  website: '0x',
  socialData: '0x',
};

const METADATA: readonly (readonly [string, FoundationMetadata])[] = [
  ['all six', SAID],
  ['nothing', NOTHING],
  ['name and symbol in each other’s place', { ...SAID, name: SAID.symbol, symbol: SAID.name }],
  ['image and website in each other’s place', { ...SAID, imageURI: SAID.website, website: SAID.imageURI }],
  ['text beyond ASCII', { ...SAID, name: textBytes('Größe 漢字'), symbol: textBytes('😀') }],
  ['text that is no UTF-8', { ...SAID, name: '0xff', symbol: '0x610062' }],
  ['no social data', { ...SAID, socialData: '0x' }],
  ['a word exactly', { ...SAID, name: textBytes('x'.repeat(32)) }],
  ['a long description', { ...SAID, description: textBytes('x'.repeat(1_000)) }],
];
const COMPOSITIONS: readonly (readonly [string, readonly ModuleRef[]])[] = [
  ['two modules', MODULES],
  ['no module', []],
  ['modules in another order', [...MODULES].reverse()],
  ['one family twice', MODULES.map((one) => ({ ...one, familyId: word('f1') }))],
  ['one module twice', [MODULES[0]!, MODULES[0]!]],
  ['as many as a factory admits', Array.from({ length: 16 }, () => MODULES[1]!)],
];
const POOLS: readonly (readonly [string, FoundationPoolKey])[] = [
  ['ether and a token', POOL_KEY],
  ['another hook', { ...POOL_KEY, hooks: account('41') }],
  ['another token', { ...POOL_KEY, currency1: account('71') }],
];

/** Encodes the six values as one parameter list; bytes are encoded like strings. */
const given = ({ name, symbol, description, imageURI, website, socialData }: FoundationMetadata): Hex =>
  encodeAbiParameters(
    [...Array(6)].map(() => ({ type: 'bytes' })),
    [name, symbol, description, imageURI, website, socialData],
  );

export const vectorsOf = (): FoundationVectors => ({
  schemaVersion: 'service.module-foundation-vectors.v1',
  metadata: METADATA.map(([what, said]) => ({ what, said: given(said), metadataHash: foundationMetadataHash(said) })),
  compositions: COMPOSITIONS.map(([what, modules]) => ({ what, modules, compositionHash: compositionHash(modules) })),
  pools: POOLS.map(([what, poolKey]) => ({ what, poolKey, poolId: poolId(poolKey) })),
});
