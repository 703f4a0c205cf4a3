import type { IndexDeployment } from '@launch/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keccak256Hex } from '@launch/contracts';
import type { PlacedSource } from '@launch/evm/sources';
import { startAnvil, type Anvil } from '@launch/testing';
import { readBindings } from '../apps/indexer/src/bindings/read-bindings.js';
// @ts-expect-error -- a program of plain JavaScript, without declarations
import { indexFactsOf, parseManifest } from './deployment-manifest.mjs';
// @ts-expect-error -- a program of plain JavaScript, without declarations
import { indexFactsSchema, publishSources, readSources } from './write-index-sources.mjs';

interface Facts {
  readonly rollup: IndexDeployment['rollup'];
}
const facts = (change: object = {}, source: object = {}): Facts => (indexFactsSchema as { parse: (value: unknown) => Facts }).parse({ ...FACTS, ...change, sources: [{ ...LAUNCHER, ...source }] });
const read = readSources as (facts: Facts, urls: { l2: string; l1: string }, manifest?: object) => Promise<readonly PlacedSource[]>;
const publish = publishSources as (folder: string, rollup: IndexDeployment['rollup'], placed: readonly PlacedSource[]) => IndexDeployment;

const account = (digits: string): `0x${string}` => `0x${digits.repeat(20)}`;
const LAUNCHER = { sourceVersion: 'module-native-v1', chainId: 4663, address: account('a1'), startBlock: '50469365', contracts: { poolManager: account('b2') } };
const ROUTER = { sourceVersion: 'ethereum-custom-v1', chainId: 1, address: account('c3'), startBlock: '21000000', endBlock: '21000099', contracts: { poolManager: account('b2') } };
const FACTS = {
  profile: 'production',
  rollup: { sequencerInbox: account('d4'), bridge: account('e5'), nodeInterface: '0x00000000000000000000000000000000000000c8', genesisBlock: '0' },
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
  ['a member that is no fact', { runtimeCodeHash: account('00') }, /runtimeCodeHash/],
])('are not written of %s', (_what, change, why) => {
  expect(() => facts({}, change)).toThrow(why);
});

it('are not written while a contract is missing or the observers differ', async () => {
  await expect(read(facts(), urls)).rejects.toThrow('there is no code at');
  await setCode(LAUNCHER.address, '0x6001', [0, 1]);
  await setCode(account('b2'), '0x6002', [0]);
  await setCode(account('b2'), '0x6003', [1]);
  await expect(read(facts(), urls)).rejects.toThrow('poolManager: the observers do not agree');
});

it('are what an indexer reads, with the code that both observers of each chain show', async () => {
  await setCode(account('b2'), '0x6002', [0, 1]);
  await setCode(ROUTER.address, '0x6004', [2, 3]);
  await setCode(account('b2'), '0x6005', [2, 3]);
  const both = (indexFactsSchema as { parse: (value: unknown) => Facts }).parse({ ...FACTS, sources: [LAUNCHER, { ...ROUTER, status: 'retained' }] });
  publish(folder, both.rollup, await read(both, urls));
  const { rollup, bindings } = await readBindings(folder);
  expect(rollup).toEqual(FACTS.rollup);
  const hash = (code: string) => keccak256Hex(Buffer.from(code, 'hex'));
  expect(bindings.map(({ source, status }) => [source.sourceVersion, source.chainId, source.runtimeCodeHash, source.contracts['poolManager']?.runtimeCodeHash, source.endBlock, status])).toEqual([
    ['module-native-v1', 4663, hash('6001'), hash('6002'), null, 'active'],
    ['ethereum-custom-v1', 1, hash('6004'), hash('6005'), '21000099', 'retained'],
  ]);
});

it('keep a binding that the facts name no more, as retained, and end in nothing half written', async () => {
  const other = facts({}, { startBlock: '50469366' });
  const { sources } = publish(folder, other.rollup, await read(other, urls));
  expect(sources.map(({ status }) => status)).toEqual(['active', 'retained', 'retained']);
  expect((await readBindings(folder)).bindings).toHaveLength(3);
  expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual([]);
  // The same facts once more change nothing.
  expect(publish(folder, other.rollup, await read(other, urls)).sources).toEqual(sources);
});

it('are the same from a manifest that names every contract, and none where it is about other code, chains or contracts', async () => {
  const ofBlock = async (at: number): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['0x0', false] });
    const response = await fetch(providers[at]!.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
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
  const manifest = {
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
  };
  const { startBlock: _launched, ...launcher } = LAUNCHER;
  const { startBlock: _routed, ...router } = ROUTER;
  const named = {
    profile: FACTS.profile,
    sources: [
      { ...launcher, address: 'nativeLauncherV1', contracts: { poolManager: 'poolManager' } },
      { ...router, address: 'graphRouter', contracts: { poolManager: 'poolManagerL1' } },
    ],
  };
  const parse = (value: unknown): Facts => (indexFactsSchema as { parse: (value: unknown) => Facts }).parse(value);
  const resolve = indexFactsOf as (facts: object, manifest: object) => object;
  const plain = parse({ ...FACTS, sources: [LAUNCHER, ROUTER] });
  const resolved = parse(resolve(named, (parseManifest as (value: object) => object)(manifest)));
  expect(resolved).toEqual(plain);
  expect(await read(resolved, urls, manifest)).toEqual(await read(plain, urls));

  const [first, ...others] = manifest.contracts;
  const otherCode = { ...manifest, contracts: [{ ...first, runtimeCodeHash: manifest.contracts[1]!.runtimeCodeHash }, ...others] };
  await expect(read(resolved, urls, otherCode)).rejects.toThrow(/module-native-v1 on chain 4663: the observers show .* and the manifest says/);
  const [ethereum, launches] = manifest.chains;
  const otherChain = { ...manifest, chains: [ethereum, { ...launches, genesisHash: ethereum!.genesisHash.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }] };
  await expect(read(resolved, urls, otherChain)).rejects.toThrow('manifest: it is about another chain 4663');
  expect(() => resolve({ ...named, sources: [{ ...launcher, address: 'graphRouter' }] }, manifest)).toThrow('sources.0.address: graphRouter stands on chain 1');
  expect(() => resolve(named, { ...manifest, contracts: others })).toThrow('the manifest has no contract nativeLauncherV1');
});
