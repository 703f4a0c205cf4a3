import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { Shutdown } from './shutdown.js';

function prepare(timeoutMs?: number) {
  const exits: number[] = [];
  const lines: string[] = [];
  const logger = createLogger({ service: 'spec', destination: { write: (line: string) => void lines.push(line) } });
  return { exits, lines, shutdown: new Shutdown(logger, timeoutMs, (code) => void exits.push(code)) };
}

describe('Shutdown', () => {
  it('stops parts in reverse order of their registration', async () => {
    const { exits, shutdown } = prepare();
    const order: string[] = [];
    for (const name of ['pool', 'server', 'worker']) shutdown.add(name, async () => void order.push(name));
    await Promise.all([shutdown.finish('spec', 0), shutdown.finish('again', 1)]);
    expect(order).toEqual(['worker', 'server', 'pool']);
    expect(exits).toEqual([0]);
  });

  it('continues after a failed step, and exits with 1', async () => {
    const { exits, lines, shutdown } = prepare();
    const order: string[] = [];
    shutdown.add('pool', () => order.push('pool'));
    shutdown.add('server', async () => Promise.reject(new Error('stuck')));
    await shutdown.finish('spec', 0);
    expect(order).toEqual(['pool']);
    expect(exits).toEqual([1]);
    expect(lines.join('')).toContain('stuck');
  });

  it('exits with 1 if a step does not return', async () => {
    const exited = new Promise<number>((resolve) => {
      const logger = createLogger({ service: 'spec', level: 'silent' });
      const shutdown = new Shutdown(logger, 10, resolve);
      shutdown.add('hangs', () => new Promise(() => undefined));
      void shutdown.finish('spec', 0);
    });
    expect(await exited).toBe(1);
  });
});
