import { decodeFunctionData, encodeFunctionData } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import { isHex, normalHex, type Hex } from '../encoding/hex.js';
import type { LaunchCall, LaunchPermit } from './launch.types.js';
import { ROUTER_V2_ABI } from './router-v2.abi.js';

/** Calldata above this is refused unread. A chain's own transaction limit is configuration, and lower. */
export const MAX_LAUNCH_CALLDATA_BYTES = 1_048_576;

/** `launch(call, permit, signature)` as its three parts. */
export interface LaunchInvocation {
  readonly call: LaunchCall;
  readonly permit: LaunchPermit;
  readonly signature: Hex;
}

/**
 * The calldata of `launch`. Lowercase hex.
 * @throws {EvmError} `LAUNCH_VALUE_OUT_OF_RANGE` for what the ABI types cannot hold, `HEX_INVALID`.
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

/** Bytes of calldata, for the chain's transaction limit. */
export function calldataByteLength(calldata: Hex): number {
  return calldata.length / 2 - 1;
}

/**
 * Reads the calldata of `launch` back. Only the one canonical encoding is read: two byte strings never
 * mean the same launch. Addresses come back lowercase.
 *
 * @throws {EvmError} `LAUNCH_CALLDATA_TOO_LARGE`, `LAUNCH_CALLDATA_INVALID` or `LAUNCH_CALLDATA_NOT_CANONICAL`.
 */
export function decodeLaunchCalldata(calldata: string): LaunchInvocation {
  if (calldata.length > 2 + 2 * MAX_LAUNCH_CALLDATA_BYTES) throw new EvmError('LAUNCH_CALLDATA_TOO_LARGE', 'data');
  if (!isHex(calldata)) throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  const data = normalHex(calldata, undefined, 'data');
  const invocation = decode(data);
  if (encodeLaunchCalldata(invocation) !== data) throw new EvmError('LAUNCH_CALLDATA_NOT_CANONICAL', 'data');
  return invocation;
}

function decode(data: Hex): LaunchInvocation {
  try {
    const decoded = decodeFunctionData({ abi: ROUTER_V2_ABI, data });
    if (decoded.functionName !== 'launch') throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
    const [call, permit, signature] = decoded.args;
    const { poolKey } = call;
    return {
      call: {
        ...call,
        children: call.children.map((child) => ({ ...child, account: lower(child.account) })),
        externals: call.externals.map((external) => ({ ...external, account: lower(external.account) })),
        poolKey: {
          ...poolKey,
          currency0: lower(poolKey.currency0),
          currency1: lower(poolKey.currency1),
          hooks: lower(poolKey.hooks),
        },
      },
      permit: { ...permit, controller: lower(permit.controller) },
      signature,
    };
  } catch (error) {
    if (error instanceof EvmError) throw error;
    throw new EvmError('LAUNCH_CALLDATA_INVALID', 'data');
  }
}

function lower(address: Hex): Hex {
  return address.toLowerCase() as Hex;
}
