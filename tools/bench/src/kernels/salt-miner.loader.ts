interface MiningTask {
  readonly router: `0x${string}`;
  readonly controller: `0x${string}`;
  readonly nonce: bigint;
  readonly initCodeHash: `0x${string}`;
  readonly hookFlags: number;
  readonly maxAttempts: number;
}
export type SaltMiner = (task: MiningTask) => Promise<unknown>;

/** The client's salt miner: no part of its package's entry, so it is taken from the package's build. */
export async function loadSaltMiner(): Promise<SaltMiner> {
  const entry = import.meta.resolve('@launch/multi-role');
  const { mineSalt } = (await import(new URL('./builder/salt-miner.js', entry).href)) as { mineSalt: SaltMiner };
  return mineSalt;
}
