import type { Logger } from 'pino';
import { ConfigError } from '../config/load-config.js';
import { createLogger } from '../logging/logger.js';
import { watchParent } from '../processes/parent-watch.js';
import { startTracing } from '../tracing/tracing.js';
import { Shutdown } from './shutdown.js';

export interface ServiceContext {
  logger: Logger;
  shutdown: Shutdown;
  /** Reports on stdout, at any log level, that the process accepts work: `{"msg":"ready","port":…}`. */
  ready(details: { port: number } & Record<string, unknown>): void;
}

/**
 * Runs the life of a service process. A crash ends it: an uncaught exception leaves unknown state behind, and the
 * supervisor starts a clean process. Signals drain it; the end of its supervisor ends it. `main` starts the service and
 * may stay pending while it runs; if it rejects, the process exits with 1.
 */
export async function runService(name: string, main: (service: ServiceContext) => Promise<unknown>): Promise<void> {
  const logger = createLogger({ service: name, level: process.env['LOG_LEVEL'] || 'info' });
  const shutdown = new Shutdown(logger);
  const crash = (kind: string) => (error: unknown) => {
    logger.fatal({ err: error }, kind);
    process.exit(1);
  };
  process.on('uncaughtException', crash('uncaught exception'));
  process.on('unhandledRejection', crash('unhandled rejection'));
  shutdown.listen();
  watchParent(() => void shutdown.finish('the supervisor is gone', 0));
  try {
    const endpoint = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
    if (endpoint) {
      const ratio = Number(process.env['OTEL_TRACES_SAMPLER_ARG'] || 1);
      shutdown.add('tracing', await startTracing({ service: name, endpoint, ratio, logger }));
    }
    await main({ logger, shutdown, ready: (details) => logger.child({}, { level: 'info' }).info(details, 'ready') });
  } catch (error) {
    if (shutdown.started) return;
    if (error instanceof ConfigError) logger.fatal({ problems: error.problems }, error.message);
    else logger.fatal({ err: error }, 'the service failed');
    await shutdown.finish('failure', 1);
  }
}
