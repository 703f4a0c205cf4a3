import type { PublishableFile } from './published-files.js';

const page =
  (folder: 'guides' | 'reference') =>
  (name: string, summary: string): PublishableFile => ({
    name: `${folder}/${name}.md`,
    entry: name,
    mediaType: 'text/markdown; charset=utf-8',
    summary,
  });
const guide = page('guides');
const reference = page('reference');

/** The guides that a reader of the service follows without the repository, by their paths below `docs`, in the order of the list. */
export const GUIDE_FILES: readonly PublishableFile[] = [
  guide('custom-launch', 'A custom launch or a plan from an API key to its finalized record, with every command'),
  guide('launch-cli', 'Every command, option and exit code of the launch CLI'),
  guide('multi-role-launch', 'A multi-role launch from an API key to its finalized record, with every command'),
  guide('module-contribution', 'A module from a folder to an accepted revision'),
  guide('indexing', 'Every public read of the index, and the rules for indexers'),
  guide('finality', 'How a launch becomes final, and how long each stage takes'),
  guide('verify-yourself', 'Check sources, requests, hand-offs and finality evidence offline'),
];

/** The pages of the reference, in the order of `docs/reference/README.md`. */
export const REFERENCE_FILES: readonly PublishableFile[] = [
  reference('api-conventions', 'Keys, scopes, order of checks, idempotency, lists, caching, published files'),
  reference('requests-and-hashes', 'Encodings, request bytes, contexts, source bundles, every hash and id'),
  reference('multi-role', 'The multi-role API v2'),
  reference('custom-launch', 'Custom launches: profiles, states, gates, reports, discovery, launch CLI'),
  reference('plans', 'The plan transport: steps, modes, proofs, response versions'),
  reference('source-verification', 'Compilation, bytecode match, instruction policies, images'),
  reference('economics', 'Recipes, fees, funding, the one-USD reference'),
  reference('permits-and-stamps', 'Custody, permits, routers, stamps, rehearsal and simulation'),
  reference('finality', 'Inclusion, posting, finalization, expiry, evidence'),
  reference('index-sources', 'Bindings, admission, quarantine, and the rules of each source version'),
  reference('index-reads', 'Public reads of the index'),
  reference('modules', 'Module packages, intake, review, builds, decisions'),
  reference('errors', 'Error bodies, and every code with its status'),
  reference('limits', 'Sizes, counts, times and quotas'),
  reference('handoff-checks', 'Each check of a hand-off before a wallet signs it, with the remedy'),
  reference('wallet-page', 'The falsified members of a hand-off that the wallet page stops, with its sentences'),
  reference('client-bindings', 'The members of each response that client programs compare with their request'),
];

/** The documents, in the folders of the repository, so that their relative links resolve from the service too. */
export const DOCUMENT_FILES: readonly PublishableFile[] = [...GUIDE_FILES, ...REFERENCE_FILES];
