import { hexToBytes } from 'viem';
import { finding, type CreateRequest, type Finding } from '@launch/contracts';
import { isKnownPolicy, runtimePolicyFindings } from '@launch/evm';

/** Unknown or altered policies fail closed (spec 2, Runtime instruction policy). */
export function policyFindings(request: CreateRequest): Finding[] {
  const { id, policyHash } = request.context.profile.instructionPolicy;
  return isKnownPolicy(id, policyHash)
    ? []
    : [
        finding('CONTEXT_NOT_CURRENT', '/context/profile/instructionPolicy', {
          expected: 'an instruction policy this deployment knows, unchanged',
        }),
      ];
}

/** Scans what the request declares each physical component will run. */
export function scanDeclaredRuntimes(request: CreateRequest): Finding[] {
  const unknown = policyFindings(request);
  if (unknown.length > 0) return unknown;
  return runtimePolicyFindings(
    request.context.profile.instructionPolicy.id,
    request.graphBundle.components.map((component, index) => ({
      path: `/graphBundle/components/${index}/expectedRuntimeCode`,
      runtime: hexToBytes(component.expectedRuntimeCode),
    })),
  );
}
