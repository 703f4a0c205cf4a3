// The deployment manifest (docs/reference/index-sources.md#deployment-manifest), for the programs that write contexts
// and bindings: with a manifest, facts name its contracts where addresses stand else, and say nothing that it says.
import { readFileSync } from 'node:fs';
import { agree, createObserverPair, parseObserverUrls } from '@launch/chain';
import { deploymentManifestSchema } from '@launch/contracts';
import { parseStrictJson } from '@launch/contracts/json';

const MAX_MANIFEST_BYTES = 256 * 1024;
const NAME = /^[a-z][A-Za-z0-9]{0,63}$/;
const LAUNCH_CHAIN = 4663;
/** The contracts of a context and of the rollup, by the names that a manifest has them by. */
const CONTEXT_CONTRACTS = { router: LAUNCH_CHAIN, poolManager: LAUNCH_CHAIN, sequencerInbox: 1, bridge: 1, nodeInterface: LAUNCH_CHAIN };
const ROLLUP_CONTRACTS = { sequencerInbox: 1, bridge: 1, nodeInterface: LAUNCH_CHAIN };

/** @throws Error when the file is no manifest. */
export function readManifest(file) {
  const bytes = readFileSync(file);
  if (bytes.length > MAX_MANIFEST_BYTES) throw new Error('the manifest is too long');
  return parseManifest(parseStrictJson(bytes));
}

/** @throws Error with a line for each thing that is wrong. */
export function parseManifest(value) {
  const result = deploymentManifestSchema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ path, message }) => `manifest: ${path.join('.') || 'document'}: ${message}`).join('\n'));
}

function contractNamed({ contracts }, name, chainId, where) {
  const contract = contracts.find((one) => one.name === name);
  if (contract === undefined) throw new Error(`facts: ${where}: the manifest has no contract ${name}`);
  if (contract.chainId !== chainId) throw new Error(`facts: ${where}: ${name} stands on chain ${contract.chainId}`);
  return contract;
}

/** An address as it is, or that of the contract that is named. */
const addressOf = (manifest, value, chainId, where) => (typeof value === 'string' && NAME.test(value) ? contractNamed(manifest, value, chainId, where).address : value);

const placed = (manifest, facts, contracts, where = '') =>
  Object.fromEntries(Object.entries(contracts).map(([name, chainId]) => [name, addressOf(manifest, facts[name] ?? name, chainId, `${where}${name}`)]));

const genesisBlockOf = ({ chains }) => chains.find(({ chainId }) => chainId === LAUNCH_CHAIN).genesisBlock;

const withFeed = (manifest, facts, feed, chainId) => {
  const given = facts[feed];
  return given?.address === undefined ? {} : { [feed]: { ...given, address: addressOf(manifest, given.address, chainId, `${feed}.address`) } };
};

/** Facts of a context with what the manifest says: a contract that they do not name is the one of that very name. */
export const contextFactsOf = (facts, manifest) => ({
  ...facts,
  ...placed(manifest, facts, CONTEXT_CONTRACTS),
  genesisBlock: facts.genesisBlock ?? genesisBlockOf(manifest),
  ...withFeed(manifest, facts, 'l2Feed', LAUNCH_CHAIN),
  ...withFeed(manifest, facts, 'l1Feed', 1),
});

/** Facts of an index with what the manifest says: its rollup, and of a source that names its contract the address and first block. */
export function indexFactsOf(facts, manifest) {
  const rollup = facts.rollup ?? {};
  return {
    ...facts,
    rollup: { ...rollup, ...placed(manifest, rollup, ROLLUP_CONTRACTS, 'rollup.'), genesisBlock: rollup.genesisBlock ?? genesisBlockOf(manifest) },
    sources: (facts.sources ?? []).map((source, index) => {
      const { address, chainId, contracts = {} } = source;
      const where = `sources.${index}`;
      const isNamed = typeof address === 'string' && NAME.test(address);
      const named = isNamed ? contractNamed(manifest, address, chainId, `${where}.address`) : null;
      const others = Object.entries(contracts).map(([name, value]) => [name, addressOf(manifest, value, chainId, `${where}.contracts.${name}`)]);
      return { ...(named === null ? {} : { startBlock: named.startBlock }), ...source, address: named?.address ?? address, contracts: Object.fromEntries(others) };
    }),
  };
}

/** The code that the manifest says of an address; undefined without a manifest, and of an address that is not in it. */
const codeHashIn = (manifest, chainId, address) => manifest?.contracts.find((one) => one.chainId === chainId && one.address === address)?.runtimeCodeHash;

/** @throws Error where the observers show other code than the manifest says. */
export function requireManifestCode(manifest, chainId, name, { address, runtimeCodeHash }) {
  const said = codeHashIn(manifest, chainId, address);
  if (said !== undefined && said !== runtimeCodeHash) throw new Error(`${name}: the observers show ${runtimeCodeHash} at ${address}, and the manifest says ${said}`);
}

/** @throws Error where both observers of a chain do not show the first block that the manifest names: it is about other chains. */
export async function requireManifestChains({ chains }, urls) {
  for (const { chainId, genesisBlock, genesisHash } of chains) {
    const observers = chainId === 1 ? parseObserverUrls('RPC_1_URLS', urls.l1) : parseObserverUrls('RPC_4663_URLS', urls.l2);
    const number = `0x${BigInt(genesisBlock).toString(16)}`;
    const shown = await agree(createObserverPair(observers, chainId), `block ${genesisBlock} of chain ${chainId}`, async (observer) => {
      const block = await observer.request('eth_getBlockByNumber', [number, false]);
      return block?.hash ?? null;
    });
    if (shown.kind === 'indeterminate') throw new Error(`manifest: ${shown.reason}`);
    if (shown.value !== genesisHash) throw new Error(`manifest: it is about another chain ${chainId}: block ${genesisBlock} is ${shown.value}`);
  }
}
