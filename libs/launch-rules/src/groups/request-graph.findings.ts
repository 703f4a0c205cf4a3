import { finding, type Finding } from '@launch/contracts/errors';
import type { CreateRequest } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import {
  calldataByteLength,
  childNonce,
  encodeLaunchCalldata,
  initCodeOf,
  LAUNCH_ROLES,
  launchCallOf,
  launchPermitOf,
  predictedAddress,
  routerOf,
  saltIsControllers,
  type LaunchParts,
} from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { fundingFindings } from './request-form.findings.js';

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`;
/** Calldata does not depend on the signature's value, only on its 65 bytes. */
const SIGNATURE_SHAPE: Hex = `0x${'00'.repeat(65)}`;

function roleFindings(parts: LaunchParts): Finding[] {
  const { components } = parts.graphBundle;
  const holders = (bit: number): number => components.filter((component) => (component.roleMask & bit) !== 0).length;
  const findings: Finding[] = [];
  const path = '/graphBundle/components';
  const demand = (ok: boolean, expected: string): void => {
    if (!ok) findings.push(finding('GRAPH_ROLES_INVALID', path, { expected }));
  };
  demand(holders(LAUNCH_ROLES.token) === 1, 'exactly one component with the token role (1)');
  demand(holders(LAUNCH_ROLES.hook) === 1, 'exactly one component with the hook role (2)');
  demand(holders(LAUNCH_ROLES.initializer) <= 1, 'at most one component with the initializer role (4)');
  const combined = components.some((component) => (component.roleMask & 3) === 3);
  demand(
    combined || holders(LAUNCH_ROLES.initializer) === 1,
    'an initializer (4) unless token and hook are one contract',
  );
  return findings;
}

function componentFindings(parts: LaunchParts): Finding[] {
  const { router } = routerOf(parts.context);
  const limits = parts.context.profile.limits;
  const findings: Finding[] = [];
  parts.graphBundle.components.forEach((component, index) => {
    const at = `/graphBundle/components/${index}`;
    const salt = component.salt;
    const initCode = initCodeOf(component.creationBytecode, component.constructorArgs);
    if (!saltIsControllers(salt, parts.launchWallet)) {
      findings.push(
        finding('GRAPH_SALT_CONTROLLER_MISMATCH', `${at}/salt`, {
          expected: `${parts.launchWallet} followed by 12 free bytes`,
        }),
      );
    }
    const address = predictedAddress({ deployer: router, salt, initCode });
    if (component.predictedAddress !== address) {
      findings.push(
        finding('GRAPH_ADDRESS_MISMATCH', `${at}/predictedAddress`, {
          expected: address,
          actual: component.predictedAddress,
        }),
      );
    }
    const runtimeHash = keccak256(component.expectedRuntimeCode);
    if (component.expectedRuntimeCodeHash !== runtimeHash) {
      findings.push(
        finding('GRAPH_RUNTIME_HASH_MISMATCH', `${at}/expectedRuntimeCodeHash`, {
          expected: runtimeHash,
          actual: component.expectedRuntimeCodeHash,
        }),
      );
    }
    const bytes = (hex: string): number => hex.length / 2 - 1;
    if (bytes(initCode) > limits.initCodeBytes) {
      findings.push(
        finding('GRAPH_INVALID', `${at}/creationBytecode`, {
          expected: `at most ${limits.initCodeBytes} bytes with its arguments`,
        }),
      );
    }
    if (bytes(component.expectedRuntimeCode) > limits.runtimeCodeBytes) {
      findings.push(
        finding('GRAPH_INVALID', `${at}/expectedRuntimeCode`, { expected: `at most ${limits.runtimeCodeBytes} bytes` }),
      );
    }
  });
  return findings;
}

/**
 * Judges children, externals and uniqueness: no account is listed twice, and each child is created by the component
 * that it names.
 */
function accountFindings(parts: LaunchParts): Finding[] {
  const { components, children } = parts.graphBundle;
  const findings: Finding[] = [];
  const seen = new Map<string, string>();
  const once = (account: string, path: string): void => {
    const earlier = seen.get(account);
    if (earlier === undefined) seen.set(account, path);
    else
      findings.push(finding('GRAPH_INVALID', path, { expected: `an account that ${earlier} does not list already` }));
  };
  const ids = new Set<string>();
  components.forEach((component, index) => {
    once(component.predictedAddress, `/graphBundle/components/${index}/predictedAddress`);
    if (ids.has(component.componentId))
      findings.push(
        finding('GRAPH_INVALID', `/graphBundle/components/${index}/componentId`, { expected: 'a unique componentId' }),
      );
    ids.add(component.componentId);
  });
  children.forEach((child, index) => {
    const at = `/graphBundle/children/${index}`;
    once(child.account, `${at}/account`);
    const parent = components[child.parentIndex];
    if (parent === undefined) {
      findings.push(
        finding('GRAPH_CHILD_INVALID', `${at}/parentIndex`, { expected: `an index below ${components.length}` }),
      );
    } else if (childNonce(parent.predictedAddress, child.account) === null) {
      findings.push(
        finding('GRAPH_CHILD_INVALID', `${at}/account`, {
          expected: 'the CREATE address of an early nonce of its parent',
        }),
      );
    }
    if ((child.roleMask & 7) !== 0)
      findings.push(
        finding('GRAPH_ROLES_INVALID', `${at}/roleMask`, { expected: 'no token, hook or initializer role on a child' }),
      );
  });
  parts.externalContracts.forEach((external, index) => {
    once(external.account, `/externalContracts/${index}/account`);
    if ((external.roleMask & 7) !== 0) {
      findings.push(
        finding('GRAPH_ROLES_INVALID', `/externalContracts/${index}/roleMask`, {
          expected: 'no token, hook or initializer role on an external contract',
        }),
      );
    }
  });
  return findings;
}

/** Judges roles, addresses and accounts of the graph's contracts. */
export const contractFindings = (parts: LaunchParts): Finding[] => [
  ...roleFindings(parts),
  ...componentFindings(parts),
  ...accountFindings(parts),
];

/**
 * Requires an official pool of this graph's token and hook, in native currency, without an LP fee, priced and seeded.
 */
export function poolFindings(parts: LaunchParts): Finding[] {
  const { components, officialPool } = parts.graphBundle;
  const { poolKey } = officialPool;
  const at = '/graphBundle/officialPool';
  const findings: Finding[] = [];
  const expect = (path: string, expected: string | undefined, actual: string): void => {
    if (expected !== undefined && expected !== actual)
      findings.push(finding('GRAPH_POOL_INVALID', path, { expected, actual }));
  };
  expect(`${at}/poolKey/currency0`, ZERO_ADDRESS, poolKey.currency0);
  expect(
    `${at}/poolKey/currency1`,
    components.find((component) => (component.roleMask & 1) !== 0)?.predictedAddress,
    poolKey.currency1,
  );
  expect(
    `${at}/poolKey/hooks`,
    components.find((component) => (component.roleMask & 2) !== 0)?.predictedAddress,
    poolKey.hooks,
  );
  expect(`${at}/poolKey/fee`, '0', String(poolKey.fee));
  if (officialPool.sqrtPriceX96 === '0') expect(`${at}/sqrtPriceX96`, 'a positive price', '0');
  if (parts.liquidityModel.liquidity === '0')
    findings.push(finding('GRAPH_POOL_INVALID', '/liquidityModel/liquidity', { expected: 'positive liquidity' }));
  return findings;
}

/** Returns the findings that the request alone supports, without chain or compiler. */
export function graphFindings(request: CreateRequest): Finding[] {
  const findings = [...contractFindings(request), ...poolFindings(request)];
  // Sums that do not add up have findings of their own, and may exceed the range of a permit.
  if (findings.length > 0 || fundingFindings(request).length > 0) return findings;
  const limit = request.context.profile.limits.transactionBytes;
  const data = encodeLaunchCalldata({
    call: launchCallOf(request),
    permit: launchPermitOf(request, { requestHash: ZERO_HASH, economicsHash: ZERO_HASH }),
    signature: SIGNATURE_SHAPE,
  });
  if (calldataByteLength(data) > limit) {
    return [
      finding('GRAPH_CALLDATA_TOO_LARGE', '/graphBundle', {
        expected: `at most ${limit} bytes of calldata`,
        actual: String(calldataByteLength(data)),
      }),
    ];
  }
  return [];
}
