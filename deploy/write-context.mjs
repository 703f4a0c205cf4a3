// Writes the context of a deployment, which requests bind themselves to (docs/reference/requests-and-hashes.md#context).
// RPC_4663_URLS_FILE=… RPC_1_URLS_FILE=… node --no-warnings --conditions=@launch/source --import
// ./tools/source-hooks.mjs \ deploy/write-context.mjs deploy/context.facts.json deploy/context.json
// [deploy/previous-contexts]  With a folder, the document that stands at the target is filed there under its hash and
// replaced: a release after the first (docs/runbooks/releasing.md). Without one, nothing may stand there.
// --manifest deployment.json: what the deployment wrote of its contracts; the facts name them then.  The facts
// are what a person decides (deploy/README.md). The program reads the rest: code hashes of router and PoolManager from
// both L2 observers, which must agree; observers' commitments from their URLs, policies, recipes and compilers from
// this release, and the release's commit and tree from git. The document is canonical JSON, never an edited one.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createObserverPair, FINALITY_RULES, getCodeAgreed, parseObserverUrls } from '@launch/chain';
import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { addressSchema, CHAIN_ID, commitContext, decimalSchema, ETHEREUM_FINALITY_V1, keccak256Hex, usdFeedSchema } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { buildContext, buildCustomLaunchContext, CUSTOM_LAUNCH_PROFILE_NAMES, FINALITY_NAMES, POLICY_NAMES, SEQUENCER_TRANSACTION_BYTES } from '@launch/evm';
import { loadConfig } from '@launch/platform';
import { z } from 'zod';
import { contextFactsOf, readManifest, requireManifestChains, requireManifestCode } from './deployment-manifest.mjs';

const ETHEREUM_CHAIN_ID = 1;
const MAX_FACTS_BYTES = 64 * 1024;

/** What a person decides about a deployment of any family. */
const deploymentFacts = {
  profileId: z.string().min(1).max(128),
  instructionPolicy: z.enum(POLICY_NAMES),
  router: addressSchema,
  poolManager: addressSchema,
  sequencerInbox: addressSchema,
  bridge: addressSchema,
  nodeInterface: addressSchema,
  /** Number of the first L2 block, as message counts of the inbox begin. */
  genesisBlock: decimalSchema,
  platformFeeRecipient: addressSchema,
  permitAuthorities: z.array(addressSchema).min(1).max(8),
  /** Largest transaction the sequencer takes, in bytes. */
  transactionBytes: z.number().int().positive().default(SEQUENCER_TRANSACTION_BYTES),
};

export const factsSchema = z.strictObject({
  ...deploymentFacts,
  /** Finality V3 proves each contract that a launch derives by itself; V2 leaves the field of the context out. */
  finality: z.enum(FINALITY_NAMES).default('v2'),
  /** A rule that this release can judge by: launches under another would never be finalized. */
  finalityPolicyId: z.enum([...FINALITY_RULES.keys()]).default(ETHEREUM_FINALITY_V1),
});

const feedFacts = usdFeedSchema.omit({ runtimeCodeHash: true });

/** Of V4 launches and plans: `router` is router V1. */
export const customLaunchFactsSchema = z.strictObject({
  family: z.literal('custom-launch'),
  ...deploymentFacts,
  profile: z.enum(CUSTOM_LAUNCH_PROFILE_NAMES).default('4.1'),
  /** The native currency in US dollars: the feed on chain 4663, and the one on Ethereum. */
  l2Feed: feedFacts,
  l1Feed: feedFacts,
  maxDeviationBps: z.number().int().min(1).max(10_000).optional(),
});

/** @throws Error with a line for each wrong fact. */
function parseFacts(value) {
  const isCustomLaunch = typeof value === 'object' && value !== null && 'family' in value;
  const result = (isCustomLaunch ? customLaunchFactsSchema : factsSchema).safeParse(value);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ path, message }) => `facts: ${path.join('.') || 'document'}: ${message}`).join('\n'));
}

async function pinned(observers, name, address) {
  const code = await getCodeAgreed(observers, address);
  if (code.kind === 'indeterminate') throw new Error(`${name}: the observers do not agree on its code: ${code.reason}`);
  if (code.value === '0x') throw new Error(`${name}: there is no code at ${address}`);
  return { address, runtimeCodeHash: keccak256Hex(Buffer.from(code.value.slice(2), 'hex')) };
}

/** The context of these facts, of whichever family, of the chain as both observers show it, and of this release. What a manifest says must be so. */
export async function readContext(facts, urls, release, manifest) {
  if (manifest !== undefined) await requireManifestChains(manifest, urls);
  const l2Observers = parseObserverUrls('RPC_4663_URLS', urls.l2);
  const l1Observers = parseObserverUrls('RPC_1_URLS', urls.l1);
  const l2 = createObserverPair(l2Observers, CHAIN_ID);
  const pin = async (pair, chainId, name, address) => {
    const found = await pinned(pair, name, address);
    requireManifestCode(manifest, chainId, name, found);
    return found;
  };
  const deployment = {
    ...facts,
    release,
    compilerVersions: PINNED_COMPILER_VERSIONS,
    router: await pin(l2, CHAIN_ID, 'router', facts.router),
    poolManager: await pin(l2, CHAIN_ID, 'poolManager', facts.poolManager),
    l2Observers,
    l1Observers,
  };
  if (!('family' in facts)) return buildContext(deployment);
  const l1 = createObserverPair(l1Observers, ETHEREUM_CHAIN_ID);
  return buildCustomLaunchContext({
    ...deployment,
    l2Feed: { ...facts.l2Feed, ...(await pin(l2, CHAIN_ID, 'l2Feed', facts.l2Feed.address)) },
    l1Feed: { ...facts.l1Feed, ...(await pin(l1, ETHEREUM_CHAIN_ID, 'l1Feed', facts.l1Feed.address)) },
  });
}

function releaseOfCheckout() {
  const cwd = path.resolve(import.meta.dirname, '..');
  const git = (...args) => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
  if (git('status', '--porcelain', '--untracked-files=no') !== '') throw new Error('the checkout has changes: a context names a commit');
  return { sourceCommit: git('rev-parse', 'HEAD'), sourceTree: git('rev-parse', 'HEAD^{tree}') };
}

/** Publishes a context at `target`; the one before is kept in `previousFolder` for the requests that are bound to it. */
export function publishContext(context, target, previousFolder) {
  const bytes = canonicalizeJson(context);
  if (previousFolder === undefined) {
    writeFileSync(target, bytes, { flag: 'wx', mode: 0o644 });
    return;
  }
  const before = canonicalizeJson(parseStrictJson(readFileSync(target)));
  const { contextHash } = commitContext(context);
  const hashBefore = keccak256Hex(before);
  if (hashBefore === contextHash) throw new Error('this very release is published already');
  const filed = path.join(previousFolder, `${hashBefore}.json`);
  if (!existsSync(filed)) writeFileSync(filed, before, { flag: 'wx', mode: 0o644 });
  // A process that starts meanwhile finds one document or the other, whole.
  writeFileSync(`${target}.new`, bytes, { flag: 'wx', mode: 0o644 });
  renameSync(`${target}.new`, target);
}

async function main() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { manifest: { type: 'string' } } });
  const [factsFile, target, previousFolder, ...rest] = positionals;
  if (target === undefined || rest.length > 0)
    throw new Error('usage: RPC_4663_URLS_FILE=… RPC_1_URLS_FILE=… write-context.mjs [--manifest <deployment.json>] <facts.json> <context.json> [<folder of previous contexts>]');
  const manifest = values.manifest === undefined ? undefined : readManifest(values.manifest);
  const { RPC_4663_URLS: l2, RPC_1_URLS: l1 } = loadConfig(z.object({ RPC_4663_URLS: z.string(), RPC_1_URLS: z.string() }));
  const bytes = readFileSync(factsFile);
  if (bytes.length > MAX_FACTS_BYTES) throw new Error('the facts are too long');
  const given = parseStrictJson(bytes);
  const facts = parseFacts(manifest === undefined ? given : contextFactsOf(given, manifest));
  const context = await readContext(facts, { l2, l1 }, releaseOfCheckout(), manifest);
  publishContext(context, target, previousFolder);
  process.stdout.write(`${JSON.stringify(commitContext(context), null, 2)}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
