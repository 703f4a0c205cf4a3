import { createServer } from 'node:net';
import { freePort } from '@launch/platform/processes';
import type { DataFolder } from './data-folder.js';
import { readJson, writePrivate } from './data-folder.js';

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
    return this.#keep(name, known !== undefined && !taken && (await isFree(known)) ? known : await freePort());
  }

  /** For a component that listens already, on a port of its own choice. */
  note(name: string, port: number): void {
    this.#keep(name, port);
  }

  async save(): Promise<void> {
    await writePrivate(this.#file, JSON.stringify(this.#known, null, 2));
  }

  #keep(name: string, port: number): number {
    this.#known[name] = port;
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
