import { countObserverRequests, createLogger, createMetrics, measureReadiness, Readiness, Registry } from '@launch/platform';
import { HttpServer, RateLimitService, reportAnswerKey } from '@launch/http';
import { countTrouble, reportVersion } from '@launch/worker';
import { measured as admissionMetrics } from '../apps/admission-worker/src/metrics.js';
import { measureLaunches } from '../apps/api-gateway/src/core/launches/launch-metrics.js';
import { measureHandoffs } from '../apps/api-gateway/src/core/projections/handoff-metrics.js';
import { StatementVerifier } from '../apps/api-gateway/src/core/projections/statement-verifier.js';
import { BlobSpace } from '../apps/api-gateway/src/platform/storage/blob-space.js';
import { measureUnavailability } from '../apps/api-gateway/src/platform/operations/unavailability-metrics.js';
import { measureRequests } from '../apps/api-gateway/src/platform/operations/request-metrics.js';
import { measured as finalityMetrics, reportPaused } from '../apps/finality-worker/src/metrics.js';
import { indexMetrics } from '../apps/indexer/src/metrics.js';
import { reviewMetrics } from '../apps/module-review/src/metrics.js';
import { custodyMetrics } from '../apps/permit-custody/src/metrics.js';

interface Registered {
  readonly name: string;
  readonly type: ExportedMetric['type'];
  readonly help: string;
  readonly labelNames?: readonly string[];
}
/** By the name of a series: the labels that it can have. */
export type Series = ReadonlyMap<string, ReadonlySet<string>>;

/** The metrics are registered but never read here. */
const nothing = {} as never;
const logger = createLogger({ service: 'metrics', level: 'silent' });

type Register = (registry: Registry) => void;
const worker: Register = (metrics) => void countTrouble(metrics);
const versioned: Register = (metrics) => {
  worker(metrics);
  reportVersion(metrics, 'a build');
};
const observing: Register = (metrics) => void countObserverRequests(metrics);
const listener: Register = (metrics) => {
  measureRequests(new HttpServer({ rewriteTarget: (target) => target }), nothing, metrics);
  new RateLimitService(nothing, { quotas: { public: { quantity: 1, windowSeconds: 1, burst: 1 } }, sharedCountMs: 1, trustedProxies: 0, metrics, logger });
};
/** By the service of its series: the code that registers them. Every service has the readiness of its health server. */
const REGISTER: Readonly<Record<string, readonly Register[]>> = {
  'api-gateway': [
    listener,
    worker,
    observing,
    (metrics) => {
      measureLaunches(nothing, metrics, logger);
      measureUnavailability({}, metrics, logger);
      measureHandoffs(nothing, { launches: nothing, clock: nothing, metrics });
      new StatementVerifier(nothing, metrics);
      reportAnswerKey(metrics, { keys: null });
      new BlobSpace({ dir: '/', minFreeBytes: 0, now: Date.now, logger, metrics });
    },
  ],
  'review-console': [listener],
  'admission-worker': [versioned, observing, (metrics) => void admissionMetrics(nothing, metrics)],
  'finality-worker': [
    versioned,
    observing,
    (metrics) => {
      finalityMetrics(nothing, metrics);
      reportPaused(metrics, () => false);
    },
  ],
  'permit-custody': [worker, (metrics) => void custodyMetrics(metrics, 'an authority')],
  'module-builder': [worker],
  'module-review': [versioned, (metrics) => reviewMetrics(metrics, { reviews: nothing, logger, now: () => new Date() })],
  indexer: [versioned, observing, (metrics) => void indexMetrics(metrics, { sources: nothing, quarantine: nothing, holds: nothing, logger })],
};

/** A metric as the code of a service registers it. */
export interface ExportedMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** The services that export it, in the order of their names. */
  readonly services: readonly string[];
}

/** Returns every metric of the product by name, in the order of the names. The metrics of the Node.js process are excluded. */
export function exportedMetrics(): readonly ExportedMetric[] {
  const metrics = new Map<string, ExportedMetric>();
  const readiness = new Readiness({});
  for (const [service, registers] of Object.entries(REGISTER)) {
    const registry = new Registry();
    measureReadiness(readiness, registry);
    for (const register of registers) register(registry);
    for (const { name, type, help, labelNames = [] } of registry.getMetricsAsArray() as unknown as readonly Registered[]) {
      const services = [...(metrics.get(name)?.services ?? []), service].sort();
      metrics.set(name, { name, type, help, labels: labelNames, services });
    }
  }
  return [...metrics.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the series of the services, those of the Node.js process included. */
export function exportedSeries(): Series {
  const series = new Map<string, Set<string>>();
  const ofProcess = (createMetrics('any').getMetricsAsArray() as unknown as readonly Registered[]).map(({ name, type, labelNames = [] }) => ({ name, type, labels: labelNames }));
  for (const { name, type, labels } of [...exportedMetrics(), ...ofProcess])
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
      series.set(name + end, new Set(['service', ...labels, ...(end === '_bucket' ? ['le'] : [])]));
  return series;
}
