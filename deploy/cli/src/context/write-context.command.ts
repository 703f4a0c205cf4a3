import { commitContext } from '@launch/contracts/launch';
import type { Command } from '../command.types.js';
import { DEFAULT_SECRETS, SECRETS_OPTION } from '../secrets/secrets-folder.js';
import { readJson } from '../documents.js';
import { contextFactsOf, MANIFEST_OPTION, readManifest } from '../manifest/deployment-manifest.js';
import { readObserverUrls } from '../observers.js';
import { parseContextFacts } from './context.facts.js';
import { publishContext } from './publish-context.js';
import { readContext } from './read-context.js';

const MAX_FACTS_BYTES = 64 * 1024;

export const writeContext: Command = {
  summary: 'Write the context that requests bind themselves to',
  options: [
    { name: 'facts', value: 'file', summary: 'the facts, JSON', required: true },
    {
      name: 'out',
      value: 'file',
      summary: 'the context to write; without --previous it must not exist',
      required: true,
    },
    {
      name: 'previous',
      value: 'folder',
      summary: 'file the context at --out there under its hash, then replace it: every release but the first',
    },
    MANIFEST_OPTION,
    SECRETS_OPTION,
  ],
  details: `Writes the context of this release. A person decides the facts (deploy/README.md, First start). The command reads code
hashes from both observers of each chain, which must agree, and the commit from the checkout.

Environment: RPC_4663_URLS or RPC_4663_URLS_FILE, and RPC_1_URLS or RPC_1_URLS_FILE, instead of --secrets.
Output: the hashes that commit to the context, JSON.`,
  examples: [
    'write-context --facts deploy/context.facts.json --out deploy/context.json',
    'write-context --facts deploy/context.facts.json --out deploy/context.json --previous deploy/previous-contexts',
  ],
  async run(
    { facts: factsFile = '', out = '', previous, manifest: manifestFile, secrets = DEFAULT_SECRETS },
    { env, release, progress },
  ) {
    const manifest = manifestFile === undefined ? undefined : readManifest(manifestFile);
    const given = readJson('--facts', factsFile, MAX_FACTS_BYTES);
    const facts = parseContextFacts(manifest === undefined ? given : contextFactsOf(given, manifest));
    const commit = release();
    const urls = readObserverUrls(env, secrets);
    progress('reading the contracts from both observers of each chain');
    const context = await readContext(facts, urls, commit, manifest);
    publishContext(context, out, previous);
    progress(`wrote ${out}`);
    return `${JSON.stringify(commitContext(context), null, 2)}\n`;
  },
};
