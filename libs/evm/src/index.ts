export { EvmError } from './evm.error.js';
export { bytesOfHex, lowerHex, type Hex } from './encoding/hex.js';
export {
  LINEAR_INSTRUCTION_POLICY,
  LINEAR_INSTRUCTION_POLICY_ID,
  REACHABLE_INSTRUCTION_POLICY,
  REACHABLE_INSTRUCTION_POLICY_ID,
  instructionPolicy,
  instructionPolicyHash,
  isKnownPolicy,
  type InstructionPolicyId,
} from './opcodes/instruction-policy.js';
export {
  buildContext,
  buildCustomLaunchContext,
  DEFAULT_MAX_DEVIATION_BPS,
  CUSTOM_LAUNCH_PROFILE_NAMES,
  FINALITY_NAMES,
  POLICY_NAMES,
  SEQUENCER_TRANSACTION_BYTES,
  type ContextFacts,
  type CustomLaunchFacts,
  type CustomLaunchProfileName,
  type DeploymentFacts,
  type FinalityName,
  type PolicyName,
} from './launch-context/build-context.js';
export { scanRuntime } from './opcodes/runtime.scanner.js';
export { ROUTER_V2_ABI } from './launch-call/router-v2.abi.js';
export {
  LAUNCH_ROLES,
  LAUNCH_SCOPES,
  type LaunchCall,
  type LaunchPermit,
  type PoolKey,
  type RouterIdentity,
} from './launch-call/launch.types.js';
export {
  artifactHash,
  artifactHashOf,
  callHash,
  componentProof,
  graphHash,
  initCodeOf,
  onchainLaunchId,
  poolHash,
  poolId,
  stampProof,
} from './launch-call/launch-hashes.js';
export {
  calldataByteLength,
  decodeLaunchCalldata,
  encodeLaunchCalldata,
  type LaunchInvocation,
} from './launch-call/launch-calldata.js';
export {
  permitDigest,
  permitEncoding,
  permitTypedData,
  permitV1Digest,
  permitV1Encoding,
  permitV1TypedData,
} from './permit/launch-permit.js';
export { MAX_SIGNATURE_S, recoverPermitSigner } from './permit/permit-signature.js';
export {
  readWalletSignature,
  recoverWalletSigner,
  SUPPORTED_SIGNATURES,
  type WalletSignature,
} from './wallet-signature/wallet-signature.js';
export { encodeStampLog } from './stamp/launch-stamp.js';
export type { ReceiptLog } from './stamp/stamp-log.js';
export { expectedStamp, type ExpectedStamp, type StampedAccount } from './stamp/expected-stamp.js';
export { compareGetters, compareStamp, type ObservedGetters } from './stamp/stamp-events.js';
export { ROUTER_V1_ABI } from './router-v1/router-v1.abi.js';
export {
  COMPONENT_KINDS,
  LAUNCH_KINDS,
  LAUNCH_MODES,
  PROFILE_WORDS,
  ROUTER_V1_PROTOCOL,
  type ComponentStep,
  type LaunchPermitV1,
  type RegisterCall,
  type StampFields,
  type StampedComponent,
  type WalletCall,
} from './router-v1/router-v1.types.js';
export {
  atomicDigest,
  componentSetHash,
  componentStepsOf,
  launchStepsHash,
  onchainLaunchIdV1,
  planStepsHash,
  registerCallHash,
  registerCallOf,
  stampHash,
} from './router-v1/router-v1.hashes.js';
export {
  decodeRouterV1Calldata,
  encodeRouterV1Calldata,
  type RouterV1Invocation,
} from './router-v1/router-v1.calldata.js';
export {
  encodeLaunchGraph,
  GRAPH_ROUTER_ABI,
  graphPermitV1Of,
  type GraphCall,
  type GraphResult,
} from './router-v1/router-v1.graphs.js';
export {
  compareGettersV1,
  compareStampV1,
  encodeStampLogV1,
  expectedStampV1,
  type ExpectedStampV1,
  type ObservedGettersV1,
} from './router-v1/router-v1.stamp.js';
export { childAddress, childNonce, predictedAddress, saltIsControllers } from './create2/contract-address.js';
export {
  HOOK_FLAGS,
  HOOK_FLAG_MASK,
  NATIVE_FEE_HOOK_FLAGS,
  compareHookFlags,
  hookFlagsOf,
  type HookFlag,
} from './create2/hook-flags.js';
export { MAX_TICK, MIN_TICK, sqrtPriceAtTick } from './amm/tick-price.js';
export { maxLiquidityPerTick } from './amm/tick-range.js';
export { inventoryPosition, type InventoryPosition } from './amm/inventory-position.js';
export { buyFromPosition, type PositionPurchase, type UntouchedPosition } from './amm/position-purchase.js';
export {
  USD_FEED_GRACE_SECONDS,
  USD_QUOTE_RETRY_REQUIRED,
  USD_READING_MAX_AGE_SECONDS,
  unusableUsdReference,
  usdFeedAge,
  usdFeedMaxAge,
  usdReferenceOf,
  type UnusableUsdReference,
  type UsdFeedName,
  type UsdFeedProblem,
  type UsdFeedReading,
  type UsdFeedTerms,
  type UsdReadings,
  type UsdReference,
  type UsdReferenceTerms,
} from './usd-reference/usd-reference.js';
export {
  usdReadingsOf,
  usdReferenceDocument,
  type LocatedUsdReading,
  type LocatedUsdReference,
} from './usd-reference/usd-reference.document.js';
export { MAX_INT128, currency0ForLiquidity, currency1ForLiquidity, tokenOnlyLiquidity } from './amm/liquidity.js';
export {
  launchCallOf,
  launchCommitments,
  launchPermitOf,
  permitFromWire,
  permitToWire,
  routerOf,
  type LaunchParts,
} from './launch-request/launch-of-request.js';
export {
  fundingTotals,
  launchModeOf,
  launchPermitV1Of,
  launchStampV1Of,
  launchV1CallOf,
  launchV1Calls,
  launchV1Commitments,
  permitV1FromWire,
  permitV1ToWire,
  planStepsOf,
  routerV1Of,
  signedPlanSteps,
  type ContextPartsV1,
  type LaunchCommitmentsV1,
  type LaunchPartsV1,
  type PlanMode,
  type PlanStep,
} from './launch-request/launch-v1-of-request.js';
export {
  judgedCustomLaunch,
  type CustomLaunchBody,
  type JudgedCustomLaunch,
} from './launch-request/judged-custom-launch.js';
export { recogniseEconomics, TEMPLATE_SETS, type EconomicsVerdict } from './economics/recognise-economics.js';
export { reviewedArguments } from './economics/reviewed-arguments.js';
export { templateSetHash } from './economics/published-recipe.js';
export { withInventoryBindings } from './economics/inventory.bindings.js';
export type { Economics } from './economics/economics.types.js';
export { launchPurchase, type LaunchPurchase, type LaunchPurchaseResult } from './economics/launch-purchase.js';
export type { ContractTemplate, TemplateSet } from './economics/template-set.types.js';
export { NATIVE20_TEMPLATE_SET } from './economics/native20.template-set.js';
export { PLATFORM_FEE_BPS, feeVaultImmutables, type FeeConfig } from './economics/fee-kernel.js';
export { native20Immutables, type Native20Parameters } from './economics/native20.immutables.js';
export { decodeNative20Arguments, encodeNative20Arguments } from './economics/native20.constructor.js';
export { INVENTORY_TEMPLATE_SET } from './economics/inventory.template-set.js';
export { NATIVE20_SEED_POOL, NATIVE20_SEED_TEMPLATE_SET } from './economics/native20-seed.template-set.js';
export {
  decodeInitializerArguments,
  decodeInventoryHookArguments,
  decodeInventoryTokenArguments,
  encodeInitializerArguments,
  encodeInventoryHookArguments,
  encodeInventoryTokenArguments,
  inventoryTemplates,
  type InitializerArguments,
  type InventoryHookArguments,
  type InventoryTokenArguments,
} from './economics/inventory.constructors.js';
export { initializerImmutables, inventoryHookImmutables } from './economics/inventory.immutables.js';
export { fillRuntime, type ImmutableWords } from './economics/runtime-template.js';
export { implementedHookCallbacks } from './create2/hook-callbacks.js';
export { matchBytecode } from './match/match-bytecode.js';
export type {
  BytecodeMatchInput,
  BytecodeMatchResult,
  BytecodeMismatch,
  NamedImmutable,
} from './match/bytecode-match.types.js';
export {
  decodeBlockHeader,
  encodeBlockHeader,
  hashBlockHeader,
  type ProvenHeader,
} from './chain-proof/block-header.js';
export { decodeReceipt, encodeReceipt, type ProvenReceipt } from './chain-proof/receipt-encoding.js';
export {
  decodeSignedTransaction,
  encodeTransaction,
  type SignedTransaction,
} from './chain-proof/transaction-encoding.js';
export { indexKey, proveListItem, readTrieProof } from './chain-proof/merkle-patricia.js';
export { readAccountProof, readStorageProof, stampProofSlot, stampProofSlotV1 } from './chain-proof/state-proof.js';
export { explainRevert, revertFinding, type FundingMember, type RevertAdvice } from './revert/revert-finding.js';
export {
  launchV1RehearsalOf,
  rehearsalOf,
  type LaunchRehearsal,
  type LaunchRehearsalV1,
} from './rehearsal/rehearse-launch.js';
export { KNOWN_ROUTERS, authorityWord, routerStorage, type RouterStorage } from './rehearsal/router-storage.js';
export { REHEARSAL_SIGNATURES } from './rehearsal/rehearsal-signature.js';
export {
  decisionProblem,
  reviewDecisionDigest,
  reviewDecisionTypedData,
  type DecidedReview,
  type DecisionProblem,
} from './module-review/review-decision.js';
export { buildMessage, verifyBuilderSignature } from './module-build/build-signature.js';
export {
  findBuildFindings,
  type DeclaredModule,
  type EarlierBuild,
  type FindingsInput,
} from './module-findings/build-findings.js';
export { plannedSubmission } from './module-findings/planned-submission.js';
