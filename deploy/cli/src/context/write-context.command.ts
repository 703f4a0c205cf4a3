import { commitContext } from '@launch/contracts/launch';
import type { Command } from '../command.types.js';
import { DEFAULT_SECRETS } from '../secrets/secrets-folder.js';
import { readJson } from '../documents.js';
import { contextFactsOf, readManifest } from '../manifest/deployment-manifest.js';
import { readObserverUrls } from '../observers.js';
import { parseContextFacts } from './context.facts.js';
import { publishContext } from './publish-context.js';
import { readContext } from './read-context.js';

const MAX_FACTS_BYTES = 64 * 1024;

export const writeContext: Command = {
  summary: 'Write the context that requests bind themselves to',
  shape: { required: ['facts', 'out'], optional: ['previous', 'manifest', 'secrets'] },
  help: `Writes the context of this release. A person decides the facts (deploy/README.md, First start). The command reads code
hashes from both observers of each chain, which must agree, and the commit from the checkout.

Usage: launch-deploy write-context --facts <file> --out <file> [options]

  --facts <file>       the facts, JSON
  --out <file>         the context to write; without --previous it must not exist
  --previous <folder>  file the context at --out there under its hash, then replace it: every release but the first
  --manifest <file>    a deployment manifest, by whose names the facts may name contracts
  --secrets <folder>   the folder of rpc-4663-urls and rpc-1-urls (default ${DEFAULT_SECRETS})

Environment: RPC_4663_URLS or RPC_4663_URLS_FILE, and RPC_1_URLS or RPC_1_URLS_FILE, instead of --secrets.
Output: the hashes that commit to the context, JSON.

Examples:
  launch-deploy write-context --facts deploy/context.facts.json --out deploy/context.json
  launch-deploy write-context --facts deploy/context.facts.json --out deploy/context.json --previous deploy/previous-contexts
`,
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
