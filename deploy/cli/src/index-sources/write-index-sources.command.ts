import type { Command } from '../command.types.js';
import { readJson } from '../documents.js';
import { indexFactsOf, MANIFEST_OPTION, readManifest } from '../manifest/deployment-manifest.js';
import { readObserverUrls } from '../observers.js';
import { DEFAULT_SECRETS, SECRETS_OPTION } from '../secrets/secrets-folder.js';
import { parseIndexFacts } from './index.facts.js';
import { publishSources } from './publish-sources.js';
import { readSources } from './read-sources.js';

const MAX_FACTS_BYTES = 256 * 1024;

export const writeIndexSources: Command = {
  summary: 'Write the bindings that the indexer follows',
  options: [
    { name: 'facts', value: 'file', summary: 'the facts, JSON', required: true },
    {
      name: 'folder',
      value: 'folder',
      summary: 'the folder of bindings, created where it does not exist',
      required: true,
    },
    MANIFEST_OPTION,
    SECRETS_OPTION,
  ],
  details: `Writes the bindings of an indexer: the contracts that it follows, their first blocks and their code. A person decides the
facts (deploy/README.md, First start). The command reads code hashes from both observers of each chain, which must agree.
It never edits or removes a binding: one that the facts do not name any more becomes retained. A running indexer reads
the folder again every 10 s.

Environment: RPC_4663_URLS or RPC_4663_URLS_FILE, and RPC_1_URLS or RPC_1_URLS_FILE, instead of --secrets.
Output: every source of the deployment with its status, JSON.`,
  examples: ['write-index-sources --facts deploy/index.facts.json --folder deploy/indexing'],
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
