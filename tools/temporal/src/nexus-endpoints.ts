import { Connection, isGrpcServiceError } from '@temporalio/client';

/** A Nexus endpoint whose target is a task queue. */
export interface Endpoint {
  readonly name: string;
  readonly namespace: string;
  readonly taskQueue: string;
}

/** gRPC's status for a name that is taken. */
const ALREADY_EXISTS = 6;
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Settings of the server's calls of operations, as in deploy/temporal/dynamic-config.yaml: a call without an answer is repeated at
 * least every 15 s, and no caller names itself.
 */
export const CALLS = {
  'component.nexusoperations.retryPolicy.maxInterval': '15s',
  'component.nexusoperations.disallowedHeaders': [
    'request-timeout',
    'xdc-redirection-api',
    'xdc-redirection-source-cell',
    'xdc-redirection',
    'caller-name',
    'caller-type',
    'call-initiation',
    'temporal-principal-type',
    'temporal-principal-name',
    'nexus-link',
  ],
} as const;

/** Creates an endpoint unless the server has it. */
export async function makeEndpoint(
  { address }: { readonly address: string },
  { name, namespace, taskQueue }: Endpoint,
): Promise<void> {
  const connection = Connection.lazy({ address });
  try {
    await connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
      connection.operatorService.createNexusEndpoint({
        spec: { name, target: { worker: { namespace, taskQueue } } },
      }),
    );
  } catch (error) {
    if (!(isGrpcServiceError(error) && Number(error.code) === ALREADY_EXISTS)) throw error;
  } finally {
    await connection.close();
  }
}
