import { finding, type Finding } from '@launch/contracts/errors';
import { scanRuntime } from '@launch/evm';

/** A runtime and the pointer at which the request declares it. */
export interface RuntimeToScan {
  readonly path: string;
  readonly runtime: Uint8Array;
}

/** Scans runtimes by one policy; no review evidence overrides a hit (docs/reference/source-verification.md#instruction-policy). */
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
