import type { Pool } from 'pg';
import type { Logger } from '../logging/logger.js';

export interface TracingOptions {
  readonly service: string;
  /** Origin and path prefix of an OTLP collector; spans are sent to its `/v1/traces`. */
  readonly endpoint: string;
  /** Fraction of traces that are kept. All processes keep the same ones, since the trace's id decides. */
  readonly ratio: number;
  readonly logger: Logger;
}

/** Set once the process traces. */
let tracePool: ((pool: Pool) => void) | null = null;

export const isTracing = (): boolean => tracePool !== null;

/** Traces the statements of a pool in a process that traces. */
export function traceDatabase(pool: Pool): void {
  tracePool?.(pool);
}

/**
 * Begins to trace this process, and sends its spans to a collector by OTLP over HTTP. The SDK is loaded here alone, so
 * that a process without tracing pays nothing for it.
 * @returns the function that sends what is left and stops.
 */
export async function startTracing({ service, endpoint, ratio, logger }: TracingOptions): Promise<() => Promise<void>> {
  const [api, hooks, core, resources, sdk, otlp, database, outgoing] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('./database.js'),
    import('./outgoing-requests.js'),
  ]);
  const { diag, DiagLogLevel, context, propagation, trace } = api;
  const warn = (message: string): void => logger.warn({ detail: message.slice(0, 500) }, 'traces could not be sent');
  const silent = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN);
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': service }),
    sampler: new sdk.TraceIdRatioBasedSampler(ratio),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  outgoing.traceOutgoingRequests();
  tracePool = database.tracePool;
  return () => provider.shutdown();
}
