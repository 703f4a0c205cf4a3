import { codedErrors } from '@launch/contracts/errors';

/**
 * Every failure between this process and an RPC endpoint. Retryability is a property of the code. No message contains
 * an endpoint's address, which can hold a key.
 */
export interface ChainErrorData {
  RPC_CONFIGURATION_INVALID: { readonly variable: string; readonly problem: string };
  RPC_TIMEOUT: RpcCall;
  RPC_UNREACHABLE: RpcCall & { readonly httpStatus: number | null };
  RPC_REQUEST_TOO_LARGE: RpcCall & { readonly bytes: number; readonly limit: number };
  RPC_ANSWER_TOO_LARGE: RpcCall & { readonly limit: number };
  RPC_ANSWER_INVALID: RpcCall & { readonly problem: string };
  /** The node answered with a JSON-RPC error that is not a revert. */
  RPC_REFUSED: RpcCall & { readonly rpcCode: number; readonly rpcMessage: string };
  RPC_METHOD_MISSING: RpcCall;
  /** The executed code reverted; `data` is its return data, `0x` if empty. */
  RPC_REVERTED: RpcCall & { readonly data: `0x${string}`; readonly rpcMessage: string };
  CONTRACT_ANSWER_INVALID: { readonly function: string; readonly problem: string };
}

interface RpcCall {
  readonly observer: string;
  readonly method: string;
}

export type ChainErrorCode = keyof ChainErrorData;

const RETRYABLE = {
  RPC_CONFIGURATION_INVALID: false,
  RPC_TIMEOUT: true,
  RPC_UNREACHABLE: true,
  RPC_REQUEST_TOO_LARGE: false,
  RPC_ANSWER_TOO_LARGE: true,
  RPC_ANSWER_INVALID: true,
  RPC_REFUSED: true,
  RPC_METHOD_MISSING: false,
  RPC_REVERTED: false,
  CONTRACT_ANSWER_INVALID: true,
} as const satisfies Readonly<Record<ChainErrorCode, boolean>>;

export class ChainError<C extends ChainErrorCode = ChainErrorCode> extends codedErrors('ChainError', RETRYABLE) {
  declare readonly code: C;

  constructor(
    code: C,
    readonly data: ChainErrorData[C],
  ) {
    super(code, `${code} ${JSON.stringify(data)}`);
  }
}

/** Checks whether a thrown value is a ChainError with this code. */
export const isChainError = <C extends ChainErrorCode>(error: unknown, code: C): error is ChainError<C> =>
  error instanceof ChainError && error.code === code;
