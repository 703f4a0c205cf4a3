import { expect, it } from '@jest/globals';
import { decodeFunctionData, encodeAbiParameters, parseAbi, size, type Hex } from 'viem';
import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { readGasCost } from './read-gas-cost.js';

const ABI = parseAbi(['function gasEstimateL1Component(address to, bool contractCreation, bytes data)']);
const NODE_INTERFACE = '0x00000000000000000000000000000000000000c8';
const HASH: Hex = `0x${'1'.repeat(64)}`;
const TO = `0x${'a'.repeat(40)}`;

/** A node that charges ten gas per byte at this base fee. */
const node = (id: string, baseFee: bigint): RpcObserver => ({
  id,
  chainId: 4663,
  originCommitment: HASH,
  request: async (_method, params) => {
    const [{ data }, at] = params as [{ data: Hex }, { blockHash: Hex }];
    expect(at.blockHash).toBe(HASH);
    const { args } = decodeFunctionData({ abi: ABI, data });
    return encodeAbiParameters(
      [{ type: 'uint64' }, { type: 'uint256' }, { type: 'uint256' }],
      [10n * BigInt(size(args[2])), baseFee, 1n],
    );
  },
});
const pair = (...baseFees: readonly [bigint, bigint]): ObserverPair => [node('a', baseFees[0]), node('b', baseFees[1])];
const read = (l2: ObserverPair) =>
  readGasCost(
    l2,
    NODE_INTERFACE,
    [
      { to: TO, data: '0x0102', gasUsed: 1_001n },
      { to: TO, data: '0x03', gasUsed: 100n },
    ],
    { hash: HASH },
  );

it('The gas cost sums 125 % of the gas at 120 % of the base fee, each rounded up, and the L1 data over all transactions.', async () => {
  // The cap of 101 wei is 122; 1,001 gas are at most 1,252 and 100 are 125.
  const l2Wei = (1_252n + 125n) * 122n;
  const l1DataWei = (20n + 10n) * 122n;
  expect(await read(pair(101n, 101n))).toEqual({ kind: 'known', l2Wei, l1DataWei, upperBoundWei: l2Wei + l1DataWei });
});

it('The gas cost is absent while the observers differ.', async () => {
  expect(await read(pair(101n, 102n))).toMatchObject({ kind: 'indeterminate' });
});
