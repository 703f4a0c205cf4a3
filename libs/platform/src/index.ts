export { Gathering } from './batching/gathering.js';
export type { GatheringOptions } from './batching/gathering.js';
export { sourceCommitOfBuild } from './config/build-info.js';
export { ConfigError, loadConfig } from './config/load-config.js';
export { filedDocuments, type FiledDocument } from './config/filed-documents.js';
export {
  databaseUrl,
  flag,
  integer,
  port,
  secretTextFile,
  serviceFields,
  temporalFields,
  temporalNamespace,
  textFile,
  url,
  workerFields,
  workerVersionFields,
} from './config/fields.js';
export { Secret } from './config/secret.js';
export { isOutage } from './faults/outage.js';
export { startHealthServer } from './http/health-server.js';
export type { HealthServer, HealthServerOptions } from './http/health-server.js';
export { Counter, createMetrics, Gauge, Histogram, Registry } from './http/metrics.js';
export { scrapeReading } from './http/scrape-reading.js';
export { Readiness } from './http/readiness.js';
export { countObserverRequests } from './http/observer-requests.js';
export { measureReadiness } from './http/readiness-metrics.js';
export type { ReadinessCheck, ReadinessReport } from './http/readiness.js';
export { runService } from './lifecycle/run-service.js';
export type { ServiceContext } from './lifecycle/run-service.js';
export { Shutdown } from './lifecycle/shutdown.js';
export { createLogger } from './logging/logger.js';
export type { Logger, LoggerOptions } from './logging/logger.js';
export { newRequestId } from './logging/request-id.js';
export { recentReads } from './reads/recent-reads.js';
export type { RecentReads } from './reads/recent-reads.js';
export { createPool } from './postgres/pool.js';
export type { PoolOptions } from './postgres/pool.js';
export { execute, queryRows, RowShapeError, statement } from './postgres/statement.js';
export type { Statement } from './postgres/statement.js';
export { beginSpan, failSpan, inSpan } from './tracing/spans.js';
export { isTracing, startTracing } from './tracing/tracing.js';
export { ThreadError, ThreadPool } from './threads/thread-pool.js';
export type { ThreadFailure, ThreadPoolOptions } from './threads/thread-pool.js';
export { failpoint } from './lifecycle/failpoint.js';
export { createEd25519Signer, createEd25519Verifier, ed25519Thumbprint } from './signatures/ed25519.js';
export type { Ed25519Signature, Ed25519Signer, Ed25519Verifier } from './signatures/ed25519.js';
