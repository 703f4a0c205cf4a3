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
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  // One module imports the SDK statically: a bundle gives a dynamically imported CommonJS package no named exports.
  const tracing = await import('./otlp-tracing.js');
  const stop = tracing.beginTracing(options);
  tracePool = tracing.tracePool;
  return stop;
}
