import { Gauge, type Registry } from 'prom-client';
import type { Readiness } from './readiness.js';

/** Registers the checks and the switched-off parts of a process; a scrape runs them as `/readyz` does. */
export function measureReadiness(readiness: Readiness, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'launch_readiness_check_failed',
    help: 'Whether a readiness check of the process fails.',
    labelNames: ['check'],
    registers,
    async collect() {
      const { checks } = await readiness.report();
      this.reset();
      for (const [check, outcome] of Object.entries(checks)) this.set({ check }, Number(outcome !== 'ok'));
    },
  });
  new Gauge({
    name: 'launch_readiness_degraded',
    help: 'Parts of the process that are switched off or impaired: 1 for each.',
    labelNames: ['part'],
    registers,
    async collect() {
      const { degraded = {} } = await readiness.report();
      this.reset();
      for (const part of Object.keys(degraded)) this.set({ part }, 1);
    },
  });
}
