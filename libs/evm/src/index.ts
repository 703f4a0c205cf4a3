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
