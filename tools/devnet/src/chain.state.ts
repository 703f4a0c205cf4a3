import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]);
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{40}$/)]);
const contract = z.strictObject({ address, runtimeCodeHash: hash });

const manifestSchema = z.strictObject({
  schemaVersion: z.literal('launch.devnet-state.v1'),
  genesis: z.strictObject({ '1': hash, '4663': hash }),
  permitAuthority: address,
  contracts: z.strictObject({
    router: contract,
    poolManager: contract,
    sequencerInbox: contract,
    bridge: contract,
    nodeInterface: contract,
  }),
});

/** What a clean stop leaves behind beside the chains' own dumps. */
export type StateManifest = z.output<typeof manifestSchema>;

/** The files of one development chain pair. */
export interface StateFiles {
  readonly keysDir: string;
  readonly stateDir: string;
  readonly manifest: string;
  readonly dumps: { readonly '1': string; readonly '4663': string };
  readonly caches: { readonly '1': string; readonly '4663': string };
}

export function stateFilesIn(dir: string): StateFiles {
  const stateDir = join(dir, 'state');
  return {
    keysDir: join(dir, 'keys'),
    stateDir,
    manifest: join(stateDir, 'manifest.json'),
    dumps: { '1': join(stateDir, 'chain-1.json'), '4663': join(stateDir, 'chain-4663.json') },
    caches: { '1': join(stateDir, 'cache-1'), '4663': join(stateDir, 'cache-4663') },
  };
}

/**
 * Takes the manifest of a clean stop away and returns it: whoever dies from here on leaves none, and the next start makes
 * new chains instead of going on from a dump that is behind what was already seen.
 */
export async function takeManifest(files: StateFiles): Promise<StateManifest | null> {
  try {
    const parsed = manifestSchema.safeParse(JSON.parse(await readFile(files.manifest, 'utf8')));
    await rm(files.manifest);
    await Promise.all([access(files.dumps['1']), access(files.dumps['4663'])]);
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function writeManifest(files: StateFiles, manifest: StateManifest): Promise<void> {
  const temporary = `${files.manifest}.tmp`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(manifest));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, files.manifest);
}

/** Removes the chains of an earlier run, and its keys: a key belongs to the chains it was made for. */
export async function clearState(files: StateFiles, keyFiles: readonly string[]): Promise<void> {
  await rm(files.stateDir, { recursive: true, force: true });
  for (const file of keyFiles) await rm(file, { force: true });
}

/** Empties the folders of spilled states: a chain that starts reads none of an earlier one's. */
export async function renewCaches(files: StateFiles): Promise<void> {
  for (const cache of [files.caches['1'], files.caches['4663']]) {
    await rm(cache, { recursive: true, force: true });
    await mkdir(cache, { recursive: true, mode: 0o700 });
  }
}
