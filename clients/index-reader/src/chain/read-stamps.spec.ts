import { describe, expect, it } from '@jest/globals';
import { quantity, type RpcObserver } from '@launch/chain';
import { readStamps } from './read-stamps.js';
import type { IndexSource } from '@launch/contracts/index';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';

const wordOf = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const addressOf = (value: number): Hex => `0x${quantity(value).slice(2).padStart(40, '0')}`;
const TOKEN = addressOf(7);
const BLOCK = { number: 100n, hash: wordOf(100) };
const CODE: Hex = '0x6001';
const [CURRENT, RETIRED, LATER] = [1, 2, 3].map((n) => ({
  address: addressOf(n),
  startBlock: n === 3 ? '101' : '50',
  runtimeCodeHash: keccak256Hex(Buffer.from('6001', 'hex')),
})) as [IndexSource, IndexSource, IndexSource];

/** The answers of a node for a router by its address: its code, and the launch of the token. */
type Said = Readonly<Record<string, { readonly code?: Hex; readonly launch?: Hex }>>;
const node = (id: string, said: Said): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: wordOf(1),
  request: async (method, [asked]) => {
    const to = typeof asked === 'string' ? asked : (asked as { readonly to: string }).to;
    const { code = CODE, launch = wordOf(0) } = said[to] ?? {};
    return method === 'eth_getCode' ? code : launch;
  },
});
const read = (said: Said, other = said, routers = [CURRENT, RETIRED, LATER]) =>
  readStamps([node('a', said), node('b', other)], routers, TOKEN, BLOCK);

describe('the statement that no router stamped a token', () => {
  it('holds when every router that exists at the block denies the stamp', async () => {
    expect(await read({})).toEqual({ stamped: false, reason: null });
  });

  it.each<[string, Said, Said?, IndexSource[]?]>([
    ['a retired router names a launch', { [RETIRED.address]: { launch: wordOf(9) } }],
    ['a router has other code', { [RETIRED.address]: { code: '0x6002' } }],
    ['a router does not exist', { [CURRENT.address]: { code: '0x', launch: '0x' } }],
    ['a router answers nothing', { [CURRENT.address]: { launch: '0x' } }],
    ['one endpoint names a launch', {}, { [CURRENT.address]: { launch: wordOf(9) } }],
    ['no router is published', {}, {}, []],
  ])('is not made when %s', async (_why, said, ...further) => {
    expect(await read(said, ...further)).toEqual({ stamped: null, reason: expect.any(String) });
  });
});
