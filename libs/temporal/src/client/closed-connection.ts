import { InterceptingCall, Metadata, status, type Interceptor } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** What gRPC throws where a call begins on a closed channel; it has no code. */
const SHUT_DOWN = 'Channel has been shut down';

type NextCall = NonNullable<ConstructorParameters<typeof InterceptingCall>[0]>;

/** A call on a closed connection: it ends with CANCELLED, which is not retried. */
function endedCall(): NextCall {
  return {
    start: (_metadata, listener) =>
      queueMicrotask(() => {
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.({
          code: status.CANCELLED,
          details: 'the connection to Temporal is closed',
          metadata: new Metadata(),
        });
      }),
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => 'closed',
    getAuthContext: () => null,
  };
}

/** gRPC throws where a call begins on a closed connection; this ends the call instead. */
const endOnClosedConnection: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    if (!(error instanceof Error) || error.message !== SHUT_DOWN) throw error;
    return new InterceptingCall(endedCall());
  }
};

/**
 * The SDK's retries, and what it lacks: it begins the next attempt in a timer, where an exception ends the process. A call
 * whose connection is closed between two attempts rejects with CANCELLED.
 */
export const callInterceptors: Interceptor[] = [
  makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
  endOnClosedConnection,
];
