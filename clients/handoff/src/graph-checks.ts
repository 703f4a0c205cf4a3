import { childNonce, predictedAddress, saltIsControllers } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { compared } from './comparison.js';
import type { HandoffCheck } from './handoff.types.js';
import type { RecomputedLaunch } from './read-request.js';

const REPACK = 'Do not sign. The request contradicts itself: pack the launch again, and submit a new request.';

/** Recomputes the address and the code hash of every contract that the launch creates, and the sum that it pays. */
export function graphChecks({ call, request, context }: RecomputedLaunch): readonly HandoffCheck[] {
  const { components, children } = request.graphBundle;
  const { address: deployer } = context.chainDeployment.router;
  const check = (id: string, subject: string, claimed: unknown, computed: unknown): HandoffCheck =>
    compared({ id, subject, claimed, computed, remedy: REPACK });
  return [
    ...call.components.flatMap(({ salt, initCode }, index) => {
      const { componentId, predictedAddress: address, ...code } = components[index]!;
      const controllers = saltIsControllers(salt, request.launchWallet);
      return [
        check(
          `component.${componentId}.address`,
          `the address of the contract ${componentId}`,
          address,
          predictedAddress({ deployer, salt, initCode }),
        ),
        check(
          `component.${componentId}.salt`,
          `the owner of the address of the contract ${componentId}`,
          salt,
          controllers ? salt : `a salt that begins with ${request.launchWallet}`,
        ),
        check(
          `component.${componentId}.code`,
          `the code of the contract ${componentId}`,
          code.expectedRuntimeCodeHash,
          keccak256(code.expectedRuntimeCode),
        ),
      ];
    }),
    ...children.map(({ parentIndex, account }, index) => {
      const parent = components[parentIndex]?.predictedAddress;
      const isChild = parent !== undefined && childNonce(parent, account) !== null;
      return check(
        `child.${index}.address`,
        `the address of the contract that contract ${parentIndex + 1} creates`,
        account,
        isChild ? account : `an address that ${parent ?? 'a contract of the request'} creates`,
      );
    }),
    check(
      'total',
      'the total of the request',
      request.funding.totalValueWei,
      call.initialBuyWei + call.nativeLiquidityWei,
    ),
  ];
}
