/** Source versions of indexed launches, with one adapter each (docs/reference/index-sources.md#source-versions). */
export const SOURCE_VERSIONS = [
  'module-native-v1',
  'module-native-v2',
  'module-engine-v1',
  'module-foundation-v1',
  'custom-router-v1',
  'custom-multi-role-v2',
  'ethereum-custom-v1',
] as const;
export type SourceVersion = (typeof SOURCE_VERSIONS)[number];

export const FOUNDATION_FACTORY_VERSIONS = ['V1', 'V2', 'V3'] as const;
export type FoundationFactoryVersion = (typeof FOUNDATION_FACTORY_VERSIONS)[number];

/**
 * Basis points of a trade's gross amount that each release takes for the platform
 * (docs/reference/economics.md#foundation-fees).
 */
export const FOUNDATION_PLATFORM_FEE_BPS: Readonly<Record<FoundationFactoryVersion, number>> = {
  V1: 100,
  V2: 30,
  V3: 30,
};

/** Chains of the sources. A JSON number in index reads (docs/reference/requests-and-hashes.md#scalars). */
export const INDEXED_CHAINS = [1, 4663] as const;
export type IndexedChain = (typeof INDEXED_CHAINS)[number];

/** The `mode` of explore that a source's coins belong to. */
export const MODE_OF_SOURCE = {
  'module-native-v1': 'module',
  'module-native-v2': 'module',
  'module-engine-v1': 'module',
  'module-foundation-v1': 'module',
  'custom-router-v1': 'custom',
  'custom-multi-role-v2': 'custom',
  'ethereum-custom-v1': 'custom',
} as const satisfies Record<SourceVersion, 'module' | 'custom'>;

/** Deployment state of a source, outside its digest (docs/reference/index-sources.md#source-status). */
export const SOURCE_STATUSES = ['active', 'retained', 'disabled'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** Stage of finality of a row's block (docs/reference/index-sources.md#finality-stage). */
export const FINALITY_STAGES = ['sequencer_soft_confirmed', 'ethereum_posted', 'ethereum_finalized'] as const;
export type FinalityStage = (typeof FINALITY_STAGES)[number];

/** Graph factories on Ethereum; the one for new launches comes first. */
export const GRAPH_FACTORY_VERSIONS = ['V2', 'V1'] as const satisfies readonly FoundationFactoryVersion[];
export type GraphFactoryVersion = (typeof GRAPH_FACTORY_VERSIONS)[number];
