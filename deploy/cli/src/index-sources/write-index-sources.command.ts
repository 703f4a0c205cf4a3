import type { Command } from '../command.types.js';
import { readJson } from '../documents.js';
import { indexFactsOf, readManifest } from '../manifest/deployment-manifest.js';
import { readObserverUrls } from '../observers.js';
import { DEFAULT_SECRETS } from '../secrets/secrets-folder.js';
import { parseIndexFacts } from './index.facts.js';
import { publishSources } from './publish-sources.js';
import { readSources } from './read-sources.js';

const MAX_FACTS_BYTES = 256 * 1024;

export const writeIndexSources: Command = {
  summary: 'Write the bindings that the indexer follows',
  shape: { required: ['facts', 'folder'], optional: ['manifest', 'secrets'] },
  help: `Writes the bindings of an indexer: the contracts that it follows, their first blocks and their code. A person decides the
facts (deploy/README.md, First start). The command reads code hashes from both observers of each chain, which must agree.
It never edits or removes a binding: one that the facts do not name any more becomes retained. A running indexer reads
the folder again every 10 s.

Usage: launch-deploy write-index-sources --facts <file> --folder <folder> [options]

  --facts <file>      the facts, JSON
  --folder <folder>   the folder of bindings, created where it does not exist
  --manifest <file>   a deployment manifest, by whose names the facts may name contracts
  --secrets <folder>  the folder of rpc-4663-urls and rpc-1-urls (default ${DEFAULT_SECRETS})

Environment: RPC_4663_URLS or RPC_4663_URLS_FILE, and RPC_1_URLS or RPC_1_URLS_FILE, instead of --secrets.
Output: every source of the deployment with its status, JSON.

Example:
  launch-deploy write-index-sources --facts deploy/index.facts.json --folder deploy/indexing
`,
  async run(
    { facts: factsFile = '', folder = '', manifest: manifestFile, secrets = DEFAULT_SECRETS },
    { env, progress },
  ) {
    const manifest = manifestFile === undefined ? undefined : readManifest(manifestFile);
    const given = readJson('--facts', factsFile, MAX_FACTS_BYTES);
    const facts = parseIndexFacts(manifest === undefined ? given : indexFactsOf(given, manifest));
    const urls = readObserverUrls(env, secrets);
    progress(`reading the contracts of ${facts.sources.length} sources from both observers of each chain`);
    const { sources } = publishSources(folder, facts.rollup, await readSources(facts, urls, manifest));
    progress(`wrote ${folder}`);
    return `${JSON.stringify(sources, null, 2)}\n`;
  },
};
