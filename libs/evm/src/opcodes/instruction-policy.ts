import { canonicalizeJson } from '@launch/contracts/json';
import { keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';

/** The historical policy: every instruction of the runtime counts, whether reachable or not. */
export const LINEAR_INSTRUCTION_POLICY_ID = 'service.multi-role-runtime-instruction-policy.v2';

/** The successor: only instructions reachable from program counter zero or from a valid JUMPDEST count. */
export const REACHABLE_INSTRUCTION_POLICY_ID = 'service.runtime-instructions.reachable.v1';

export type InstructionPolicyId = typeof LINEAR_INSTRUCTION_POLICY_ID | typeof REACHABLE_INSTRUCTION_POLICY_ID;

/** An instruction that a policy names, as `0x` and one byte. */
export interface NamedInstruction {
  readonly opcode: Hex;
  readonly mnemonic: string;
}

/** A published policy. It is hashed as a whole, so a released document is never edited, only succeeded. */
export interface InstructionPolicyDocument {
  readonly schemaVersion: 'service.runtime-instruction-policy-document.v1';
  readonly id: InstructionPolicyId;
  readonly scope: 'every-byte' | 'reachable';
  readonly pushImmediates: 'skipped';
  readonly metadata: 'counted';
  readonly declaredDataRanges: 'none';
  readonly emptyRuntime: 'refused';
  readonly unsupportedPrefixes: readonly Hex[];
  readonly entryPoints: readonly ('program-counter-zero' | 'valid-jumpdest')[];
  readonly terminators: readonly NamedInstruction[];
  readonly unknownInstructions: 'fall-through';
  readonly afterTerminator: 'counted' | 'unreachable-until-valid-jumpdest';
  readonly forbidden: readonly NamedInstruction[];
}

/** The historical full scan (docs/reference/source-verification.md#instruction-policy). */
export const LINEAR_INSTRUCTION_POLICY: InstructionPolicyDocument = freeze({
  schemaVersion: 'service.runtime-instruction-policy-document.v1',
  id: LINEAR_INSTRUCTION_POLICY_ID,
  scope: 'every-byte',
  pushImmediates: 'skipped',
  metadata: 'counted',
  declaredDataRanges: 'none',
  emptyRuntime: 'refused',
  unsupportedPrefixes: [],
  entryPoints: [],
  terminators: [],
  unknownInstructions: 'fall-through',
  afterTerminator: 'counted',
  forbidden: [
    { opcode: '0xf2', mnemonic: 'CALLCODE' },
    { opcode: '0xf4', mnemonic: 'DELEGATECALL' },
    { opcode: '0xff', mnemonic: 'SELFDESTRUCT' },
  ],
});

/**
 * The successor (docs/reference/source-verification.md#instruction-policy). INVALID (`0xfe`) ends a flow, but decoding
 * continues after it, so a valid JUMPDEST in the tail opens the flow again. SELFDESTRUCT ends no flow.
 */
export const REACHABLE_INSTRUCTION_POLICY: InstructionPolicyDocument = freeze({
  schemaVersion: 'service.runtime-instruction-policy-document.v1',
  id: REACHABLE_INSTRUCTION_POLICY_ID,
  scope: 'reachable',
  pushImmediates: 'skipped',
  metadata: 'counted',
  declaredDataRanges: 'none',
  emptyRuntime: 'refused',
  unsupportedPrefixes: ['0xef'],
  entryPoints: ['program-counter-zero', 'valid-jumpdest'],
  terminators: [
    { opcode: '0x00', mnemonic: 'STOP' },
    { opcode: '0x56', mnemonic: 'JUMP' },
    { opcode: '0xf3', mnemonic: 'RETURN' },
    { opcode: '0xfd', mnemonic: 'REVERT' },
    { opcode: '0xfe', mnemonic: 'INVALID' },
  ],
  unknownInstructions: 'fall-through',
  afterTerminator: 'unreachable-until-valid-jumpdest',
  forbidden: [
    { opcode: '0xf0', mnemonic: 'CREATE' },
    { opcode: '0xf2', mnemonic: 'CALLCODE' },
    { opcode: '0xf4', mnemonic: 'DELEGATECALL' },
    { opcode: '0xf5', mnemonic: 'CREATE2' },
    { opcode: '0xff', mnemonic: 'SELFDESTRUCT' },
  ],
});

const DOCUMENTS: Readonly<Record<InstructionPolicyId, InstructionPolicyDocument>> = {
  [LINEAR_INSTRUCTION_POLICY_ID]: LINEAR_INSTRUCTION_POLICY,
  [REACHABLE_INSTRUCTION_POLICY_ID]: REACHABLE_INSTRUCTION_POLICY,
};

/**
 * Returns the policy with that id. Unknown ids fail closed.
 * @throws {EvmError} `INSTRUCTION_POLICY_UNKNOWN`.
 */
export function instructionPolicy(id: string): InstructionPolicyDocument {
  if (!Object.hasOwn(DOCUMENTS, id)) throw new EvmError('INSTRUCTION_POLICY_UNKNOWN', 'policyId');
  return DOCUMENTS[id as InstructionPolicyId];
}

/** Returns `policyHash` or `instructionPolicyHash`: the keccak-256 of the document's canonical JSON. */
export function instructionPolicyHash(document: InstructionPolicyDocument): Hex {
  return keccak256(canonicalizeJson(document));
}

function freeze(document: InstructionPolicyDocument): InstructionPolicyDocument {
  for (const list of [document.unsupportedPrefixes, document.entryPoints, document.terminators, document.forbidden]) {
    for (const item of list) Object.freeze(item);
    Object.freeze(list);
  }
  return Object.freeze(document);
}

/** Reports whether this build knows a context's policy in unchanged form. Unknown or altered policies fail closed. */
export function isKnownPolicy(id: string, policyHash: string): boolean {
  try {
    return instructionPolicyHash(instructionPolicy(id)) === policyHash;
  } catch (error) {
    if (error instanceof EvmError && error.code === 'INSTRUCTION_POLICY_UNKNOWN') return false;
    throw error;
  }
}
