import { createLogger, createMetrics, type Registry } from '@launch/platform';
import { HttpServer, RateLimitService } from '@launch/http';
import { measured as admissionMetrics } from '../apps/admission-worker/src/metrics.js';
import { measureLaunches } from '../apps/api-gateway/src/core/launches/launch-metrics.js';
import { BlobSpace } from '../apps/api-gateway/src/platform/storage/blob-space.js';
import { measureRequests } from '../apps/api-gateway/src/platform/operations/request-metrics.js';
import { measured as finalityMetrics, reportPaused } from '../apps/finality-worker/src/metrics.js';
import { indexMetrics } from '../apps/indexer/src/metrics.js';
import { reviewMetrics } from '../apps/module-review/src/metrics.js';
import { custodyMetrics } from '../apps/permit-custody/src/metrics.js';

interface Registered {
  readonly name: string;
  readonly type: string;
  readonly labelNames?: readonly string[];
}
/** By the name of a series: the labels that it can have. */
export type Series = ReadonlyMap<string, ReadonlySet<string>>;

/** The metrics are registered but never read here. */
const nothing = {} as never;
const logger = createLogger({ service: 'metrics', level: 'silent' });
const REGISTER: Readonly<Record<string, (registry: Registry) => void>> = {
  'api-gateway': (metrics) => {
    measureRequests(new HttpServer({ rewriteTarget: (target) => target }), nothing, metrics);
    measureLaunches(nothing, metrics, logger);
    new BlobSpace({ dir: '/', minFreeBytes: 0, now: Date.now, logger, metrics });
    new RateLimitService(nothing, { quotas: { public: { quantity: 1, windowSeconds: 1, burst: 1 } }, sharedCountMs: 1, trustedProxies: 0, metrics, logger });
  },
  'admission-worker': (metrics) => admissionMetrics(nothing, metrics),
  'finality-worker': (metrics) => {
    finalityMetrics(nothing, metrics);
    reportPaused(metrics, () => false);
  },
  'permit-custody': (metrics) => custodyMetrics(metrics),
  'module-review': (metrics) => reviewMetrics(metrics, { reviews: nothing, logger, now: () => new Date() }),
  indexer: (metrics) => indexMetrics(metrics, { sources: nothing, quarantine: nothing, holds: nothing, logger }),
};

/** Every series of the services, as their own code registers it. */
export function exportedSeries(): Series {
  const series = new Map<string, Set<string>>();
  const add = (name: string, labels: readonly string[]): void => {
    const known = series.get(name) ?? new Set(['service']);
    series.set(name, known);
    for (const label of labels) known.add(label);
  };
  for (const [service, register] of Object.entries(REGISTER)) {
    const registry = createMetrics(service);
    register(registry);
    for (const { name, type, labelNames = [] } of registry.getMetricsAsArray() as unknown as readonly Registered[]) {
      if (type !== 'histogram') add(name, labelNames);
      else for (const [end, labels] of [['_bucket', ['le']], ['_sum', []], ['_count', []]] as const) add(name + end, [...labelNames, ...labels]);
    }
  }
  return series;
}
