import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARENT_PID_VARIABLE } from '@launch/platform/processes';
import type { DatabaseUrls, GuestUrls, PublishedUrls } from './databases.js';
import type { DataFolder, Secrets } from './data-folder.js';
import type { NodeProcess } from './node-process.js';
import { startNodeProcess } from './node-process.js';
import { REVIEW_CONSOLE_PROGRAM } from './program-bundles.js';
import type { PublishedContexts } from './published-contexts.js';
import type { Stack } from './stack.schema.js';

export const SERVICE_NAMES = [
  'permit-custody',
  'admission-worker',
  'finality-worker',
  'module-builder',
  'module-review',
  'indexer',
  'review-console',
  'api-gateway',
  'site',
] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** The settings of the services. */
export interface ServiceWorld extends PublishedContexts {
  folder: DataFolder;
  secrets: Secrets;
  root: string;
  /** Folder of the programs, see `programBundles`. */
  programs: string;
  urls: DatabaseUrls;
  publishedUrls: PublishedUrls;
  guestUrls: GuestUrls;
  temporal: Omit<Stack['temporal'], 'ui'>;
  /** `id=url,id=url` of the two observers of each chain. */
  rpc: { '4663': string; '1': string };
  /** Seconds from inclusion to finality on the development chains. Absent for other chains. */
  finalitySeconds?: number;
  permitKeyFile: string;
  reviewerPolicyFile: string;
  /** Port of the gateway's readiness and metrics; a twin takes a free one. */
  operationsPort: number;
  /** Port of the review console; a twin takes a free one. */
  reviewerPort: number;
  /** The website; null for a stack without one. */
  site: {
    readonly port: number;
    readonly url: string;
    readonly gatewayUrl: string;
    readonly deploymentsFile: string;
  } | null;
  /** The caller's environment, for what is passed on. */
  env: NodeJS.ProcessEnv;
}

const READY_TIMEOUT_MS = 60_000;
const STOP_GRACE_MS = 30_000;
const HEALTH_TIMEOUT_MS = 60_000;
/** Variables that a service takes unchanged from the caller's environment. */
export const PASSED_ON = [
  'LOG_LEVEL',
  'TEMPORAL_TLS',
  'TEMPORAL_API_KEY_FILE',
  'RATE_LIMITS',
  'CONCURRENT_CREATES',
  'CONCURRENT_PREFLIGHTS',
  'UNFINISHED_LAUNCHES',
  'MODULE_SUBMISSIONS',
  'MODULE_MAX_FILES',
  'MODULE_MAX_FILE_BYTES',
  'MODULE_MAX_TOTAL_BYTES',
  'MODULE_MAX_REQUEST_BYTES',
  'TRUSTED_PROXIES',
  'BLOB_MIN_FREE_BYTES',
  'REFUSED_REQUEST_RETENTION_DAYS',
  'SIWE_ENABLED',
  'SIWE_ORIGIN',
  'SIWE_KEY_DAYS',
  'SITE_URL',
  'LAUNCH_REPORTS',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
];

/** Those that a stack has: nothing is indexed where no source is bound. */
export const servicesOf = (
  { indexSourcesDir, site }: Pick<ServiceWorld, 'indexSourcesDir' | 'site'>,
  without: readonly ServiceName[],
): readonly ServiceName[] =>
  SERVICE_NAMES.filter(
    (name) =>
      !without.includes(name) &&
      (name !== 'indexer' || indexSourcesDir !== undefined) &&
      (name !== 'site' || site !== null),
  );

/** The namespace of a service; the gateway works in that of modules too. */
function namespaceOf(
  name: ServiceName,
  { namespace, custodyNamespace, modulesNamespace }: ServiceWorld['temporal'],
): string {
  if (name === 'permit-custody') return custodyNamespace;
  return ['module-builder', 'module-review', 'review-console'].includes(name) ? modulesNamespace : namespace;
}

/** A service's whole environment: nothing of another's database or keys is in it. */
export function serviceEnvironment(name: ServiceName, world: ServiceWorld, port: number): Record<string, string> {
  if (name === 'site') return siteEnvironment(world, port);
  const { folder, secrets, urls } = world;
  const shared: Record<string, string> = {
    PATH: world.env['PATH'] ?? '',
    [PARENT_PID_VARIABLE]: String(process.pid),
    HOST: '127.0.0.1',
    TEMPORAL_ADDRESS: world.temporal.address,
    TEMPORAL_NAMESPACE: namespaceOf(name, world.temporal),
    BLOB_STORE: folder.blobs,
    ...(world.customLaunchContextFile === undefined
      ? {}
      : { CUSTOM_LAUNCH_CONTEXT_FILE: world.customLaunchContextFile }),
  };
  const previousCustomLaunchContexts: Record<string, string> =
    world.previousCustomLaunchContextsDir === undefined
      ? {}
      : { PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR: world.previousCustomLaunchContextsDir };
  for (const variable of PASSED_ON) {
    const value = world.env[variable];
    if (value) shared[variable] = value;
  }
  switch (name) {
    case 'api-gateway':
      return {
        ...shared,
        PORT: String(port),
        PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
        // Wallets sign in on the pages of the site.
        ...(world.site === null ? {} : { SITE_URL: world.site.url, SIWE_ENABLED: 'true', SIWE_ORIGIN: world.site.url }),
        // The site names its visitors.
        ...(world.site === null ? {} : { TRUSTED_PROXIES: shared['TRUSTED_PROXIES'] ?? '1' }),
        TEMPORAL_CUSTODY_NAMESPACE: world.temporal.custodyNamespace,
        TEMPORAL_MODULES_NAMESPACE: world.temporal.modulesNamespace,
        DATABASE_URL: urls['api-gateway'],
        LAUNCH_CONTEXT_FILE: world.contextFile,
        REVIEWED_ROUTERS_FILE: world.reviewsFile,
        DOWNLOADS_DIR: path.join(world.root, 'clients', 'multi-role', 'bundles'),
        LAUNCH_CLI_DIR: path.join(world.root, 'clients', 'launch-cli', 'bundles'),
        INDEX_READER_DIR: path.join(world.root, 'clients', 'index-reader', 'bundles'),
        DOCUMENTS_DIR: path.join(world.root, 'docs'),
        MODULE_CLI_DIR: path.join(world.root, 'clients', 'module-cli', 'frozen'),
        RPC_4663_URLS: world.rpc['4663'],
        RPC_1_URLS: world.rpc['1'],
        ...(world.publishedUrls.indexer === undefined ? {} : { INDEX_DATABASE_URL: world.publishedUrls.indexer }),
        CREDENTIAL_PEPPER_FILE: secrets.pepperFile,
        CURSOR_KEY_FILE: secrets.cursorKeyFile,
        ANSWER_SIGNING_KEY_FILE: secrets.answerSigningKeyFile,
        ADMISSION_PUBLIC_KEY_FILE: secrets.admissionPublicKeyFile,
        FINALITY_PUBLIC_KEY_FILE: secrets.finalityPublicKeyFile,
      };
    case 'review-console':
      return {
        ...shared,
        PORT: String(port),
        // Who brings a database of the gateway has the console enter it likewise.
        DATABASE_URL: world.guestUrls['api-gateway'] ?? urls['api-gateway'],
        BUILD_RESULTS_STORE: folder.buildResults,
        CREDENTIAL_PEPPER_FILE: secrets.pepperFile,
        CURSOR_KEY_FILE: secrets.cursorKeyFile,
      };
    case 'admission-worker':
      return {
        ...shared,
        METRICS_PORT: String(port),
        DATABASE_URL: urls.admission,
        ...previousCustomLaunchContexts,
        RPC_4663_URLS: world.rpc['4663'],
        RPC_1_URLS: world.rpc['1'],
        COMPILER_CACHE_DIR: folder.compilerCache,
        ADMISSION_SIGNING_KEY_FILE: secrets.admissionSigningKeyFile,
      };
    case 'permit-custody':
      return {
        ...shared,
        METRICS_PORT: String(port),
        TEMPORAL_LAUNCHES_NAMESPACE: world.temporal.namespace,
        DATABASE_URL: urls.custody,
        LAUNCH_CONTEXT_FILE: world.contextFile,
        PREVIOUS_CONTEXTS_DIR: world.previousContextsDir ?? '',
        ...previousCustomLaunchContexts,
        PERMIT_KEY_FILE: world.permitKeyFile,
        ADMISSION_PUBLIC_KEY_FILE: secrets.admissionPublicKeyFile,
      };
    case 'finality-worker':
      return {
        ...shared,
        METRICS_PORT: String(port),
        DATABASE_URL: urls.finality,
        LAUNCH_CONTEXT_FILE: world.contextFile,
        RPC_4663_URLS: world.rpc['4663'],
        RPC_1_URLS: world.rpc['1'],
        FINALITY_SIGNING_KEY_FILE: secrets.finalitySigningKeyFile,
        FINALITY_PUBLIC_KEY_FILE: secrets.finalityPublicKeyFile,
        FINALITY_POLL_MIN_MS: '1000',
        FINALITY_POLL_MAX_MS: '5000',
        ...expectations(world.finalitySeconds),
      };
    case 'module-review':
      return {
        ...shared,
        METRICS_PORT: String(port),
        DATABASE_URL: urls['module-review'],
        REVIEWER_POLICY_FILE: world.reviewerPolicyFile,
      };
    case 'indexer':
      return {
        ...shared,
        METRICS_PORT: String(port),
        DATABASE_URL: urls.indexer,
        INDEX_SOURCES_DIR: world.indexSourcesDir ?? '',
        RPC_4663_URLS: world.rpc['4663'],
        RPC_1_URLS: world.rpc['1'],
        ...(world.finalitySeconds === undefined ? {} : { INDEX_POLL_MS: '500', INDEX_FINALITY_POLL_MS: '1000' }),
      };
    case 'module-builder':
      return {
        ...shared,
        METRICS_PORT: String(port),
        BUILD_RESULTS_STORE: folder.buildResults,
        REVIEWER_POLICY_FILE: world.reviewerPolicyFile,
        BUILD_SIGNING_KEY_FILE: secrets.buildSigningKeyFile,
      };
  }
}

/** The site has public routes and the files of its build only: no database, no secret, no Temporal. */
function siteEnvironment({ site, env }: ServiceWorld, port: number): Record<string, string> {
  if (site === null) throw new Error('this stack has no site');
  return {
    PATH: env['PATH'] ?? '',
    [PARENT_PID_VARIABLE]: String(process.pid),
    HOST: '127.0.0.1',
    PORT: String(port),
    GATEWAY_URL: site.gatewayUrl,
    SITE_URL: site.url,
    TRUSTED_DEPLOYMENTS_FILE: site.deploymentsFile,
  };
}

/**
 * Each stage takes a part of the time to finality, or on a busy machine all of it. A final launch is polled twice and proven.
 */
function expectations(finalitySeconds: number | undefined): Record<string, string> {
  if (finalitySeconds === undefined) return {};
  const stageMs = Math.ceil(finalitySeconds * 1_000);
  return {
    FINALITY_EXPECT_INCLUDED_MS: '5000',
    FINALITY_EXPECT_POSTED_MS: String(stageMs),
    FINALITY_EXPECT_FINALIZED_MS: String(stageMs + 5_000),
  };
}

export interface Service extends NodeProcess {
  url: string;
  /** URL of `/healthz`, `/readyz` and `/metrics`: the only port of a worker, a second one of the gateway and the console. */
  operationsUrl: string;
}

/** The program of a service, below the repository's root. */
const programOf = (name: ServiceName): string =>
  name === 'review-console'
    ? REVIEW_CONSOLE_PROGRAM
    : path.join('apps', name, 'dist', name === 'site' ? 'server/index.js' : 'main.js');

/** A second process of a service, beside the first. */
export type TwinName = `${ServiceName}-2`;
export const twinOf = (name: ServiceName): TwinName => `${name}-2`;

/**
 * Starts a service and waits until it says, over HTTP, that it can work.
 * @param instance Names this process of the service: its log and its process id are kept under it.
 * @param signal Gives up a start that is under way.
 */
export async function startService(
  name: ServiceName,
  world: ServiceWorld,
  port: number,
  extraEnv: Readonly<Record<string, string>>,
  instance: ServiceName | TwinName,
  signal: AbortSignal,
): Promise<Service> {
  const running = await startNodeProcess(
    {
      name: instance,
      program: programOf(name),
      // Vite has bundled the site, beside the files that it serves.
      programs: name === 'site' ? world.root : world.programs,
      args: [],
      cwd: world.root,
      env: {
        // The site's program is not among the others, its compiled code is.
        ...(name === 'site' ? { NODE_COMPILE_CACHE: path.join(world.programs, 'compiled') } : {}),
        ...serviceEnvironment(name, world, port),
        ...(instance === 'api-gateway' ? { OPERATIONS_PORT: String(world.operationsPort) } : {}),
        ...extraEnv,
      },
      logFile: path.join(world.folder.logs, `${instance}.log`),
      pidFile: path.join(world.folder.run, `${instance}.pid`),
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopGraceMs: STOP_GRACE_MS,
      signal,
    },
    (line) => line['msg'] === 'ready' && typeof line['port'] === 'number',
  );
  const url = `http://127.0.0.1:${String(running.ready['port'])}`;
  const operationsUrl = `http://127.0.0.1:${String(running.ready['operations'] ?? running.ready['port'])}`;
  let ended = false;
  void running.exited.then(() => (ended = true));
  const until = Date.now() + HEALTH_TIMEOUT_MS;
  let last = 'no answer';
  while (Date.now() < until && !ended && !signal.aborted) {
    try {
      const response = await fetch(`${operationsUrl}/readyz`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      last = await response.text();
      if (response.ok) return { ...running, url, operationsUrl };
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(100, undefined, { signal }).catch(() => undefined);
  }
  await running.stop();
  signal.throwIfAborted();
  throw new Error(
    `${instance} ${ended ? 'ended' : 'did not get healthy'}: ${last.slice(0, 500)}; see ${path.join(world.folder.logs, `${instance}.log`)}`,
  );
}
