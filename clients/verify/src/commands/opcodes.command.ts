import { finding, formFinding, type Finding } from '@launch/contracts/errors';
import {
  instructionPolicy,
  instructionPolicyHash,
  LINEAR_INSTRUCTION_POLICY_ID,
  REACHABLE_INSTRUCTION_POLICY_ID,
  scanRuntime,
  type InstructionPolicyId,
} from '@launch/evm';
import { verdictOf, type Verdict } from '../verdict.types.js';
import { VerifyError } from '../verify.error.js';

/** The two published policies by their command line names. */
export const POLICY_NAMES: Readonly<Record<string, InstructionPolicyId>> = {
  v2: LINEAR_INSTRUCTION_POLICY_ID,
  reachable: REACHABLE_INSTRUCTION_POLICY_ID,
};

/** Scans a runtime given as hex text, with or without 0x and line breaks around it. */
export function verifyOpcodes(policyName: string, bytes: Uint8Array | null): Verdict {
  const policyId = Object.hasOwn(POLICY_NAMES, policyName) ? POLICY_NAMES[policyName] : undefined;
  if (policyId === undefined) throw new VerifyError('VERIFY_ARGUMENTS_INVALID', '--policy is v2 or reachable.');
  const runtime = bytes === null ? null : readHex(bytes);
  if (runtime === null)
    return verdictOf('opcodes', [formFinding('', 'a runtime of whole bytes in hex, at most 1 MiB of text')], {
      policyId,
    });
  const result = scanRuntime(policyId, runtime);
  const details = {
    policyId,
    policyHash: instructionPolicyHash(instructionPolicy(policyId)),
    byteLength: runtime.length,
    hits: result.verdict === 'forbidden' ? result.hits : [],
    hitCount: result.verdict === 'forbidden' ? result.hitCount : 0,
  };
  return verdictOf('opcodes', result.verdict === 'pass' ? [] : [scanFinding(result)], details);
}

function scanFinding(result: Exclude<ReturnType<typeof scanRuntime>, { verdict: 'pass' }>): Finding {
  if (result.verdict !== 'forbidden') return finding(result.code, '');
  const [first] = result.hits;
  return finding(result.code, '', {
    actual: `${first!.mnemonic} (${first!.opcode}) at program counter ${first!.programCounter}`,
  });
}

function readHex(bytes: Uint8Array): Uint8Array | null {
  const text = Buffer.from(bytes).toString('latin1').trim();
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? Buffer.from(digits, 'hex') : null;
}
