import { Gauge, type Registry } from '@launch/platform';

/** Reports the version of the workflows that a worker hosts: the hash of its bundle. */
export function reportVersion(registry: Registry, buildId: string): void {
  const info = new Gauge({
    name: 'launch_worker_version_info',
    help: 'Version of the workflows that the process hosts.',
    labelNames: ['build_id'],
    registers: [registry],
  });
  info.set({ build_id: buildId }, 1);
}
