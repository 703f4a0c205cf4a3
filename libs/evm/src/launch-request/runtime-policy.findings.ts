import { finding, type Finding } from '@launch/contracts';
import { EvmError } from '../evm.error.js';
import { instructionPolicy, instructionPolicyHash } from '../opcodes/instruction-policy.js';
import { scanRuntime } from '../opcodes/runtime.scanner.js';

/** A runtime and where in the request it is declared. */
export interface RuntimeToScan {
  readonly path: string;
  readonly runtime: Uint8Array;
}

/** Scans runtimes by one policy (spec 2, Runtime instruction policy); review evidence cannot override a hit. */
export function runtimePolicyFindings(policyId: string, runtimes: readonly RuntimeToScan[]): Finding[] {
  return runtimes.flatMap(({ path, runtime }) => {
    const result = scanRuntime(policyId, runtime);
    switch (result.verdict) {
      case 'pass':
        return [];
      case 'forbidden':
        return result.hits.map((hit) =>
          finding('MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN', path, {
            expected: `no ${hit.mnemonic} under ${policyId}`,
            actual: `${hit.mnemonic} (${hit.opcode}) at program counter ${hit.programCounter}`,
          }),
        );
      case 'mode-unsupported':
        return [
          finding('MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED', path, {
            expected: 'legacy EVM bytecode',
            actual: 'a runtime beginning with 0xef',
          }),
        ];
      case 'empty':
        return [finding('RUNTIME_EMPTY', path)];
    }
  });
}

/** Whether a context's policy is one this build knows, unchanged: unknown or altered policies fail closed. */
export function isKnownPolicy(id: string, policyHash: string): boolean {
  try {
    return instructionPolicyHash(instructionPolicy(id)) === policyHash;
  } catch (error) {
    if (error instanceof EvmError && error.code === 'INSTRUCTION_POLICY_UNKNOWN') return false;
    throw error;
  }
}
