import { decodeFunctionData, encodeFunctionData } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { normalHex, type Hex } from '../encoding/hex.js';
import { readCanonicalCalldata, withLowerHex } from '../launch-call/canonical-calldata.js';
import type { LaunchCall } from '../launch-call/launch.types.js';
import { ROUTER_V1_ABI } from './router-v1.abi.js';
import type { ComponentStep, LaunchPermitV1, RegisterCall } from './router-v1.types.js';

/** A call of one of router V1's entry points, in its parts. */
export type RouterV1Invocation =
  | SignedCall<'launch', { readonly call: LaunchCall }>
  | SignedCall<'deployComponent', { readonly step: ComponentStep }>
  | SignedCall<'register', { readonly call: RegisterCall }>;

type SignedCall<Name extends string, Subject> = Subject & {
  readonly entryPoint: Name;
  readonly permit: LaunchPermitV1;
  readonly signature: Hex;
};

/**
 * Encodes the calldata of an entry point as lowercase hex.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for values that the ABI types cannot hold, `HEX_INVALID`.
 */
export function encodeRouterV1Calldata(invocation: RouterV1Invocation): Hex {
  for (const initCode of initCodesOf(invocation)) normalHex(initCode, undefined, 'initCode');
  const signature = normalHex(invocation.signature, undefined, 'signature');
  return normalHex(encode(invocation, signature), undefined, 'data');
}

/**
 * Decodes calldata. Accepts only the one canonical encoding: two byte strings never mean the same call. Addresses are
 * returned in lowercase.
 * @throws {EvmError} `LAUNCH_CALLDATA_TOO_LARGE`, `LAUNCH_CALLDATA_INVALID` or `LAUNCH_CALLDATA_NOT_CANONICAL`.
 */
export function decodeRouterV1Calldata(calldata: string): RouterV1Invocation {
  return readCanonicalCalldata(calldata, decode, encodeRouterV1Calldata);
}

function initCodesOf(invocation: RouterV1Invocation): Hex[] {
  if (invocation.entryPoint === 'launch') return invocation.call.components.map(({ initCode }) => initCode);
  return invocation.entryPoint === 'deployComponent' ? [invocation.step.component.initCode] : [];
}

function encode(invocation: RouterV1Invocation, signature: Hex): Hex {
  const { permit } = invocation;
  try {
    switch (invocation.entryPoint) {
      case 'launch':
        return encodeFunctionData({
          abi: ROUTER_V1_ABI,
          functionName: 'launch',
          args: [invocation.call, permit, signature],
        });
      case 'deployComponent':
        return encodeFunctionData({
          abi: ROUTER_V1_ABI,
          functionName: 'deployComponent',
          args: [invocation.step, permit, signature],
        });
      case 'register':
        return encodeFunctionData({
          abi: ROUTER_V1_ABI,
          functionName: 'register',
          args: [invocation.call, permit, signature],
        });
    }
  } catch {
    throw new EvmError('LAUNCH_VALUE_OUT_OF_RANGE');
  }
}

function decode(data: Hex): RouterV1Invocation {
  const decoded = decodeFunctionData({ abi: ROUTER_V1_ABI, data });
  switch (decoded.functionName) {
    case 'launch': {
      const [call, permit, signature] = withLowerHex(decoded.args);
      return { entryPoint: 'launch', call, permit, signature };
    }
    case 'deployComponent': {
      const [step, permit, signature] = withLowerHex(decoded.args);
      return { entryPoint: 'deployComponent', step, permit, signature };
    }
    case 'register': {
      const [call, permit, signature] = withLowerHex(decoded.args);
      return { entryPoint: 'register', call, permit, signature };
    }
    default:
      throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  }
}
