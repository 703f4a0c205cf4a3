/**
 * Writes the document that `/openapi.json` serves, from the declared routes: `write-openapi.cli.js <file>`. The
 * application does not listen or connect to anything. The document describes signing in too, so that it has every route.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LAUNCH_REPORTS } from '@launch/contracts/reports';
import { AnswerSigner } from '@launch/http';
import { createLogger, createMetrics, Readiness, Secret } from '@launch/platform';
import type { GatewayParts } from './app.module.js';
import { NO_INDEX } from '../products/index/data/index-database.js';
import { DEFAULT_LIMITS } from '../platform/configuration/limits.js';
import { createGatewayApp } from './create-app.js';
import { UNBOUND_RELEASE } from '../core/gates/custom-launch-release.js';
import { DEFAULT_MODULE_INTAKE } from '../products/module-submissions/domain/module-intake.js';
import { DEFAULT_QUOTAS } from '../platform/rate-limits/gateway-quotas.js';
import { OpenApiDocument } from '../platform/openapi/openapi.document.js';

/** Replaces a part that describing routes never calls; a call fails. */
const absent = <Part extends object>(): Part => ({}) as Part;

const app = await createGatewayApp({
  database: absent(),
  indexDatabase: NO_INDEX,
  blobs: absent(),
  storageSpace: absent(),
  workflows: absent(),
  reviewWorkflows: absent(),
  chain: absent(),
  formReader: absent(),
  context: null,
  signIn: { origin: 'https://launch.example', keySeconds: 3_600 },
  reviewedRouters: [],
  publishedFiles: new Map(),
  answerSigner: new AnswerSigner(null),
  credentialPepper: new Secret('describing routes makes no key at all'),
  cursorKey: new Secret('describing routes makes no cursor at all'),
  quotas: DEFAULT_QUOTAS,
  limits: DEFAULT_LIMITS,
  clock: { now: Date.now },
  logger: createLogger({ service: 'api-gateway', level: 'silent' }),
  metrics: createMetrics('api-gateway'),
  readiness: new Readiness({}),
  machineContracts: absent(),
  customLaunchRelease: UNBOUND_RELEASE,
  siteUrl: null,
  moduleIntake: DEFAULT_MODULE_INTAKE,
  reports: LAUNCH_REPORTS,
  recoveryPause: { isPaused: () => false },
  launchWorkers: { away: async () => [] },
} satisfies GatewayParts);
const { bytes } = app.get(OpenApiDocument);
await app.close();

const [file] = process.argv.slice(2);
if (file === undefined) throw new TypeError('which file is it written to?');
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(`${file}.partial`, bytes);
renameSync(`${file}.partial`, file);
