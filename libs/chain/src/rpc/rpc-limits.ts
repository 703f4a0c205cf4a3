/** Bounds of one exchange with an endpoint. */
export interface RpcLimits {
  /** Milliseconds for one request, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly requestBytes: number;
  readonly answerBytes: number;
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  timeoutMs: 8_000,
  requestBytes: 2 * 1024 * 1024,
  answerBytes: 8 * 1024 * 1024,
};
