import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem';
import { ChainError, isChainError } from '../chain.error.js';
import { AnswerTooLarge } from './bounded.fetch.js';
import type { RpcLimits } from './rpc-limits.js';

const METHOD_MISSING = new Set([-32601, -32004]);
const REVERTED = 3;
const HEX = /^0x(?:[0-9a-fA-F]{2})*$/;

/** Translates viem's errors, whose messages contain the endpoint's URL, into errors without it. */
export function chainErrorFrom(
  error: unknown,
  call: { observer: string; method: string },
  limits: RpcLimits,
): ChainError {
  if (error instanceof ChainError) return error;
  const answer = find(error, RpcRequestError);
  if (answer) return fromAnswer(answer, call);
  if (find(error, TimeoutError)) return new ChainError('RPC_TIMEOUT', call);
  if (causedBy(error, AnswerTooLarge)) {
    return new ChainError('RPC_ANSWER_TOO_LARGE', { ...call, limit: limits.answerBytes });
  }
  const http = find(error, HttpRequestError);
  return new ChainError('RPC_UNREACHABLE', { ...call, httpStatus: http?.status ?? null });
}

/** Returns the revert data of a failed call or gas estimate, or null if the failure is not a revert. */
export function revertDataOf(error: unknown): `0x${string}` | null {
  const answer = find(error, RpcRequestError);
  const failure = answer === null ? null : fromAnswer(answer, { observer: '', method: '' });
  return isChainError(failure, 'RPC_REVERTED') ? failure.data.data : null;
}

function fromAnswer(answer: RpcRequestError, call: { observer: string; method: string }): ChainError {
  if (METHOD_MISSING.has(answer.code)) return new ChainError('RPC_METHOD_MISSING', call);
  const data = revertData(answer.data);
  const rpcMessage = answer.details.slice(0, 200);
  if (answer.code === REVERTED || data !== null || /execution reverted/i.test(answer.details)) {
    return new ChainError('RPC_REVERTED', { ...call, data: data ?? '0x', rpcMessage });
  }
  return new ChainError('RPC_REFUSED', { ...call, rpcCode: answer.code, rpcMessage });
}

/** Nodes put revert data at `data`, or at `data.data`. */
function revertData(data: unknown): `0x${string}` | null {
  if (typeof data === 'string' && HEX.test(data)) return data.toLowerCase() as `0x${string}`;
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData((data as { data: unknown }).data);
  return null;
}

function find<E extends Error>(error: unknown, type: abstract new (...args: never[]) => E): E | null {
  if (error instanceof type) return error;
  if (!(error instanceof BaseError)) return null;
  const found = error.walk((inner) => inner instanceof type);
  return found instanceof type ? found : null;
}

/** Walks plain causes too: the transport wraps a foreign error, and viem's own walk stops there. */
function causedBy(error: unknown, type: abstract new (...args: never[]) => Error): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < 8; depth++) {
    if (cause instanceof type) return true;
    cause = (cause as { readonly cause?: unknown }).cause;
  }
  return false;
}
