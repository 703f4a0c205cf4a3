import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { MULTI_ROLE_BASE_PATH, type LaunchContext } from '@launch/contracts';
import type { EvaluateSourceResult } from '@launch/contracts/orchestration';
import { createLogger, createMetrics, Readiness, Secret } from '@launch/platform';
import { createGatewayDatabase, type GatewayDatabase } from '@launch/prisma-api-gateway';
import { createTestDatabase } from '@launch/testing';
import type { GatewayParts } from '../app.module.js';
import type { LaunchChain } from '../chain/launch-chain.js';
import { DEFAULT_LIMITS } from '../config/limits.js';
import { ContextService } from '../capabilities/context.service.js';
import { createGatewayApp } from '../create-app.js';
import { CredentialService } from '../credentials/credential.service.js';
import type { Scope } from '../credentials/caller.js';
import { ProjectionService } from '../projections/projection.service.js';
import { RelayService } from '../relay/relay.service.js';
import { DEFAULT_QUOTAS, type QuotaName } from '../rate-limits/quotas.js';
import type { LaunchWorkflows, RunningEvaluation } from '../temporal/launch-workflows.js';
import { TEST_CONTROLLER, testContext } from './test-request.js';

/** What was asked of Temporal; a test decides what it answers. */
export interface RecordedWorkflows extends LaunchWorkflows {
  readonly admissions: string[];
  readonly observations: { readonly launchId: string; readonly hints: readonly string[] }[];
  readonly signals: { readonly launchId: string; readonly transactionHash: string }[];
  /** Set to make every call fail, as an unreachable server does. */
  down: boolean;
  evaluation: () => Promise<EvaluateSourceResult>;
  cancelled: number;
}

export interface TestChain extends LaunchChain {
  reasons: readonly string[];
  clockSeconds: () => readonly number[] | null;
  used: Set<string>;
  agrees: boolean;
}

export interface Harness {
  readonly url: string;
  readonly base: string;
  readonly database: GatewayDatabase;
  readonly blobs: BlobStore;
  readonly blobDir: string;
  readonly workflows: RecordedWorkflows;
  readonly chain: TestChain;
  readonly projections: ProjectionService;
  readonly relay: RelayService;
  readonly clock: { shiftMs: number };
  issueKey(scopes?: readonly Scope[], controller?: string): Promise<{ readonly credentialId: string; readonly lineageId: string; readonly key: string }>;
  readonly credentials: CredentialService;
  close(): Promise<void>;
}

const GENEROUS = { quantity: 100_000, windowSeconds: 1, burst: 100_000 };

export interface HarnessOptions {
  readonly context?: LaunchContext | null;
  readonly quotas?: Partial<GatewayParts['quotas']>;
  readonly limits?: Partial<GatewayParts['limits']>;
  /** A second gateway on the same database and blobs. */
  readonly beside?: Harness;
}

/** A gateway on a free port over a real database and real files; Temporal and the chain are recorded stand-ins. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const test = options.beside === undefined ? await createTestDatabase('api-gateway') : null;
  const databaseUrl = test?.url ?? urls.get(options.beside as Harness) ?? '';
  const database = createGatewayDatabase({ url: databaseUrl });
  const blobDir = options.beside?.blobDir ?? (await mkdtemp(path.join(tmpdir(), 'gateway-blobs-')));
  const blobs = createFileBlobStore({ dir: blobDir });
  const workflows = recordedWorkflows();
  const chain = testChain();
  const clock = { shiftMs: 0, now: () => Date.now() + clock.shiftMs };
  const logger = createLogger({ service: 'api-gateway', level: process.env['TEST_LOG'] ?? 'silent' });
  const quotas = Object.fromEntries((Object.keys(DEFAULT_QUOTAS) as QuotaName[]).map((name) => [name, GENEROUS])) as unknown as GatewayParts['quotas'];
  const app = await createGatewayApp({
    database, blobs, workflows, chain, clock, logger,
    context: options.context === undefined ? testContext() : options.context,
    credentialPepper: new Secret('test pepper, long enough to be one'),
    cursorKey: new Secret('test cursor key, long enough as well'),
    quotas: { ...quotas, ...options.quotas },
    limits: { ...DEFAULT_LIMITS, concurrentCreates: 100, concurrentPreflights: 100, unfinishedLaunches: 1_000, ...options.limits },
    metrics: createMetrics('api-gateway'),
    readiness: new Readiness({ database: async () => database.query('SELECT 1') }),
  });
  await app.get(ContextService).start();
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const credentials = app.get(CredentialService);
  const harness: Harness = {
    url, base: `${url}${MULTI_ROLE_BASE_PATH}`, database, blobs, blobDir, workflows, chain, clock, credentials,
    projections: app.get(ProjectionService),
    relay: app.get(RelayService),
    issueKey: (scopes = ['custom-launch:create', 'custom-launch:read'], controller = TEST_CONTROLLER) =>
      credentials.issue({ controller, scopes, chains: ['4663'], label: null, expiresAt: null }),
    async close() {
      await app.close();
      await database.close();
      if (test === null) return;
      await test.drop();
      await rm(blobDir, { recursive: true, force: true });
    },
  };
  urls.set(harness, databaseUrl);
  return harness;
}

const urls = new WeakMap<Harness, string>();

function recordedWorkflows(): RecordedWorkflows {
  const guard = (self: RecordedWorkflows): void => {
    if (self.down) throw new Error('no server');
  };
  const self: RecordedWorkflows = {
    admissions: [], observations: [], signals: [], down: false, cancelled: 0,
    evaluation: () => Promise.reject(new Error('no evaluation was prepared')),
    async startAdmission({ launchId }) {
      guard(self);
      self.admissions.push(launchId);
    },
    async startObservation({ launchId, hints }) {
      guard(self);
      self.observations.push({ launchId, hints });
    },
    async signalHint(launchId, transactionHash) {
      guard(self);
      self.signals.push({ launchId, transactionHash });
      return true;
    },
    async startEvaluation(): Promise<RunningEvaluation> {
      guard(self);
      return { result: () => self.evaluation(), cancel: async () => void (self.cancelled += 1) };
    },
  };
  return self;
}

function testChain(): TestChain {
  const self: TestChain = {
    reasons: [], used: new Set(), agrees: true,
    clockSeconds: () => [Math.floor(Date.now() / 1_000)],
    readinessReasons: async () => self.reasons,
    clocks: async () => {
      const seconds = self.clockSeconds();
      return seconds === null ? { kind: 'unusable', reason: 'skewed' } : { kind: 'in-step', seconds };
    },
    nonceUsed: async (_router, controller, nonce) => (self.agrees ? self.used.has(`${controller} ${nonce}`) : null),
  };
  return self;
}
