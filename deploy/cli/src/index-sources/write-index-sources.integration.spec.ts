import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keccak256Hex } from '@launch/contracts/primitives';
import { startAnvil, type Anvil } from '@launch/testing';
import { readBindings } from '../../../../apps/indexer/src/bindings/read-bindings.js';
import { runDeploy } from '../deploy.cli.js';
import { hostOf } from '../host.fixture.js';
import { indexFactsOf, parseManifest } from '../manifest/deployment-manifest.js';
import { parseIndexFacts, type IndexFacts } from './index.facts.js';
import { publishSources } from './publish-sources.js';
import { readSources } from './read-sources.js';

const facts = (change: object = {}, source: object = {}): IndexFacts =>
  parseIndexFacts({ ...FACTS, ...change, sources: [{ ...LAUNCHER, ...source }] });

const account = (digits: string): `0x${string}` => `0x${digits.repeat(20)}`;
const LAUNCHER = {
  sourceVersion: 'module-native-v1',
  chainId: 4663,
  address: account('a1'),
  startBlock: '50469365',
  sourceCommit: 'c'.repeat(40),
  contracts: { poolManager: account('b2') },
};
const ROUTER = {
  sourceVersion: 'ethereum-custom-v1',
  chainId: 1,
  address: account('c3'),
  startBlock: '21000000',
  endBlock: '21000099',
  sourceCommit: 'c'.repeat(40),
  contracts: { poolManager: account('b2') },
};
const FACTS = {
  profile: 'production',
  rollup: {
    sequencerInbox: account('d4'),
    bridge: account('e5'),
    nodeInterface: '0x00000000000000000000000000000000000000c8',
    genesisBlock: '0',
  },
};

// Two providers a chain.
let providers: Anvil[];
let urls: { l2: string; l1: string };
let folder: string;
beforeAll(async () => {
  const start = (chainId: number) => startAnvil({ chainId, args: ['--timestamp', '1790000000', '--no-mining'] });
  providers = await Promise.all([4663, 4663, 1, 1].map(start));
  const [a, b, c, d] = providers.map(({ url }) => url);
  urls = { l2: `l2-0=${a},l2-1=${b}`, l1: `l1-0=${c},l1-1=${d}` };
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'index-sources-')), 'indexing');
});
afterAll(async () => {
  await Promise.all((providers ?? []).map((provider) => provider.stop()));
  await rm(path.dirname(folder), { recursive: true, force: true });
});

async function setCode(address: string, code: string, which: readonly number[]): Promise<void> {
  for (const at of which) {
    const response = await fetch(providers[at]!.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, code] }),
    });
    expect(await response.json()).not.toHaveProperty('error');
  }
}

it.each<[string, object, RegExp]>([
  ['a source version without an adapter', { sourceVersion: 'module-native-v9' }, /no adapter/],
  ['an end before the start', { endBlock: '5' }, /before startBlock/],
  ['a source without the commit of its contracts', { sourceCommit: undefined }, /sourceCommit/],
  ['a member that is no fact', { runtimeCodeHash: account('00') }, /runtimeCodeHash/],
])('The bindings are not written from %s', (_what, change, why) => {
  expect(() => facts({}, change)).toThrow(why);
});

it('The bindings are not written while a contract is missing or the observers differ', async () => {
  await expect(readSources(facts(), urls)).rejects.toThrow('there is no code at');
  await setCode(LAUNCHER.address, '0x6001', [0, 1]);
  await setCode(account('b2'), '0x6002', [0]);
  await setCode(account('b2'), '0x6003', [1]);
  await expect(readSources(facts(), urls)).rejects.toThrow('poolManager: the observers do not agree');
});

it('The bindings are readable by an indexer and carry the code that both observers of each chain report', async () => {
  await setCode(account('b2'), '0x6002', [0, 1]);
  await setCode(ROUTER.address, '0x6004', [2, 3]);
  await setCode(account('b2'), '0x6005', [2, 3]);
  const both = parseIndexFacts({
    ...FACTS,
    sources: [LAUNCHER, { ...ROUTER, status: 'retained' }],
  });
  publishSources(folder, both.rollup, await readSources(both, urls));
  const { rollup, bindings } = await readBindings(folder);
  expect(rollup).toEqual(FACTS.rollup);
  const hash = (code: string) => keccak256Hex(Buffer.from(code, 'hex'));
  expect(
    bindings.map(({ source, status }) => [
      source.sourceVersion,
      source.chainId,
      source.runtimeCodeHash,
      source.contracts['poolManager']?.runtimeCodeHash,
      source.endBlock,
      status,
    ]),
  ).toEqual([
    ['module-native-v1', 4663, hash('6001'), hash('6002'), null, 'active'],
    ['ethereum-custom-v1', 1, hash('6004'), hash('6005'), '21000099', 'retained'],
  ]);
});

it('A binding that the facts no longer name is retained, and no draft remains', async () => {
  const other = facts({}, { startBlock: '50469366' });
  const { sources } = publishSources(folder, other.rollup, await readSources(other, urls));
  expect(sources.map(({ status }) => status)).toEqual(['active', 'retained', 'retained']);
  expect((await readBindings(folder)).bindings).toHaveLength(3);
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  // The same facts once more change nothing.
  expect(publishSources(folder, other.rollup, await readSources(other, urls)).sources).toEqual(sources);
});

it('A manifest that names every contract gives the same bindings, and one of other code, chains or contracts gives none', async () => {
  const ofBlock = async (at: number): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] });
    const response = await fetch(providers[at]!.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return ((await response.json()) as { result: { hash: string } }).result.hash;
  };
  const contract = (name: string, chainId: number, address: string, code: string, startBlock = '0') => ({
    name,
    chainId,
    address,
    runtimeCodeHash: keccak256Hex(Buffer.from(code, 'hex')),
    startBlock,
  });
  const { sequencerInbox, bridge, nodeInterface } = FACTS.rollup;
  const manifest = parseManifest({
    schemaVersion: 'service.deployment-manifest.v1',
    chains: [
      { chainId: 1, genesisBlock: '0', genesisHash: await ofBlock(2) },
      { chainId: 4663, genesisBlock: '0', genesisHash: await ofBlock(0) },
    ],
    contracts: [
      contract('nativeLauncherV1', 4663, LAUNCHER.address, '6001', LAUNCHER.startBlock),
      contract('poolManager', 4663, account('b2'), '6002'),
      contract('graphRouter', 1, ROUTER.address, '6004', ROUTER.startBlock),
      contract('poolManagerL1', 1, account('b2'), '6005'),
      contract('sequencerInbox', 1, sequencerInbox, '60'),
      contract('bridge', 1, bridge, '60'),
      contract('nodeInterface', 4663, nodeInterface, '60'),
    ],
  });
  const { startBlock: _launched, ...launcher } = LAUNCHER;
  const { startBlock: _routed, ...router } = ROUTER;
  const named = {
    profile: FACTS.profile,
    sources: [
      { ...launcher, address: 'nativeLauncherV1', contracts: { poolManager: 'poolManager' } },
      { ...router, address: 'graphRouter', contracts: { poolManager: 'poolManagerL1' } },
    ],
  };
  const plain = parseIndexFacts({ ...FACTS, sources: [LAUNCHER, ROUTER] });
  const resolved = parseIndexFacts(indexFactsOf(named, manifest));
  expect(resolved).toEqual(plain);
  expect(await readSources(resolved, urls, manifest)).toEqual(await readSources(plain, urls));

  const [first, ...others] = manifest.contracts;
  const otherCode = parseManifest({
    ...manifest,
    contracts: [{ ...first, runtimeCodeHash: manifest.contracts[1]!.runtimeCodeHash }, ...others],
  });
  await expect(readSources(resolved, urls, otherCode)).rejects.toThrow(
    /module-native-v1 on chain 4663: the observers show .* and the manifest names/,
  );
  const [ethereum, launches] = manifest.chains;
  const otherChain = parseManifest({
    ...manifest,
    chains: [
      ethereum,
      { ...launches, genesisHash: ethereum!.genesisHash.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
    ],
  });
  await expect(readSources(resolved, urls, otherChain)).rejects.toThrow('manifest: it describes another chain 4663');
  expect(() => indexFactsOf({ ...named, sources: [{ ...launcher, address: 'graphRouter' }] }, manifest)).toThrow(
    'sources.0.address: graphRouter is on chain 1',
  );
  expect(() => indexFactsOf(named, { ...manifest, contracts: others })).toThrow(
    'the manifest has no contract nativeLauncherV1',
  );
});

it('The command writes the bindings of its facts, and reports sources that neither observer knows', async () => {
  const place = path.dirname(folder);
  const [file, target] = [path.join(place, 'facts.json'), path.join(place, 'by-command')];
  const env = { RPC_4663_URLS: urls.l2, RPC_1_URLS: urls.l1 };
  const run = () => runDeploy(['write-index-sources', '--facts', file, '--folder', target], hostOf({ env }));
  await writeFile(file, JSON.stringify({ ...FACTS, sources: [{ ...LAUNCHER, address: account('ee') }] }));
  const missing = await run();
  expect([missing.exitCode, missing.stdout]).toEqual([3, '']);
  expect(missing.stderr).toContain('CODE_MISSING: module-native-v1 on chain 4663: there is no code at 0xeeee');
  await writeFile(file, JSON.stringify({ ...FACTS, sources: [LAUNCHER, ROUTER] }));
  const written = await run();
  expect([written.exitCode, written.stderr]).toEqual([0, '']);
  const { bindings } = await readBindings(target);
  expect(JSON.parse(written.stdout)).toHaveLength(bindings.length);
  await providers[1]!.stop();
  expect(await run()).toMatchObject({
    exitCode: 8,
    stderr: expect.stringContaining('OBSERVERS_UNAVAILABLE: module-native-v1'),
  });
});
