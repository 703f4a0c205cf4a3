import { MODULES_PATH } from '@launch/contracts/modules';
import { PLAN_PATHS } from '@launch/contracts/plans';
import { PLAN_CONTRACT_VERSION, PLAN_RESPONSE_VERSIONS } from '@launch/contracts/launch';
import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { CAIP2, CHAIN_BASE_PATH, CHAIN_ID, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import {
  API_CATALOG_PATH,
  DISCOVERY_ALIAS,
  DISCOVERY_PATH,
  DOCUMENTATION_INDEX_PATH,
  DOCUMENTATION_PATH,
  INDEX_READER_PATH,
  launchReportPath,
  LAUNCH_CLI_PATH,
  type CustomLaunchDiscovery,
  type DocumentationIndex,
} from '@launch/contracts/reports';
import { PLATFORM_FEE_BPS } from '@launch/evm';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';

/** Seconds for which a reader may cache the document. */
export const TTL_SECONDS = 60;

const CHAIN = { chainId: '4663', caip2: CAIP2 } as const;

/** The state that discovery describes. */
export interface DiscoveryState {
  readonly reading: GatesReading;
  readonly multiRole: { readonly contextHash: Hex | null; readonly readiness: 'ready' | 'unavailable' };
  /** Digest of `/openapi.json`. */
  readonly openApiSha256: Sha256Digest;
  readonly deploymentRevision: Sha256Digest;
  /** Digests of the launch CLI and its manifest; null where they are not published. */
  readonly launchCli: { readonly program: Sha256Digest; readonly manifest: Sha256Digest } | null;
  /** Digest of the index reader; null where it is not published. */
  readonly indexReader: Sha256Digest | null;
  /** Digest of the list of documents. */
  readonly documentation: Sha256Digest;
  /** Reports whether a route with this declared path is served. */
  readonly serves: (path: string) => boolean;
}

/** Builds the discovery document (docs/reference/custom-launch.md#discovery-document). @param issuedAt RFC 3339 with milliseconds */
export function discoveryDocument(state: DiscoveryState, issuedAt: string): CustomLaunchDiscovery {
  const { reading, multiRole, openApiSha256, deploymentRevision, launchCli, indexReader, serves } = state;
  const { bound } = reading.release;
  const chains = [{ ...CHAIN, ...reading.gates }];
  const bps = PLATFORM_FEE_BPS;
  return {
    schemaVersion: 'service.custom-launch-discovery.v1',
    deploymentRevision,
    issuedAt,
    ttlSeconds: TTL_SECONDS,
    customLaunchApi: {
      versions: {
        v4: {
          profile: bound?.profile ?? null,
          ...reading.gates,
          platformFeePolicy: {
            rateBps: bps,
            ratePpm: bps * 100,
            ratePercent: (bps / 100).toFixed(2),
            recipient: bound?.platformFeeRecipient ?? null,
            scope: 'native-side-of-every-official-pool-swap',
            enforcement: 'immutable-hook',
          },
          externalIndexingGuaranteed: false,
          openApiUrl: bound?.openApi.path ?? null,
          openApiSha256: bound?.openApi.sha256 ?? null,
          chains,
        },
        multiRoleV2: {
          capabilitiesUrl: `${MULTI_ROLE_BASE_PATH}/capabilities`,
          ...multiRole,
          openApiUrl: '/openapi.json',
          openApiSha256,
        },
        planTransport: {
          contractVersion: PLAN_CONTRACT_VERSION,
          responseVersions: [...PLAN_RESPONSE_VERSIONS],
          capabilitiesUrl: serves(PLAN_PATHS.capabilities)
            ? PLAN_PATHS.capabilities.replace('{chainId}', String(CHAIN_ID))
            : null,
        },
      },
      chains,
    },
    documentation: { path: DOCUMENTATION_INDEX_PATH, contentSha256: state.documentation },
    clients: {
      indexReader:
        indexReader === null
          ? null
          : { program: { path: `${INDEX_READER_PATH}/index-reader.mjs`, contentSha256: indexReader } },
      launchCli:
        launchCli === null
          ? null
          : {
              program: { path: `${LAUNCH_CLI_PATH}/launch.mjs`, contentSha256: launchCli.program },
              manifest: { path: `${LAUNCH_CLI_PATH}/launch-cli-release.json`, contentSha256: launchCli.manifest },
            },
    },
  };
}

/** Builds the catalogue of this origin's interfaces as a link set (RFC 9264). */
export function apiCatalog(serves: DiscoveryState['serves'], { guides, reference }: DocumentationIndex): object {
  const link = (href: string, type: string) => ({ href, type });
  const json = 'application/json';
  const readiness = launchReportPath('readiness');
  return {
    linkset: [
      { anchor: API_CATALOG_PATH, item: [link(DISCOVERY_PATH, json), link(DISCOVERY_ALIAS, json)] },
      {
        anchor: CHAIN_BASE_PATH,
        'service-desc': [link('/openapi.json', json)],
        'service-doc': [link('/docs', 'text/html')],
        'service-meta': [link(DISCOVERY_PATH, json)],
        ...(serves(readiness) ? { status: [link(readiness, json)] } : {}),
      },
      {
        anchor: MODULES_PATH,
        'service-desc': [link('/openapi.json', json)],
        'service-doc': [link('/docs', 'text/html')],
        'service-meta': [link(`${MODULES_PATH}/capabilities`, json)],
        status: [link(`${MODULES_PATH}/review-capabilities`, json)],
      },
      {
        anchor: DOCUMENTATION_PATH,
        index: [link(DOCUMENTATION_INDEX_PATH, json)],
        item: [...guides, ...reference].map(({ path, mediaType }) => link(path, mediaType)),
      },
    ],
  };
}
