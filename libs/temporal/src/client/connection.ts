import { Client, Connection } from '@temporalio/client';
import { dataConverterOf, type PayloadNamespace } from '../payloads/data-converter.js';
import { parsePayloadKeys } from '../payloads/payload-keys.js';
import { callInterceptors } from './closed-connection.js';
import { traceStarts } from './trace-header.js';

export interface TemporalTarget extends PayloadNamespace {
  /** `host:port`. */
  address: string;
  /** True for a server with a publicly trusted certificate (Temporal Cloud with an API key); certificates for mutual TLS. */
  tls?: boolean | { serverName?: string; caCertificate?: Buffer; clientCertificate?: Buffer; clientKey?: Buffer };
  apiKey?: string;
}

interface Revealed {
  reveal(): string;
}

/** The `TEMPORAL_*` variables of a service's configuration. */
export interface TemporalVariables {
  readonly TEMPORAL_ADDRESS: string;
  readonly TEMPORAL_NAMESPACE: string;
  /** The namespace of the callers of a process that offers Nexus operations. */
  readonly TEMPORAL_LAUNCHES_NAMESPACE?: string | undefined;
  readonly TEMPORAL_TLS: boolean;
  readonly TEMPORAL_API_KEY_FILE?: Revealed | undefined;
  readonly TEMPORAL_SERVER_NAME?: string | undefined;
  readonly TEMPORAL_CA_FILE?: string | undefined;
  readonly TEMPORAL_CLIENT_CERT_FILE?: string | undefined;
  readonly TEMPORAL_CLIENT_KEY_FILE?: Revealed | undefined;
  readonly TEMPORAL_PAYLOAD_KEYS_FILE?: Revealed | undefined;
}

/** The variables of a process that also works in the namespace of modules. */
export interface ModulesVariables extends TemporalVariables {
  readonly TEMPORAL_MODULES_NAMESPACE: string;
  readonly TEMPORAL_MODULES_PAYLOAD_KEYS_FILE?: Revealed | undefined;
}

/** Returns the target in the namespace of modules, with the connection settings of the process. */
export const modulesTarget = (config: ModulesVariables): TemporalTarget =>
  temporalTarget({
    ...config,
    TEMPORAL_NAMESPACE: config.TEMPORAL_MODULES_NAMESPACE,
    TEMPORAL_PAYLOAD_KEYS_FILE: config.TEMPORAL_MODULES_PAYLOAD_KEYS_FILE,
  });

/**
 * Returns the connection target from the variables.
 * @throws TypeError for a certificate without its key or without TLS; PayloadKeysError for unusable payload keys.
 */
export function temporalTarget(config: TemporalVariables): TemporalTarget {
  const apiKey = config.TEMPORAL_API_KEY_FILE?.reveal();
  const payloadKeys = config.TEMPORAL_PAYLOAD_KEYS_FILE?.reveal();
  return {
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    payloadNamespace: config.TEMPORAL_LAUNCHES_NAMESPACE,
    tls: tlsOf(config),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(payloadKeys === undefined ? {} : { payloadKeys: parsePayloadKeys(payloadKeys) }),
  };
}

function tlsOf(config: TemporalVariables): NonNullable<TemporalTarget['tls']> {
  const {
    TEMPORAL_TLS: on,
    TEMPORAL_SERVER_NAME: serverName,
    TEMPORAL_CA_FILE: ca,
    TEMPORAL_CLIENT_CERT_FILE: certificate,
    TEMPORAL_CLIENT_KEY_FILE: key,
  } = config;
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('TEMPORAL_CLIENT_CERT_FILE and TEMPORAL_CLIENT_KEY_FILE must both be set, or neither');
  const own = [serverName, ca, certificate].some((one) => one !== undefined);
  if (!on && own)
    throw new TypeError('TEMPORAL_SERVER_NAME, TEMPORAL_CA_FILE and TEMPORAL_CLIENT_CERT_FILE need TEMPORAL_TLS=true');
  if (!own) return on;
  return {
    ...(serverName === undefined ? {} : { serverName }),
    ...(ca === undefined ? {} : { caCertificate: Buffer.from(ca) }),
    ...(certificate === undefined || key === undefined
      ? {}
      : { clientCertificate: Buffer.from(certificate), clientKey: Buffer.from(key.reveal()) }),
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
    ...(tls === undefined
      ? {}
      : {
          // Absent, it would be on with a key.
          tls:
            typeof tls === 'boolean'
              ? tls
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
  return describeClient(await Connection.connect(clientOptions(target)), target);
}

/**
 * Creates the same client without waiting for the server: the first call connects. For processes that must start before
 * Temporal does.
 */
export function connectTemporalLazily(target: TemporalTarget): TemporalClient {
  return describeClient(Connection.lazy(clientOptions(target)), target);
}

function describeClient(connection: Connection, target: PayloadNamespace): TemporalClient {
  const { namespace } = target;
  return {
    client: new Client({
      connection,
      namespace,
      dataConverter: dataConverterOf(target),
      interceptors: { workflow: [traceStarts] },
    }),
    check: async () => void (await connection.workflowService.describeNamespace({ namespace })),
    close: () => connection.close(),
  };
}
