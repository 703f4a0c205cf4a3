import type { AddressInfo } from 'node:net';
import { createMetrics, Readiness, runService, startHealthServer } from '@launch/platform';
import { createAccessCheck } from './access-token.js';
import { createCodecServer } from './codec.server.js';
import { loadCodecConfig } from './config.js';

await runService('codec-server', async ({ logger, shutdown, ready }) => {
  const config = loadCodecConfig();
  const metrics = createMetrics('codec-server');
  const health = await startHealthServer({
    host: config.HOST,
    port: config.METRICS_PORT,
    readiness: new Readiness({}, logger),
    metrics,
  });
  shutdown.add('health', () => health.close());
  const server = createCodecServer({ config, checkAccess: createAccessCheck(config), logger });
  shutdown.add('server', () => {
    server.closeIdleConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.PORT, config.HOST, resolve);
  });
  ready({ port: (server.address() as AddressInfo).port, metricsPort: health.port });
});
