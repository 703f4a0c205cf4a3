/** Pure verification of indexed launches: the events of each source version and the checks on them. */
export { adapterOf, SOURCE_ADAPTERS } from './adapters.js';
export { bindSource, deploymentOf, type BoundSource, type PlacedSource } from './bind-source.js';
export {
  encodeRecipe,
  launchKey,
  nativeLaunchId,
  recipeHash,
  textBytes,
  type NativeRecipe,
  type RecipeModule,
} from './module-native/commitments.js';
export { nativeHookSalt, type HookPlace } from './module-native/hook-salt.js';
export { sourceReleaseDigest } from './judging.js';
export { GRAPH_FACTORY_ABIS } from './module-foundation/graph-factory.abi.js';
export { metadataReads, ownMetadata } from './own-metadata.js';
export type { Answers, Candidate, SourceAdapter, SourceReceipt, VerifiedLaunch, Verdict } from './source-adapter.js';
export { judgeEvidence, verificationOf, type VerificationDocuments, type Verified } from './verification-document.js';
export { DISPLAY_LIMITS, TOKEN_METADATA_ABI, tokenIdentity, type TokenIdentity } from './token-display.js';
export { chargeFilter, swapFilter, swapsOf, tradedPoolIds, type PoolSwap, type TradedPool } from './pool-swaps.js';
