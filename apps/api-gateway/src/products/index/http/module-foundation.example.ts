import { MODULE_FOUNDATION_SCHEMA, type FoundationRelease, type ModuleFoundation } from '@launch/contracts/index';

const word = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const RELEASE: FoundationRelease = {
  factoryVersion: 'V3',
  releaseDigest: `sha256:${'a'.repeat(64)}`,
  sourceCommit: 'c'.repeat(40),
  startBlock: '50469365',
  runtimeHashes: { factory: word('1'), custody: word('2'), poolManager: word('3') },
  factoryAddress: '0x1111111111111111111111111111111111111111',
  custodyAddress: '0x2222222222222222222222222222222222222222',
  endBlock: null,
  platformFeeBps: 30,
  status: 'active',
  abiUrl: `/api/v2/abi/${'d'.repeat(64)}.json`,
  abiSha256: `sha256:${'d'.repeat(64)}`,
};
const { factoryVersion, releaseDigest, sourceCommit, startBlock, runtimeHashes } = RELEASE;

export const MODULE_FOUNDATION_EXAMPLE: ModuleFoundation = {
  schemaVersion: MODULE_FOUNDATION_SCHEMA,
  chainId: 4663,
  factoryVersion,
  releaseDigest,
  sourceCommit,
  startBlock,
  runtimeHashes,
  releases: [RELEASE],
};
