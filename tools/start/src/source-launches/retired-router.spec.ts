import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DevnetContracts, DevnetDescription } from '@launch/devnet';
import { developmentSources } from '../development-sources.js';
import { silentProgress } from '../progress.js';
import { readRetiredRouter, settleRetiredRouter } from './retired-router.js';

const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const RETIRED = {
  schemaVersion: 'launch.retired-router.v1',
  endBlock: '77',
  coin: { token: account('1'), launchWallet: account('2') },
};
const without = { launch: false, progress: silentProgress };
const chains = (resumed: boolean) => ({ resumed }) as DevnetDescription;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'launch-retired-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const write = (document: unknown): Promise<void> =>
  writeFile(path.join(dir, 'retired-router.json'), JSON.stringify(document));

describe('the first router of Ethereum', () => {
  it('keeps its configured end on kept chains, whether or not a launch is requested', async () => {
    await write(RETIRED);
    expect(await settleRetiredRouter(dir, chains(true), { ...without, launch: true })).toEqual(RETIRED);
    expect(await settleRetiredRouter(dir, chains(true), without)).toEqual(RETIRED);
  });

  it('has no coin on kept chains where it ended without one, and launches no more', async () => {
    expect(await settleRetiredRouter(dir, chains(true), { ...without, launch: true })).toBeUndefined();
  });

  it('has no coin on chains that no longer exist', async () => {
    await write(RETIRED);
    expect(await settleRetiredRouter(dir, chains(false), without)).toBeUndefined();
    expect(await readRetiredRouter(dir)).toBeUndefined();
  });

  it('is not guessed from a file with other content', async () => {
    await write({ ...RETIRED, endBlock: -1 });
    await expect(settleRetiredRouter(dir, chains(true), without)).rejects.toThrow('endBlock');
  });

  it.each([
    ['77', '77'],
    [undefined, '41'],
  ])('The first router of Ethereum with the end %s is bound up to block %s.', (end, bound) => {
    const contract = (_target: object, name: string | symbol) => ({
      address: account(name === 'retiredRouterL1' ? '3' : '4'),
      runtimeCodeHash: `0x${'5'.repeat(64)}`,
      startBlock: 42,
    });
    const contracts = new Proxy({}, { get: contract }) as DevnetContracts;
    const sources = developmentSources({ contracts, genesisL2Block: 0 } as DevnetDescription, 'c'.repeat(40), end);
    expect(
      sources.filter(({ endBlock }) => endBlock !== null).map(({ address, endBlock }) => [address, endBlock]),
    ).toEqual([[account('3'), bound]]);
  });
});
