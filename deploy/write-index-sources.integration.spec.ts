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
import { indexFactsSchema, publishSources, readSources } from './write-index-sources.mjs';

interface Facts {
  readonly rollup: IndexDeployment['rollup'];
}
const facts = (change: object = {}, source: object = {}): Facts => (indexFactsSchema as { parse: (value: unknown) => Facts }).parse({ ...FACTS, ...change, sources: [{ ...LAUNCHER, ...source }] });
const read = readSources as (facts: Facts, urls: { l2: string; l1: string }) => Promise<readonly PlacedSource[]>;
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
