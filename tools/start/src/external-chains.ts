import { DataFolderError } from './data-folder.js';
import type { PublishedContexts } from './published-contexts.js';

/** The chains of a stack, and the files that are published about them. */
export interface ChainsView extends PublishedContexts {
  rpc: { '4663': string; '1': string };
  finalitySeconds?: number;
  permitKeyFile: string;
  faults: string | null;
  controller: { address: string; privateKeyFile: string } | null;
}

export const CHAIN_VARIABLES = [
  'RPC_4663_URLS',
  'RPC_1_URLS',
  'LAUNCH_CONTEXT_FILE',
  'REVIEWED_ROUTERS_FILE',
  'PERMIT_KEY_FILE',
] as const;

/**
 * Chains other than the development ones: providers, the context about them, the reviews of their routers and the permit authority's key,
 * all given or none. Undefined when none is.
 * @throws DataFolderError naming what is missing.
 */
export async function externalChains(env: NodeJS.ProcessEnv): Promise<ChainsView | undefined> {
  const missing = CHAIN_VARIABLES.filter((variable) => !env[variable]);
  if (missing.length === CHAIN_VARIABLES.length) return undefined;
  if (missing.length > 0)
    throw new DataFolderError(`other chains need ${CHAIN_VARIABLES.join(', ')}; missing: ${missing.join(', ')}`);
  const given = (variable: (typeof CHAIN_VARIABLES)[number]): string => env[variable] ?? '';
  return {
    rpc: { '4663': given('RPC_4663_URLS'), '1': given('RPC_1_URLS') },
    contextFile: given('LAUNCH_CONTEXT_FILE'),
    customLaunchContextFile: env['CUSTOM_LAUNCH_CONTEXT_FILE'] || undefined,
    previousCustomLaunchContextsDir: env['PREVIOUS_CUSTOM_LAUNCH_CONTEXTS_DIR'] || undefined,
    previousContextsDir: env['PREVIOUS_CONTEXTS_DIR'] ?? null,
    reviewsFile: given('REVIEWED_ROUTERS_FILE'),
    indexSourcesDir: env['INDEX_SOURCES_DIR'] || undefined,
    permitKeyFile: given('PERMIT_KEY_FILE'),
    faults: null,
    controller: null,
  };
}
