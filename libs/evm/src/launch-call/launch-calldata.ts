import { decodeFunctionData, encodeFunctionData } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { normalHex, type Hex } from '../encoding/hex.js';
import { readCanonicalCalldata, withLowerHex } from './canonical-calldata.js';
import type { LaunchCall, LaunchPermit } from './launch.types.js';
import { ROUTER_V2_ABI } from './router-v2.abi.js';

/** `launch(call, permit, signature)` as its three parts. */
export interface LaunchInvocation {
  readonly call: LaunchCall;
  readonly permit: LaunchPermit;
  readonly signature: Hex;
}

/**
 * Encodes the calldata of `launch` as lowercase hex.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for values that the ABI types cannot hold, `HEX_INVALID`.
 */
export function encodeLaunchCalldata(invocation: LaunchInvocation): Hex {
  const { call, permit, signature } = invocation;
  for (const { initCode } of call.components) normalHex(initCode, undefined, 'initCode');
  return normalHex(encode(call, permit, normalHex(signature, undefined, 'signature')), undefined, 'data');
}

function encode(call: LaunchCall, permit: LaunchPermit, signature: Hex): Hex {
  try {
    return encodeFunctionData({ abi: ROUTER_V2_ABI, functionName: 'launch', args: [call, permit, signature] });
  } catch {
    throw new EvmError('LAUNCH_VALUE_OUT_OF_RANGE');
  }
}

/** Returns the length of calldata in bytes, for the chain's transaction limit. */
export function calldataByteLength(calldata: Hex): number {
  return calldata.length / 2 - 1;
}

/**
 * Decodes the calldata of `launch`. Accepts only the one canonical encoding: two byte strings never mean the same
 * launch. Addresses are returned in lowercase.
 *
 * @throws {EvmError} `LAUNCH_CALLDATA_TOO_LARGE`, `LAUNCH_CALLDATA_INVALID` or `LAUNCH_CALLDATA_NOT_CANONICAL`.
 */
export function decodeLaunchCalldata(calldata: string): LaunchInvocation {
  return readCanonicalCalldata(calldata, decode, encodeLaunchCalldata);
}

function decode(data: Hex): LaunchInvocation {
  const { functionName, args } = decodeFunctionData({ abi: ROUTER_V2_ABI, data });
  if (functionName !== 'launch') throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  const [call, permit, signature] = withLowerHex(args);
  return { call, permit, signature };
}
