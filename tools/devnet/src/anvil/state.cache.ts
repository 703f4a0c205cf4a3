import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const SWEEP_EVERY_MS = 5000;
/**
 * Bytes for one chain's spilled states. A state contains the code of every earlier launch: some MiB after a hundred launches.
 */
const BUDGET_BYTES = 2 * 1024 ** 3;

/** Hashes of the blocks whose states are needed. */
export interface NeededStates {
  /** Blocks with transactions and the blocks before them, oldest first. */
  readonly filled: readonly string[];
  /** Blocks that are not final, and the newest final one. */
  readonly open: readonly string[];
}

/**
 * The folder into which anvil spills the states of older blocks, a file a block. States of blocks that are not final stay. So
 * do those before and after each block with transactions, the newest first up to a budget. It deletes the others, and calls at
 * these blocks fail as on a pruned node.
 */
export class StateCache {
  readonly #folder: string;
  readonly #budget: number;
  #timer: NodeJS.Timeout | null = null;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(folder: string, budgetBytes: number = BUDGET_BYTES) {
    this.#folder = folder;
    this.#budget = budgetBytes;
  }

  /** Empties the folder, because a starting chain spills anew. */
  async renew(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  start(needed: () => NeededStates, onFailure: (error: unknown) => void): void {
    this.#timer = setInterval(() => {
      this.#sweeping = this.sweep(needed()).catch(onFailure);
    }, SWEEP_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#sweeping;
  }

  async sweep({ filled, open }: NeededStates): Promise<void> {
    const stay = new Set(open);
    const age = new Map(filled.map((hash, index) => [hash, filled.length - index]));
    const spilled = (await readdir(this.#folder, { recursive: true })).flatMap((name) => {
      const hash = /(0x[0-9a-f]{64})\.json$/.exec(name)?.[1];
      return hash === undefined || stay.has(hash)
        ? []
        : [{ file: join(this.#folder, name), age: age.get(hash) ?? Infinity }];
    });
    let left = this.#budget;
    for (const state of spilled.sort((one, other) => one.age - other.age)) {
      if (state.age !== Infinity) left -= await sizeOf(state.file);
      if (state.age === Infinity || left < 0) await rm(state.file, { force: true });
    }
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
