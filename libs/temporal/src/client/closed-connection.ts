import { InterceptingCall, Metadata, status, type Interceptor } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** The message of gRPC's error for a call on a closed channel; the error has no code. */
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

/** Ends a call on a closed connection with CANCELLED, where gRPC would throw. */
const endOnClosedConnection: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    if (!(error instanceof Error) || error.message !== SHUT_DOWN) throw error;
    return new InterceptingCall(endedCall());
  }
};

/**
 * The SDK's retries with a missing guard: the SDK starts the next attempt in a timer, where an exception ends the
 * process. With this guard, a call whose connection closes between two attempts rejects with CANCELLED.
 */
export const callInterceptors: Interceptor[] = [
  makeGrpcRetryInterceptor(defaultGrpcRetryOptions()),
  endOnClosedConnection,
];
