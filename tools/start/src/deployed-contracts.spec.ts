import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  deploymentManifestSchema,
  indexDeploymentSchema,
  indexSourceSchema,
  type DeploymentManifest,
} from '@launch/contracts/index';
import { keccak256Hex } from '@launch/contracts/primitives';
import { manifestFileIn, type DevnetContracts, type DevnetDescription } from '@launch/devnet';
import { buildDevelopmentContext, buildDevelopmentCustomLaunchContext } from './development-context.js';
import { contractsOf, deployedContracts } from './deployed-contracts.js';
import { developmentSources, publishSources } from './development-sources.js';

const word = (text: string): `0x${string}` => keccak256Hex(new TextEncoder().encode(text));
const account = (text: string): `0x${string}` => `0x${word(text).slice(-40)}`;
const genesis = { '1': word('first'), '4663': word('second') };
/** Answers every requested name and records it, so the manifest has exactly the needed ones. */
function asked(): { readonly contracts: DevnetContracts; readonly names: Set<string> } {
  const names = new Set<string>();
  const contracts = new Proxy({} as DevnetContracts, {
    get(_none, name) {
      names.add(String(name));
      return { address: account(String(name)), runtimeCodeHash: word(String(name)), startBlock: 7 };
    },
  });
  return { contracts, names };
}
const provider = (port: number) => ({ id: `provider-${port}`, url: `http://127.0.0.1:${port}` });
const AUTHORITY = account('permit authority');
const FEES = account('platform fee recipient');
const chainsWith = (contracts: DevnetContracts) =>
  ({
    contracts,
    genesis,
    genesisL2Block: 50469364,
    rpc: { '1': [provider(1), provider(2)], '4663': [provider(3), provider(4)] },
    priceFeed: { decimals: 8, heartbeatSeconds: 3600 },
    platformFeeRecipient: FEES,
    permitAuthority: { address: AUTHORITY },
  }) as unknown as DevnetDescription;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'launch-manifest-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const published = async (devnet: DevnetDescription): Promise<string> => {
  const folder = await publishSources(path.join(dir, 'indexing'), devnet, developmentSources(devnet, 'c'.repeat(40)));
  return JSON.stringify([
    buildDevelopmentContext(devnet),
    buildDevelopmentCustomLaunchContext(devnet),
    developmentSources(devnet, 'c'.repeat(40)),
    await readFile(path.join(folder, 'deployment.json'), 'utf8'),
  ]);
};
const manifestWith = (names: Iterable<string>): DeploymentManifest =>
  deploymentManifestSchema.parse({
    schemaVersion: 'service.deployment-manifest.v1',
    chains: [
      { chainId: 1, genesisBlock: '0', genesisHash: genesis['1'] },
      { chainId: 4663, genesisBlock: '50469364', genesisHash: genesis['4663'] },
    ],
    contracts: [...names].map((name) => ({
      name,
      chainId: 4663,
      address: account(name),
      runtimeCodeHash: word(name),
      startBlock: '7',
    })),
  });
const write = (manifest: unknown): Promise<void> => writeFile(manifestFileIn(dir), JSON.stringify(manifest));

describe('the published data of the development chains', () => {
  it('has every address from the deployment manifest, except those of signers and recipients', async () => {
    const { contracts, names } = asked();
    const documents = await published(chainsWith(contracts));
    const manifest = manifestWith(names);
    await write(manifest);
    const read = await deployedContracts(dir, { genesis });
    await rm(path.join(dir, 'indexing'), { recursive: true });
    expect(await published(chainsWith(read))).toBe(documents);
    const known = new Set([AUTHORITY, FEES, ...manifest.contracts.map(({ address }) => address)]);
    const addresses = [...documents.matchAll(/0x[0-9a-f]{40}(?![0-9a-f])/gi)].map(([address]) => address.toLowerCase());
    expect(addresses.length).toBeGreaterThan(30);
    expect([...new Set(addresses)].filter((address) => !known.has(address as `0x${string}`))).toEqual([]);
  });
});

describe('A deployment manifest', () => {
  const manifest = manifestWith(['router', 'poolManager']);

  it('names the place, code and first block of each contract', async () => {
    await write(manifest);
    expect(await deployedContracts(dir, { genesis })).toEqual(contractsOf(manifest));
    expect(contractsOf(manifest).router).toEqual({
      address: account('router'),
      runtimeCodeHash: word('router'),
      startBlock: 7,
    });
  });

  it.each([
    [
      'is of other chains',
      { ...manifest, chains: manifestWith(['router']).chains.map((one) => ({ ...one, genesisHash: word('third') })) },
      'is about other chains',
    ],
    [
      'names a contract twice',
      { ...manifest, contracts: [...manifest.contracts, { ...manifest.contracts[0], address: account('other') }] },
      'names a contract twice',
    ],
    [
      'has two contracts at one address',
      { ...manifest, contracts: [...manifest.contracts, { ...manifest.contracts[0], name: 'other' }] },
      'has two contracts at one address',
    ],
    ['lacks a block', { ...manifest, contracts: [{ ...manifest.contracts[0], startBlock: undefined }] }, 'startBlock'],
  ])('is refused when it %s', async (_what, document, problem) => {
    await write(document);
    await expect(deployedContracts(dir, { genesis })).rejects.toThrow(problem);
  });
});

describe('the published bindings', () => {
  it('keep the commit that deployed their contracts at later starts of another commit', async () => {
    const devnet = chainsWith(asked().contracts);
    const folder = path.join(dir, 'indexing');
    const [first, later] = ['c'.repeat(40), 'd'.repeat(40)];
    const commitsOf = async (commit: string, options = {}): Promise<readonly (string | null)[]> => {
      await publishSources(folder, devnet, developmentSources(devnet, commit), options);
      const deployment = await readFile(path.join(folder, 'deployment.json'), 'utf8');
      const { sources } = indexDeploymentSchema.parse(JSON.parse(deployment));
      return Promise.all(
        sources.map(async ({ releaseDigest }) => {
          const text = await readFile(path.join(folder, `${releaseDigest.slice('sha256:'.length)}.json`), 'utf8');
          return indexSourceSchema.parse(JSON.parse(text)).sourceCommit;
        }),
      );
    };
    const before = await commitsOf(first);
    expect([new Set(before), before.length > 5]).toEqual([new Set([first]), true]);
    expect(await commitsOf(later)).toEqual(before);
    expect(new Set(await commitsOf(later, { isNew: true }))).toEqual(new Set([later]));
  });
});
