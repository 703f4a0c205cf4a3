export { EvmError, type EvmErrorCode } from './evm.error.js';
export { isHex, normalAddress, normalHex, type Hex } from './encoding/hex.js';
export {
  LINEAR_INSTRUCTION_POLICY,
  LINEAR_INSTRUCTION_POLICY_ID,
  REACHABLE_INSTRUCTION_POLICY,
  REACHABLE_INSTRUCTION_POLICY_ID,
  instructionPolicy,
  instructionPolicyHash,
  type InstructionPolicyDocument,
  type InstructionPolicyId,
  type NamedInstruction,
} from './opcodes/instruction-policy.js';
export {
  MAX_LISTED_HITS,
  scanRuntime,
  type ForbiddenInstruction,
  type RuntimeScanFindingCode,
  type RuntimeScanResult,
} from './opcodes/runtime.scanner.js';
export { ROUTER_V2_ABI } from './launch-call/router-v2.abi.js';
export {
  LAUNCH_ROLES,
  LAUNCH_SCOPES,
  type LaunchCall,
  type LaunchChild,
  type LaunchComponent,
  type LaunchExternal,
  type LaunchPermit,
  type LaunchScope,
  type PoolKey,
  type RouterIdentity,
} from './launch-call/launch.types.js';
export {
  ROUTER_V2_PROTOCOL,
  artifactHash,
  callHash,
  childHash,
  componentHash,
  componentProof,
  externalHash,
  graphHash,
  initCodeOf,
  onchainLaunchId,
  poolHash,
  poolId,
  stampProof,
} from './launch-call/launch-hashes.js';
export {
  MAX_LAUNCH_CALLDATA_BYTES,
  calldataByteLength,
  decodeLaunchCalldata,
  encodeLaunchCalldata,
  type LaunchInvocation,
} from './launch-call/launch-calldata.js';
export { LAUNCH_PERMIT_TYPES, permitDigest, permitTypedData, type LaunchPermitTypedData } from './permit/launch-permit.js';
export { MAX_SIGNATURE_S, recoverPermitSigner } from './permit/permit-signature.js';
export { parseSignInMessage, personalMessageDigest, type SignInMessage } from './sign-in/sign-in-message.js';
export {
  decodeStampLog,
  encodeStampLog,
  type ReceiptLog,
  type StampEvent,
  type StampEventName,
} from './stamp/launch-stamp.js';
export { expectedStamp, type ExpectedStamp, type StampedAccount } from './stamp/expected-stamp.js';
export {
  MAX_STAMP_DEVIATIONS,
  compareGetters,
  compareStamp,
  type GetterDeviation,
  type ObservedGetters,
  type StampDeviation,
  type StampDeviationCode,
  type StampResult,
} from './stamp/stamp-events.js';
export {
  MAX_CHILD_NONCE,
  childAddress,
  childNonce,
  predictedAddress,
  saltIsControllers,
  type Create2Deployment,
} from './create2/contract-address.js';
export {
  HOOK_FLAGS,
  HOOK_FLAG_MASK,
  NATIVE_FEE_HOOK_FLAGS,
  compareHookFlags,
  hookFlagNames,
  hookFlagsOf,
  type HookFlag,
  type HookFlagDeviation,
} from './create2/hook-flags.js';
export { MAX_SQRT_PRICE, MAX_TICK, MIN_SQRT_PRICE, MIN_TICK, sqrtPriceAtTick } from './amm/tick-price.js';
export {
  MAX_TICK_SPACING,
  MIN_TICK_SPACING,
  checkTickRange,
  maxLiquidityPerTick,
  maxUsableTick,
  minUsableTick,
  type TickRange,
  type TickRangeFinding,
  type TickRangeFindingCode,
} from './amm/tick-range.js';
export {
  inventoryPosition,
  type InventoryPosition,
  type InventoryPositionFault,
  type InventoryPositionResult,
} from './amm/inventory-position.js';
export { MAX_INT128, currency0ForLiquidity, currency1ForLiquidity, tokenOnlyLiquidity } from './amm/liquidity.js';
export {
  launchCallOf,
  launchCommitments,
  launchPermitOf,
  permitFromWire,
  permitToWire,
  routerOf,
  type LaunchCommitments,
  type LaunchParts,
} from './launch-request/launch-of-request.js';
export { commitmentFindings, fundingFindings, intentFindings, permitWindowFindings } from './launch-request/request-form.findings.js';
export { collectSources, compareUtf8, manifestOf, sourceFindings, type SourceCollection } from './launch-request/request-source.findings.js';
export { graphFindings } from './launch-request/request-graph.findings.js';
export { isKnownPolicy, runtimePolicyFindings, type RuntimeToScan } from './launch-request/runtime-policy.findings.js';
export { recogniseEconomics, TEMPLATE_SETS, type EconomicsVerdict } from './economics/recognise-economics.js';
export { templateSetHash } from './economics/published-recipe.js';
export { withInventoryBindings } from './economics/inventory.bindings.js';
export type { Economics } from './economics/economics.types.js';
export type { ContractTemplate, TemplateAbiInput, TemplateImmutable, TemplateSet } from './economics/template-set.types.js';
export { NATIVE20_TEMPLATE_SET } from './economics/native20.template-set.js';
export { NATIVE20_TICK_SPACING } from './economics/native20.recipe.js';
export { MAX_CREATOR_FEE_BPS, PLATFORM_FEE_BPS, feeVaultImmutables, type FeeConfig } from './economics/fee-kernel.js';
export { native20Immutables, type Native20Parameters } from './economics/native20.immutables.js';
export { decodeNative20Arguments, encodeNative20Arguments } from './economics/native20.constructor.js';
export { INVENTORY_TEMPLATE_SET } from './economics/inventory.template-set.js';
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
  type InventoryTemplates,
  type InventoryTokenArguments,
} from './economics/inventory.constructors.js';
export { initializerImmutables, inventoryHookImmutables } from './economics/inventory.immutables.js';
export { fillRuntime, maskedRuntimeHash, type ImmutableWords } from './economics/runtime-template.js';
export { implementedHookCallbacks } from './create2/hook-callbacks.js';
export { MAX_LISTED_MISMATCHES, matchBytecode } from './match/match-bytecode.js';
export type {
  BytecodeMatchInput,
  BytecodeMatchResult,
  BytecodeMismatch,
  BytecodeMismatchCode,
  BytecodeMismatchReason,
  CodeRange,
  CodeTransformation,
  CompiledCode,
  LinkReferences,
  LinkedLibrary,
} from './match/bytecode-match.types.js';
export { admitImage, inspectImage, type ImageDeclarationField, type ImageFinding, type ImageInspection } from './image/image-admission.js';
export { IMAGE_LIMITS, type ImageDeclaration, type ImageFacts, type ImageFault, type ImageMediaType } from './image/image.types.js';
export { decodeBlockHeader, encodeBlockHeader, hashBlockHeader, type ProvenHeader } from './chain-proof/block-header.js';
export { decodeReceipt, encodeReceipt, type ProvenReceipt } from './chain-proof/receipt-encoding.js';
export { decodeSignedTransaction, encodeTransaction, type SignedTransaction } from './chain-proof/transaction-encoding.js';
export { EMPTY_TRIE_ROOT, indexKey, proveListItem, readTrieProof } from './chain-proof/merkle-patricia.js';
export { readAccountProof, readStorageProof, stampProofSlot, type ProvenAccount } from './chain-proof/state-proof.js';
