import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { DevnetError } from './devnet.errors.js';

const PROBE_TIMEOUT_MS = 5000;
const holderSchema = z.strictObject({ port: z.int().min(1).max(65_535), token: z.uuid() });

export interface DirLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only devnet in the folder. The lock is a listener that sends its token. Unlike a process id, it cannot
 * be mistaken for another process after a restart. @throws DevnetError `DIR_IN_USE`.
 */
export async function lockDir(dir: string): Promise<DirLock> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'devnet.lock');
  if (await isHeld(file)) throw new DevnetError('DIR_IN_USE', 'another devnet runs in this folder', { dir });
  await rm(file, { force: true });
  const token = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(token));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  try {
    await writeFile(file, JSON.stringify({ port: (server.address() as AddressInfo).port, token }), {
      flag: 'wx',
      mode: 0o600,
    });
  } catch (cause) {
    await close();
    throw new DevnetError('DIR_IN_USE', 'another devnet starts in this folder', { dir }, { cause });
  }
  return {
    async release() {
      await rm(file, { force: true });
      await close();
    },
  };
}

async function isHeld(file: string): Promise<boolean> {
  const holder = holderSchema.safeParse(await readHolder(file));
  return holder.success && (await tokenAt(holder.data.port)) === holder.data.token;
}

async function readHolder(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the first message of the listener on this port, or null. */
function tokenAt(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(PROBE_TIMEOUT_MS, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.length > 64) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(said === '' ? null : said));
  });
}
