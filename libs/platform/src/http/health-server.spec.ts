import { afterEach, describe, expect, it } from '@jest/globals';
import { startHealthServer } from './health-server.js';
import type { HealthServer } from './health-server.js';
import { createMetrics } from './metrics.js';
import type { ReadinessCheck, ReadinessOptions } from './readiness.js';
import { Readiness } from './readiness.js';

let server: HealthServer | undefined;

async function serve(
  checks: Record<string, ReadinessCheck>,
  options: ReadinessOptions = {},
): Promise<{ at: (path: string, init?: RequestInit) => Promise<Response>; readiness: Readiness }> {
  const readiness = new Readiness(checks, undefined, options);
  const started = await startHealthServer({ host: '127.0.0.1', port: 0, readiness, metrics: createMetrics('spec') });
  server = started;
  return { readiness, at: (path, init) => fetch(`http://127.0.0.1:${started.port}${path}`, init) };
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('The health server', () => {
  it('answers health, readiness and metrics', async () => {
    const { at } = await serve({ database: async () => 1 });
    expect(await (await at('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await at('/readyz');
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', checks: { database: 'ok' } }]);
    expect(await (await at('/metrics')).text()).toMatch(/process_cpu_user_seconds_total\{service="spec"\}/);
  });

  it('is unavailable while a check fails or does not respond, without the reason', async () => {
    const { at } = await serve(
      {
        good: async () => 1,
        bad: async () => Promise.reject(new Error('hunter2')),
        slow: () => new Promise(() => undefined),
      },
      { timeoutMs: 20 },
    );
    const response = await at('/readyz');
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text)).toEqual({ status: 'unavailable', checks: { good: 'ok', bad: 'failed', slow: 'timeout' } });
    expect(text).not.toContain('hunter2');
  });

  it('stays ready while a part is switched off, and names that part', async () => {
    let word: string | null = 'paused';
    const { readiness } = await serve({ good: async () => 1 }, { degradations: { recovery: () => word } });
    expect(await readiness.report()).toEqual({
      status: 'ready',
      checks: { good: 'ok' },
      degraded: { recovery: 'paused' },
    });
    word = null;
    const on = new Readiness({ good: async () => 1 }, undefined, { degradations: { recovery: () => word } });
    expect(await on.report()).toEqual({ status: 'ready', checks: { good: 'ok' } });
  });

  it('exports each readiness check and each part that is switched off', async () => {
    let isDown = false;
    const { at } = await serve(
      { good: async () => 1, bad: async () => (isDown ? Promise.reject(new Error('down')) : 1) },
      { degradations: { recovery: () => (isDown ? 'paused' : null) } },
    );
    const samples = async () =>
      (await (await at('/metrics')).text()).split('\n').filter((line) => line.startsWith('launch_readiness_'));
    expect(await samples()).toEqual([
      'launch_readiness_check_failed{check="good",service="spec"} 0',
      'launch_readiness_check_failed{check="bad",service="spec"} 0',
    ]);
    isDown = true;
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await samples()).toEqual([
      'launch_readiness_check_failed{check="good",service="spec"} 0',
      'launch_readiness_check_failed{check="bad",service="spec"} 1',
      'launch_readiness_degraded{part="recovery",service="spec"} 1',
    ]);
  });

  it('is unavailable while draining', async () => {
    const { at, readiness } = await serve({});
    expect((await at('/readyz')).status).toBe(200);
    readiness.drain();
    expect((await at('/readyz')).status).toBe(503);
    expect((await at('/healthz')).status).toBe(200);
  });

  it('serves three paths and two methods only', async () => {
    const { at } = await serve({});
    expect((await at('/other')).status).toBe(404);
    expect((await at('/healthz?x=1')).status).toBe(404);
    expect((await at('/healthz', { method: 'POST', body: 'x' })).status).toBe(405);
    const head = await at('/healthz', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});
