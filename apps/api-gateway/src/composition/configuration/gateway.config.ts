import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BlobLocation } from '@launch/blob-store';
import { type CustomLaunchContext, customLaunchContextSchema } from '@launch/contracts/launch';
import { contextSchema, type LaunchContext } from '@launch/contracts/multi-role';
import { NAMESPACES } from '@launch/contracts/orchestration';
import { LAUNCH_REPORTS, type LaunchReport } from '@launch/contracts/reports';
import { databaseUrl, integer, loadConfig, temporalNamespace, type Secret } from '@launch/platform';
import type { AnswerKeys } from '@launch/http';
import type { ModulesVariables } from '@launch/temporal';
import { z } from 'zod';
import { routerReviewsSchema, type ReviewedRouter } from '../../core/context/router-review.js';
import { DEFAULT_QUOTAS, type GatewayQuotas } from '../../platform/rate-limits/gateway-quotas.js';
import type { SignInConfig } from '../../core/accounts/sign-in/sign-in.judge.js';
import { DEFAULT_MODULE_INTAKE, type ModuleIntake } from '../../products/module-submissions/domain/module-intake.js';
import { answerKeyFile, otherAnswerKeysSchema } from '../../platform/configuration/answer-keys.js';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../platform/configuration/limits.js';
import type { StatementKeys } from '../../core/projections/statement-verifier.js';
import { publicKeyFile } from '../../platform/configuration/statement-keys.js';
import { listenerFields } from './listener.fields.js';
import { modulesFields } from './modules.fields.js';
import { strictJsonOf } from './strict-json.js';

const MAX_FILE_BYTES = 1024 * 1024;
/** The repository, or the same folders in the service's image. */
const root = path.resolve(import.meta.dirname, '../../../../..');
/** Returns the folder of a client's bundles. */
const bundlesOf = (client: string, folder = 'bundles'): string => path.join(root, 'clients', client, folder);

/** Reads a file of strict JSON that matches a schema. An absent file is null; an invalid file is refused. */
const documentFile = <T>(kind: string, document: z.ZodType<T>) =>
  z
    .string()
    .min(1)
    .transform((file, context): T | null => {
      let bytes: Buffer;
      try {
        bytes = readFileSync(file);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        context.addIssue({ code: 'custom', message: 'cannot be read' });
        return z.NEVER;
      }
      const result = document.safeParse(bytes.length > MAX_FILE_BYTES ? undefined : strictJsonOf(bytes));
      if (result.success) return result.data;
      context.addIssue({
        code: 'custom',
        message: `is not ${kind}: ${result.error.issues[0]?.path.map(String).join('.') ?? ''}`,
      });
      return z.NEVER;
    });

/** An origin: HTTPS, or HTTP on loopback, with nothing after the port. */
const origin = z.string().refine((text) => {
  if (!URL.canParse(text)) return false;
  const { origin, protocol, hostname } = new URL(text);
  return (
    origin === text &&
    (protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)))
  );
}, 'must be an HTTPS origin, https://host[:port]');

/** Comma-separated names; `none` for an empty list. */
const reports = z.string().transform((text, context): readonly LaunchReport[] => {
  const asked = text === 'none' ? [] : text.split(',');
  const known = LAUNCH_REPORTS.filter((report) => asked.includes(report));
  if (known.length === asked.length) return known;
  context.addIssue({ code: 'custom', message: `must be none, or of ${LAUNCH_REPORTS.join(',')}, each once` });
  return z.NEVER;
});

const SECONDS_A_DAY = 86_400;
const PETABYTE = 10 ** 15 - 1;

export const configSchema = z
  .object({
    ...listenerFields(NAMESPACES.launches),
    ...modulesFields,
    /** The namespace of custody, whose workers readiness counts. */
    TEMPORAL_CUSTODY_NAMESPACE: temporalNamespace(NAMESPACES.custody),
    DATABASE_POOL: integer(2, 200).default(20),
    /** URL for the role that reads the indexer's published views. Without it index reads answer 503. */
    INDEX_DATABASE_URL: databaseUrl().optional(),
    INDEX_DATABASE_POOL: integer(1, 200).default(10),
    /** If the file is absent, the deployment is unregistered and serves everything except new launches. */
    LAUNCH_CONTEXT_FILE: documentFile('a context', contextSchema).optional(),
    /** The context of custom launches and plans. If the file is absent, the deployment has neither. */
    CUSTOM_LAUNCH_CONTEXT_FILE: documentFile('a context of custom launches', customLaunchContextSchema).optional(),
    /** If the file is absent, no router is reviewed, so no context is served. */
    REVIEWED_ROUTERS_FILE: documentFile('a list of reviewed routers', routerReviewsSchema).optional(),
    /** The origin at which clients reach the gateway; workflows in the Temporal UI link to it. */
    PUBLIC_ORIGIN: origin.optional(),
    /** The origin of the site: resources link to its pages, and its scripts may call owner routes. */
    SITE_URL: origin.optional(),
    LAUNCH_REPORTS: reports.default([...LAUNCH_REPORTS]),
    DOWNLOADS_DIR: z.string().min(1).default(bundlesOf('multi-role')),
    LAUNCH_CLI_DIR: z.string().min(1).default(bundlesOf('launch-cli')),
    INDEX_READER_DIR: z.string().min(1).default(bundlesOf('index-reader')),
    DOCUMENTS_DIR: z.string().min(1).default(path.join(root, 'docs')),
    MODULE_CLI_DIR: z.string().min(1).default(bundlesOf('module-cli', 'frozen')),
    RPC_4663_URLS: z.string().min(1).optional(),
    RPC_1_URLS: z.string().min(1).optional(),
    /** File of the Ed25519 key that signs feeds and snapshots. Without it they carry only their digest. */
    ANSWER_SIGNING_KEY_FILE: answerKeyFile().optional(),
    /** Further public keys to publish. If the file is absent, there are none. */
    ANSWER_OTHER_KEYS_FILE: documentFile('a JSON Web Key Set of Ed25519 public keys', otherAnswerKeysSchema).optional(),
    /** Ed25519 keys whose results of admission the gateway stores, SPKI PEM; several during a rotation. */
    ADMISSION_PUBLIC_KEY_FILE: publicKeyFile(),
    /** The same of the finality worker. */
    FINALITY_PUBLIC_KEY_FILE: publicKeyFile(),
    SIWE_ENABLED: z.enum(['true', 'false']).default('false'),
    /** The origin of the page on which wallets sign in; the site by default. */
    SIWE_ORIGIN: origin.optional(),
    SIWE_KEY_DAYS: integer(1, 365).default(30),
    COMPILE_BUDGET_SECONDS: integer(1, 3_600).default(DEFAULT_LIMITS.compileBudgetSeconds),
    CONCURRENT_CREATES: integer(1, 1_000).default(DEFAULT_LIMITS.concurrentCreates),
    CONCURRENT_PREFLIGHTS: integer(1, 1_000).default(DEFAULT_LIMITS.concurrentPreflights),
    BLOB_MIN_FREE_BYTES: integer(0, PETABYTE).default(DEFAULT_LIMITS.blobMinFreeBytes),
    REFUSED_REQUEST_RETENTION_DAYS: integer(1, 36_500).default(DEFAULT_LIMITS.refusedRequestDays),
    MODULE_SUBMISSIONS: z.enum(['true', 'false']).default('true'),
    MODULE_MAX_FILES: integer(1, DEFAULT_MODULE_INTAKE.limits.maxFiles).default(DEFAULT_MODULE_INTAKE.limits.maxFiles),
    MODULE_MAX_FILE_BYTES: integer(1, DEFAULT_MODULE_INTAKE.limits.maxFileBytes).default(
      DEFAULT_MODULE_INTAKE.limits.maxFileBytes,
    ),
    MODULE_MAX_TOTAL_BYTES: integer(1, DEFAULT_MODULE_INTAKE.limits.maxTotalBytes).default(
      DEFAULT_MODULE_INTAKE.limits.maxTotalBytes,
    ),
    MODULE_MAX_REQUEST_BYTES: integer(1, DEFAULT_MODULE_INTAKE.limits.maxRequestBytes).default(
      DEFAULT_MODULE_INTAKE.limits.maxRequestBytes,
    ),
    UNFINISHED_LAUNCHES: integer(1, 1_000_000).default(DEFAULT_LIMITS.unfinishedLaunches),
  })
  .refine((values) => values.SIWE_ENABLED === 'false' || (values.SIWE_ORIGIN ?? values.SITE_URL) !== undefined, {
    path: ['SIWE_ORIGIN'],
    message: 'or SITE_URL is needed where signing in is enabled',
  })
  .refine(
    (values) => (values.ANSWER_OTHER_KEYS_FILE ?? null) === null || values.ANSWER_SIGNING_KEY_FILE !== undefined,
    {
      path: ['ANSWER_SIGNING_KEY_FILE'],
      message: 'is needed where other keys are published',
    },
  );

export interface GatewayConfig {
  readonly host: string;
  readonly port: number;
  readonly operations: { readonly host: string; readonly port: number };
  readonly logLevel: string;
  readonly databaseUrl: Secret<string>;
  readonly databasePool: number;
  /** Null when this deployment reads no index. */
  readonly indexDatabase: { readonly url: Secret<string>; readonly pool: number } | null;
  readonly blobs: BlobLocation;
  readonly temporal: ModulesVariables;
  readonly custodyNamespace: string;
  readonly context: LaunchContext | null;
  readonly customLaunchContext: CustomLaunchContext | null;
  readonly signIn: SignInConfig | null;
  readonly reviewedRouters: readonly ReviewedRouter[];
  readonly publicOrigin: string | null;
  readonly siteUrl: string | null;
  readonly downloadsDir: string;
  readonly launchCliDir: string;
  readonly indexReaderDir: string;
  readonly documentsDir: string;
  readonly moduleCliDir: string;
  readonly reports: readonly LaunchReport[];
  readonly moduleIntake: ModuleIntake;
  readonly l2Urls: string | undefined;
  readonly l1Urls: string | undefined;
  /** Null when answers are not signed. */
  readonly answerKeys: AnswerKeys | null;
  readonly statementKeys: StatementKeys;
  readonly credentialPepper: Secret<string>;
  readonly cursorKey: Secret<string>;
  readonly quotas: GatewayQuotas;
  readonly limits: GatewayLimits;
}

/** Reads the gateway's configuration. @throws ConfigError that names every invalid variable and no value. */
export function readGatewayConfig(env: NodeJS.ProcessEnv = process.env): GatewayConfig {
  const values = loadConfig(configSchema, env);
  const signInOrigin = values.SIWE_ORIGIN ?? values.SITE_URL;
  return {
    host: values.HOST,
    port: values.PORT,
    operations: { host: values.OPERATIONS_HOST ?? values.HOST, port: values.OPERATIONS_PORT },
    logLevel: values.LOG_LEVEL,
    databaseUrl: values.DATABASE_URL,
    databasePool: values.DATABASE_POOL,
    indexDatabase:
      values.INDEX_DATABASE_URL === undefined
        ? null
        : { url: values.INDEX_DATABASE_URL, pool: values.INDEX_DATABASE_POOL },
    blobs: values.BLOB_STORE,
    temporal: values,
    custodyNamespace: values.TEMPORAL_CUSTODY_NAMESPACE,
    context: values.LAUNCH_CONTEXT_FILE ?? null,
    customLaunchContext: values.CUSTOM_LAUNCH_CONTEXT_FILE ?? null,
    reviewedRouters: values.REVIEWED_ROUTERS_FILE?.routers ?? [],
    publicOrigin: values.PUBLIC_ORIGIN ?? null,
    siteUrl: values.SITE_URL ?? null,
    downloadsDir: values.DOWNLOADS_DIR,
    launchCliDir: values.LAUNCH_CLI_DIR,
    indexReaderDir: values.INDEX_READER_DIR,
    documentsDir: values.DOCUMENTS_DIR,
    moduleCliDir: values.MODULE_CLI_DIR,
    reports: values.LAUNCH_REPORTS,
    moduleIntake: {
      submissions: values.MODULE_SUBMISSIONS === 'true',
      limits: {
        maxFiles: values.MODULE_MAX_FILES,
        maxFileBytes: values.MODULE_MAX_FILE_BYTES,
        maxTotalBytes: values.MODULE_MAX_TOTAL_BYTES,
        maxRequestBytes: values.MODULE_MAX_REQUEST_BYTES,
      },
    },
    signIn:
      values.SIWE_ENABLED === 'true' && signInOrigin !== undefined
        ? { origin: signInOrigin, keySeconds: values.SIWE_KEY_DAYS * SECONDS_A_DAY }
        : null,
    l2Urls: values.RPC_4663_URLS,
    l1Urls: values.RPC_1_URLS,
    answerKeys:
      values.ANSWER_SIGNING_KEY_FILE === undefined
        ? null
        : { key: values.ANSWER_SIGNING_KEY_FILE, others: values.ANSWER_OTHER_KEYS_FILE ?? [] },
    statementKeys: { admission: values.ADMISSION_PUBLIC_KEY_FILE, finality: values.FINALITY_PUBLIC_KEY_FILE },
    credentialPepper: values.CREDENTIAL_PEPPER_FILE,
    cursorKey: values.CURSOR_KEY_FILE,
    quotas: values.RATE_LIMITS ?? DEFAULT_QUOTAS,
    limits: {
      ...DEFAULT_LIMITS,
      compileBudgetSeconds: values.COMPILE_BUDGET_SECONDS,
      concurrentCreates: values.CONCURRENT_CREATES,
      concurrentPreflights: values.CONCURRENT_PREFLIGHTS,
      unfinishedLaunches: values.UNFINISHED_LAUNCHES,
      trustedProxies: values.TRUSTED_PROXIES,
      blobMinFreeBytes: values.BLOB_MIN_FREE_BYTES,
      refusedRequestDays: values.REFUSED_REQUEST_RETENTION_DAYS,
    },
  };
}
