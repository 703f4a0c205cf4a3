import { Client, Connection } from '@temporalio/client';
import { dataConverter } from '../payload-rule.js';
import { callInterceptors } from './closed-connection.js';

export interface TemporalTarget {
  /** `host:port`. */
  address: string;
  namespace: string;
  /** True for a server with a publicly trusted certificate (Temporal Cloud with an API key); certificates for mutual TLS. */
  tls?: boolean | { serverName?: string; caCertificate?: Buffer; clientCertificate?: Buffer; clientKey?: Buffer };
  apiKey?: string;
}

/** Returns the connection target from the `TEMPORAL_*` variables of a service's configuration. */
export function temporalTarget(config: {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  readonly TEMPORAL_TLS: boolean;
  readonly TEMPORAL_API_KEY_FILE?: { reveal(): string } | undefined;
}): TemporalTarget {
  const apiKey = config.TEMPORAL_API_KEY_FILE?.reveal();
  return {
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    tls: config.TEMPORAL_TLS,
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

export interface TemporalClient {
  client: Client;
  /** Rejects while the server does not respond: a readiness check. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Returns address, encryption and key in the form of both of the SDK's connections. */
export function connectionOptions(target: TemporalTarget) {
  const { tls } = target;
  return {
    address: target.address,
    ...(target.apiKey === undefined ? {} : { apiKey: target.apiKey }),
    ...(tls === undefined || tls === false
      ? {}
      : {
          tls:
            tls === true
              ? true
              : {
                  ...(tls.serverName === undefined ? {} : { serverNameOverride: tls.serverName }),
                  ...(tls.caCertificate === undefined ? {} : { serverRootCACertificate: tls.caCertificate }),
                  ...(tls.clientCertificate === undefined || tls.clientKey === undefined
                    ? {}
                    : { clientCertPair: { crt: tls.clientCertificate, key: tls.clientKey } }),
                },
        }),
  };
}

const clientOptions = (target: TemporalTarget) => ({
  ...connectionOptions(target),
  connectTimeout: CONNECT_TIMEOUT_MS,
  interceptors: callInterceptors,
});

/**
 * Creates a client for starting, signalling and describing workflows. Outgoing payloads obey the size rule.
 * @throws if the server cannot be reached within 10 s.
 */
export async function connectTemporal(target: TemporalTarget): Promise<TemporalClient> {
  return describeClient(await Connection.connect(clientOptions(target)), target.namespace);
}

/**
 * Creates the same client without waiting for the server: the first call connects. For processes that must start before
 * Temporal does.
 */
export function connectTemporalLazily(target: TemporalTarget): TemporalClient {
  return describeClient(Connection.lazy(clientOptions(target)), target.namespace);
}

function describeClient(connection: Connection, namespace: string): TemporalClient {
  return {
    client: new Client({ connection, namespace, dataConverter }),
    check: async () => void (await connection.workflowService.describeNamespace({ namespace })),
    close: () => connection.close(),
  };
}
