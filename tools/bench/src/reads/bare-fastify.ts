import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnGuarded, stopChild } from '@launch/platform/processes';
import type { BareAnswer } from './bare-fastify.child.js';

const script = fileURLToPath(new URL('./bare-fastify.child.js', import.meta.url));

export interface BareFastify {
  readonly port: number;
  readonly pid: number;
  close(): Promise<void>;
}

export async function startBareFastify(answers: readonly BareAnswer[]): Promise<BareFastify> {
  const child = spawnGuarded(process.execPath, [script], { stdio: ['ignore', 2, 2, 'ipc'] });
  const close = (): Promise<void> => stopChild(child);
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare server ended')));
    child.send(answers);
    const [told] = (await Promise.race([once(child, 'message'), ended])) as [{ port?: number; failure?: string }];
    ended.catch(() => undefined);
    if (told.port === undefined || child.pid === undefined)
      throw new Error(told.failure ?? 'the bare server does not listen');
    return { port: told.port, pid: child.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}
