import path from 'node:path';
import { runWorker } from '../start/run-worker.js';
import { probeActivities } from './probe.activities.js';

/** A worker in a namespace that a test chooses; it never reaches its database or its workflows' tasks. */
await runWorker({
  service: 'probe',
  taskQueue: 'probe',
  workflows: path.resolve(import.meta.dirname, '../../../workflows/src/finality.bundle.ts'),
  loadConfig: () => ({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    HOST: '127.0.0.1',
    METRICS_PORT: 0,
    TEMPORAL_ADDRESS: process.env['TEMPORAL_ADDRESS'] ?? '',
    TEMPORAL_NAMESPACE: process.env['TEMPORAL_NAMESPACE'] ?? '',
    TEMPORAL_TLS: false,
  }),
  compose: () => ({ activities: probeActivities, maxConcurrentActivities: 1 }),
});
