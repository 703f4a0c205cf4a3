import { encodeAbiParameters, keccak256, toFunctionSelector } from 'viem/utils';
import { normalHex, type Hex } from '../encoding/hex.js';
import { componentHash, encoded, externalHash } from '../launch-call/launch-hashes.js';
import type { LaunchCall, RouterIdentity } from '../launch-call/launch.types.js';
import { ROUTER_V1_ABI } from './router-v1.abi.js';
import {
  ROUTER_V1_PROTOCOL,
  type ComponentStep,
  type RegisterCall,
  type StampFields,
  type StampedComponent,
  type WalletCall,
} from './router-v1.types.js';

type EntryPoint = 'launch' | 'deployComponent' | 'register';

const entryPoint = (name: EntryPoint) =>
  ROUTER_V1_ABI.find((item) => item.type === 'function' && item.name === name) as Extract<
    (typeof ROUTER_V1_ABI)[number],
    { name: EntryPoint }
  >;
const SELECTORS: Readonly<Record<EntryPoint, Hex>> = {
  launch: toFunctionSelector(entryPoint('launch')),
  deployComponent: toFunctionSelector(entryPoint('deployComponent')),
  register: toFunctionSelector(entryPoint('register')),
};
const [REGISTER_CALL] = entryPoint('register').inputs;

const UINT8 = { type: 'uint8' } as const;
const UINT256 = { type: 'uint256' } as const;
const ADDRESS = { type: 'address' } as const;
const BYTES4 = { type: 'bytes4' } as const;
const BYTES32 = { type: 'bytes32' } as const;
const BYTES32_LIST = { type: 'bytes32[]' } as const;
const COMPONENT_SET = {
  type: 'tuple[]',
  components: [
    { name: 'account', type: 'address' },
    { name: 'kind', type: 'uint8' },
    { name: 'runtimeCodeHash', type: 'bytes32' },
  ],
} as const;
const WALLET_CALLS = {
  type: 'tuple[]',
  components: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
  ],
} as const;

/** Returns a launch with creation codes as hashes, as the `register` call of a plan carries it. */
export function registerCallOf(call: LaunchCall): RegisterCall {
  return {
    ...call,
    components: call.components.map(({ roleMask, salt, initCode, runtimeCodeHash }) => ({
      roleMask,
      salt,
      initCodeHash: encoded(() => normalHex(initCode, undefined, 'initCode')),
      runtimeCodeHash,
    })),
  };
}

/** Returns a plan's `callHash`: keccak256(abi.encode(RegisterCall)) as one tuple parameter. */
export function registerCallHash(call: RegisterCall): Hex {
  return encoded(() => encodeAbiParameters([REGISTER_CALL], [call as never]));
}

/** Returns the deploy steps of a plan, one per component, in graph order. */
export function componentStepsOf(call: LaunchCall): ComponentStep[] {
  const componentHashes = call.components.map(componentHash);
  const externalHashes = call.externals.map(externalHash);
  return call.components.map((component, ordinal) => ({
    ordinal,
    component,
    componentHashes,
    children: call.children,
    externalHashes,
  }));
}

/** Returns keccak256(abi.encode(bytes4 entryPoint, bytes32 subject, uint256 value)): one transaction of a launch. */
export function stepHashOf(selector: Hex, subject: Hex, value: bigint): Hex {
  return encoded(() => encodeAbiParameters([BYTES4, BYTES32, UINT256], [selector, subject, value]));
}

const stepHash = (name: EntryPoint, subject: Hex, value: bigint): Hex => stepHashOf(SELECTORS[name], subject, value);

/** Returns the `stepsHash` of a permit: its transactions in order. */
export const stepsHash = (steps: readonly Hex[]): Hex => encoded(() => encodeAbiParameters([BYTES32_LIST], [steps]));

/** Returns the `stepsHash` of a permit in mode single: the one call of `launch`. */
export function launchStepsHash(callHash: Hex, value: bigint): Hex {
  return stepsHash([stepHash('launch', callHash, value)]);
}

/**
 * Returns the `stepsHash` of a plan's permit: every component without value, then the registration with the whole
 * value.
 */
export function planStepsHash(componentHashes: readonly Hex[], callHash: Hex, value: bigint): Hex {
  return stepsHash([
    ...componentHashes.map((hash) => stepHash('deployComponent', hash, 0n)),
    stepHash('register', callHash, value),
  ]);
}

/**
 * Returns the launch's id on chain, like that of router V2: keccak256(abi.encode(PROTOCOL, chainId, router, controller,
 * nonce)).
 */
export function onchainLaunchIdV1(identity: RouterIdentity, controller: Hex, nonce: bigint): Hex {
  return encoded(() =>
    encodeAbiParameters(
      [BYTES32, UINT256, ADDRESS, ADDRESS, UINT256],
      [ROUTER_V1_PROTOCOL, identity.chainId, identity.router, controller, nonce],
    ),
  );
}

/** Returns keccak256(abi.encode(Component{account, kind, runtimeCodeHash}[])) in the order of the component events. */
export function componentSetHash(components: readonly StampedComponent[]): Hex {
  return encoded(() => encodeAbiParameters([COMPONENT_SET], [components]));
}

/**
 * Returns the value of `stampProof(launchId)`: the hash over the launch, the router and every other word of its stamp.
 */
export function stampHash(launchId: Hex, identity: RouterIdentity, stamp: StampFields): Hex {
  return encoded(() =>
    encodeAbiParameters(
      [BYTES32, UINT256, ADDRESS, UINT8, ADDRESS, ADDRESS, ADDRESS, BYTES32, ADDRESS, BYTES32, BYTES32],
      [
        launchId,
        identity.chainId,
        identity.router,
        stamp.kind,
        stamp.token,
        stamp.hook,
        stamp.poolManager,
        stamp.poolId,
        stamp.routeLauncher,
        stamp.routePayloadHash,
        stamp.componentSetHash,
      ],
    ),
  );
}

/**
 * Returns the `digest` of an atomic authorization: keccak256(abi.encode(permitDigest, keccak256(abi.encode(calls)))).
 */
export function atomicDigest(permitDigest: Hex, calls: readonly WalletCall[]): Hex {
  return encoded(() =>
    encodeAbiParameters([BYTES32, BYTES32], [permitDigest, keccak256(encodeAbiParameters([WALLET_CALLS], [calls]))]),
  );
}
