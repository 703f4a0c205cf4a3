import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnGuarded, stopChild } from '@launch/platform/processes';
import type { AskedAnswer } from './asking-fastify.child.js';
import type { BareAnswer } from './bare-fastify.child.js';
import type { ChargedAskingAnswer } from './charged-asking-fastify.child.js';
import type { ChargedAnswer } from './charged-fastify.child.js';

/** A program that is sent what it serves, and answers where. */
const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface BareFastify {
  readonly port: number;
  readonly pid: number;
  close(): Promise<void>;
}

/** Sends what it was given. */
export const startBareFastify = (answers: readonly BareAnswer[]): Promise<BareFastify> =>
  startServer(program('./bare-fastify.child.js'), answers);

/** The same after the gateway's own charge of an address. */
export const startChargedFastify = (served: ChargedAnswer): Promise<BareFastify> =>
  startServer(program('./charged-fastify.child.js'), served);

/** Sends what it was given once a question to PostgreSQL was answered. */
export const startAskingFastify = (served: AskedAnswer): Promise<BareFastify> =>
  startServer(program('./asking-fastify.child.js'), served);

/** Charges the address as the gateway does, asks PostgreSQL several questions, and sends what it was given. */
export const startChargedAskingFastify = (served: ChargedAskingAnswer): Promise<BareFastify> =>
  startServer(program('./charged-asking-fastify.child.js'), served);

async function startServer(script: string, served: object): Promise<BareFastify> {
  const child = spawnGuarded(process.execPath, [script], { stdio: ['ignore', 2, 2, 'ipc'] });
  const close = (): Promise<void> => stopChild(child);
  try {
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the bare server ended')));
    child.send(served);
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ port?: number; failure?: string }];
    ended.catch(() => undefined);
    if (message.port === undefined || child.pid === undefined)
      throw new Error(message.failure ?? 'the bare server does not listen');
    return { port: message.port, pid: child.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}
