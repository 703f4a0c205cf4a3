// Writes the bindings of an indexer: which contracts it follows, from which block on, and what code they must have.
// RPC_4663_URLS_FILE=… RPC_1_URLS_FILE=… node --no-warnings --conditions=@launch/source --import ./tools/source-hooks.mjs
// deploy/write-index-sources.mjs deploy/index.facts.json deploy/indexing
// The facts are what a person decides (deploy/README.md). The program reads the rest: code hashes from both observers of
// the source's chain, which must agree, and ABI digests from this release. A binding is never edited or removed: one that
// the facts name no more stays as retained. The indexer reads the folder again by itself. --manifest deployment.json: what
// the deployment wrote of its contracts; the facts name them then.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createObserverPair, getCodeAgreed, parseObserverUrls } from '@launch/chain';
import { addressSchema, decimalSchema, FOUNDATION_FACTORY_VERSIONS, indexDeploymentSchema, keccak256Hex, MAX_INDEX_SOURCES, SOURCE_STATUSES } from '@launch/contracts';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { adapterOf, bindSource, deploymentOf, sourceReleaseDigest } from '@launch/evm/sources';
import { loadConfig } from '@launch/platform';
import { z } from 'zod';
import { indexFactsOf, readManifest, requireManifestChains, requireManifestCode } from './deployment-manifest.mjs';

const MAX_FACTS_BYTES = 256 * 1024;
const DEPLOYMENT = 'deployment.json';

const sourceFacts = z
  .strictObject({
    sourceVersion: z.string().refine((version) => adapterOf(version) !== null, { message: 'this release has no adapter for it' }),
    chainId: z.union([z.literal(1), z.literal(4663)]),
    /** The contract whose events are launches: launcher, engine, factory or router. */
    address: addressSchema,
    /** The block of its deployment. */
    startBlock: decimalSchema,
    /** The last block that counts, inclusive; null for a source that goes on. */
    endBlock: decimalSchema.nullable().default(null),
    factoryVersion: z.enum(FOUNDATION_FACTORY_VERSIONS).nullable().default(null),
    /** The other contracts that its checks need, by name. */
    contracts: z.record(z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/), addressSchema),
    status: z.enum(SOURCE_STATUSES).default('active'),
    sourceCommit: z.string().regex(/^[0-9a-f]{40}$/).nullable().default(null),
  })
  .refine(({ startBlock, endBlock }) => endBlock === null || BigInt(endBlock) >= BigInt(startBlock), { path: ['endBlock'], message: 'is before startBlock' });

export const indexFactsSchema = z.strictObject({
  /** Of every binding: `production`, say. */
  profile: z.string().min(1).max(64),
  /** The rollup of chain 4663 on Ethereum. */
  rollup: indexDeploymentSchema.shape.rollup,
  sources: z.array(sourceFacts).min(1).max(MAX_INDEX_SOURCES),
});

/** @throws Error with a line for each wrong fact. */
function parseFacts(value) {
  const result = indexFactsSchema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ path: at, message }) => `facts: ${at.join('.') || 'document'}: ${message}`).join('\n'));
}

async function bound(observers, name, address) {
  const code = await getCodeAgreed(observers, address);
  if (code.kind === 'indeterminate') throw new Error(`${name}: the observers do not agree on its code: ${code.reason}`);
  if (code.value === '0x') throw new Error(`${name}: there is no code at ${address}`);
  return { address, runtimeCodeHash: keccak256Hex(Buffer.from(code.value.slice(2), 'hex')) };
}

/** The bindings of these facts, with the code that both observers of each chain show. What a manifest says must be so. */
export async function readSources({ profile, sources }, urls, manifest) {
  if (manifest !== undefined) await requireManifestChains(manifest, urls);
  const observers = {
    4663: createObserverPair(parseObserverUrls('RPC_4663_URLS', urls.l2), 4663),
    1: createObserverPair(parseObserverUrls('RPC_1_URLS', urls.l1), 1),
  };
  const placed = [];
  for (const { status, contracts, address, ...facts } of sources) {
    const pair = observers[facts.chainId];
    const named = `${facts.sourceVersion} on chain ${facts.chainId}`;
    const checked = async (what, at) => {
      const found = await bound(pair, what, at);
      requireManifestCode(manifest, facts.chainId, what, found);
      return found;
    };
    const others = {};
    for (const [name, other] of Object.entries(contracts)) others[name] = await checked(`${named}: ${name}`, other);
    const source = bindSource({ ...facts, profile, ...(await checked(named, address)), contracts: others });
    placed.push({ source, status });
  }
  return placed;
}

/** Publishes bindings in the folder; what it named before stays. @returns what the deployment says of its sources now. */
export function publishSources(folder, rollup, placed) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, DEPLOYMENT);
  const earlier = existsSync(file) ? indexDeploymentSchema.parse(parseStrictJson(readFileSync(file))).sources : [];
  const deployment = indexDeploymentSchema.parse(deploymentOf(rollup, placed, earlier));
  for (const { source } of placed) writeWhole(path.join(folder, `${sourceReleaseDigest(source).slice('sha256:'.length)}.json`), canonicalizeJson(source));
  // Last: it names what has to be there.
  writeWhole(file, canonicalizeJson(deployment));
  return deployment;
}

/** A process that reads meanwhile finds one document or the other, whole. A hidden name is passed over. */
function writeWhole(file, bytes) {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.new`);
  writeFileSync(draft, bytes);
  chmodSync(draft, 0o644);
  renameSync(draft, file);
}

async function main() {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { manifest: { type: 'string' } } });
  const [factsFile, folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new Error('usage: RPC_4663_URLS_FILE=… RPC_1_URLS_FILE=… write-index-sources.mjs [--manifest <deployment.json>] <facts.json> <folder>');
  const manifest = values.manifest === undefined ? undefined : readManifest(values.manifest);
  const { RPC_4663_URLS: l2, RPC_1_URLS: l1 } = loadConfig(z.object({ RPC_4663_URLS: z.string(), RPC_1_URLS: z.string() }));
  const bytes = readFileSync(factsFile);
  if (bytes.length > MAX_FACTS_BYTES) throw new Error('the facts are too long');
  const given = parseStrictJson(bytes);
  const facts = parseFacts(manifest === undefined ? given : indexFactsOf(given, manifest));
  const { sources } = publishSources(folder, facts.rollup, await readSources(facts, { l2, l1 }, manifest));
  process.stdout.write(`${JSON.stringify(sources, null, 2)}\n`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
