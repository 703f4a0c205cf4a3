import { Runtime } from '@temporalio/worker';
import type { LogLevel } from '@temporalio/worker';

/** The methods of a logger that are used; pino provides them. */
export interface LogSink {
  trace(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const METHODS: Record<LogLevel, keyof LogSink> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

let isInstalled = false;

/**
 * Installs the SDK's runtime: it logs to the service's logger and leaves signals to the process's own shutdown. Call it
 * before the first connection of a worker. A process has one runtime, so a further call changes nothing.
 */
export function installTemporalRuntime(logger: LogSink): void {
  if (isInstalled) return;
  isInstalled = true;
  const log = (level: LogLevel, message: string, meta?: Record<string, unknown>) =>
    logger[METHODS[level]]({ ...meta, source: 'temporal' }, message);
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log,
      trace: (message, meta) => log('TRACE', message, meta),
      debug: (message, meta) => log('DEBUG', message, meta),
      info: (message, meta) => log('INFO', message, meta),
      warn: (message, meta) => log('WARN', message, meta),
      error: (message, meta) => log('ERROR', message, meta),
    },
    telemetryOptions: { logging: { forward: {}, filter: 'WARN' } },
  });
}
