import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { freePort } from '@launch/platform/processes';
import type { DataFolder } from './data-folder.js';
import { readJson, writePrivate } from './data-folder.js';

const QUIET_FROM = 12_000;
const QUIET_TO = 32_000;
const QUIET_ATTEMPTS = 50;

/**
 * Ports by name: what the environment sets, else what the last start used if it is still free, else a free one.
 * Keeping them matters: the published context commits to the origins of the chains' providers.
 */
export class Ports {
  readonly #file: string;
  #known: Record<string, number> = {};

  private constructor(folder: DataFolder) {
    this.#file = folder.file('ports.json');
  }

  static async open(folder: DataFolder): Promise<Ports> {
    const ports = new Ports(folder);
    ports.#known = (await readJson<Record<string, number>>(ports.#file)) ?? {};
    return ports;
  }

  async choose(name: string, wanted?: number): Promise<number> {
    if (wanted !== undefined && wanted !== 0) return this.#keep(name, wanted);
    const known = this.#known[name];
    const taken = Object.entries(this.#known).some(([other, port]) => other !== name && port === known);
    return this.#keep(name, known !== undefined && !taken && (await isFree(known)) ? known : await this.#quiet());
  }

  /** For a component that listens already, on a port of its own choice. */
  note(name: string, port: number): void {
    this.#keep(name, port);
  }

  async save(): Promise<void> {
    await writePrivate(this.#file, JSON.stringify(this.#known, null, 2));
  }

  /**
   * A free port below those that systems hand out by themselves. Nobody's outgoing connection takes it before its
   * component listens, or while the stack is stopped.
   */
  async #quiet(): Promise<number> {
    for (let attempt = 0; attempt < QUIET_ATTEMPTS; attempt += 1) {
      const port = randomInt(QUIET_FROM, QUIET_TO);
      if (!Object.values(this.#known).includes(port) && (await isFree(port))) return port;
    }
    return freePort();
  }

  #keep(name: string, port: number): number {
    this.#known[name] = port;
    return port;
  }
}

/** Whether a component could listen there now. */
export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
