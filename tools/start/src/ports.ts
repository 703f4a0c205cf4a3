import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import { freePort } from '@launch/platform/processes';
import type { DataFolder } from './data-folder.js';
import { readJson, writePrivate } from './data-folder.js';

const QUIET_FROM = 12_000;
const QUIET_TO = 32_000;
const QUIET_ATTEMPTS = 50;

/**
 * Ports by name: what the environment sets, else what the last start used if it is still free, else a free one. Keeping them
 * matters: the published context commits to the origins of the chains' providers.
 *
 * A component listens seconds after its port was chosen, and not at all while it is started again. So that no other stack of
 * this machine takes it meanwhile, a UDP socket is bound to the same number until the stack ends; nothing of a stack speaks
 * UDP, and the system closes the socket however the process ends.
 */
export class Ports {
  readonly #file: string;
  readonly #held = new Map<number, Socket>();
  #known: Record<string, number> = {};

  private constructor(
    folder: DataFolder,
    private readonly ending: AbortSignal,
  ) {
    this.#file = folder.file('ports.json');
  }

  /** @param ending aborted when the stack is to end: no component begins any more, and other stacks may have the ports. */
  static async open(folder: DataFolder, ending: AbortSignal): Promise<Ports> {
    const ports = new Ports(folder, ending);
    ending.addEventListener('abort', () => ports.#release(), { once: true });
    ports.#known = (await readJson<Record<string, number>>(ports.#file)) ?? {};
    return ports;
  }

  /** @throws the signal's reason when the stack ends meanwhile. */
  async choose(name: string, wanted?: number): Promise<number> {
    if (wanted !== undefined && wanted !== 0) return this.#keep(name, wanted);
    const known = this.#known[name];
    const taken = Object.entries(this.#known).some(([other, port]) => other !== name && port === known);
    return this.#keep(name, known !== undefined && !taken && (await this.#hold(known)) ? known : await this.#quiet());
  }

  /** For a component that listens already, on a port of its own choice. */
  note(name: string, port: number): void {
    this.#keep(name, port);
  }

  async save(): Promise<void> {
    await writePrivate(this.#file, JSON.stringify(this.#known, null, 2));
  }

  /**
   * Returns a free port below those that systems assign on their own. No outgoing connection takes it before its component
   * listens, or while the stack is stopped.
   */
  async #quiet(): Promise<number> {
    for (let attempt = 0; attempt < QUIET_ATTEMPTS; attempt += 1) {
      const port = randomInt(QUIET_FROM, QUIET_TO);
      if (!Object.values(this.#known).includes(port) && (await this.#hold(port))) return port;
    }
    return freePort();
  }

  /** False where something listens, or another stack holds the port. */
  async #hold(port: number): Promise<boolean> {
    if (this.#held.has(port)) return isFree(port);
    const socket = await boundTo(port);
    if (socket === null) return false;
    const isOurs = await isFree(port);
    if (isOurs && !this.ending.aborted) this.#held.set(port, socket);
    else socket.close();
    this.ending.throwIfAborted();
    return isOurs;
  }

  #release(): void {
    for (const socket of this.#held.values()) socket.close();
    this.#held.clear();
  }

  #keep(name: string, port: number): number {
    this.#known[name] = port;
    return port;
  }
}

/** A UDP socket that does not keep the process; null where another has the port. */
async function boundTo(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4').unref();
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close();
      resolve(null);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

/** Whether a component could listen there now. */
export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
