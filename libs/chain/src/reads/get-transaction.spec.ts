import { describe, expect, it } from '@jest/globals';
import { keccak256, parseTransaction, toHex, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { RpcObserver } from '../rpc/observer.js';
import { getTransaction } from './get-transaction.js';

// The second account of the well-known development mnemonic.
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const common = {
  chainId: 4663,
  nonce: 7,
  to: `0x${'ab'.repeat(20)}` as Hex,
  value: 5n,
  data: '0x1234' as Hex,
  gas: 21_000n,
};

/** Formats the transaction as a node lists it. */
async function listed(
  signed: Hex,
  change: Record<string, unknown> = {},
): Promise<{ hash: Hex; answer: Record<string, unknown> }> {
  const parsed = parseTransaction(signed);
  const hash = keccak256(signed);
  const optional = (name: string, value: bigint | undefined): Record<string, Hex> =>
    value === undefined ? {} : { [name]: toHex(value) };
  const types = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip4844: '0x3', eip7702: '0x4' } as const;
  const answer = {
    hash,
    type: types[parsed.type ?? 'legacy'],
    from: account.address,
    to: parsed.to ?? null,
    value: toHex(parsed.value ?? 0n),
    input: parsed.data ?? '0x',
    nonce: toHex(parsed.nonce ?? 0),
    gas: toHex(parsed.gas ?? 0n),
    chainId: toHex(parsed.chainId ?? 0),
    r: parsed.r,
    s: parsed.s,
    ...optional('gasPrice', parsed.gasPrice),
    ...optional('maxFeePerGas', parsed.maxFeePerGas),
    ...optional('maxPriorityFeePerGas', parsed.maxPriorityFeePerGas),
    ...optional('maxFeePerBlobGas', parsed.maxFeePerBlobGas),
    accessList: parsed.accessList ?? [],
    blobVersionedHashes: parsed.blobVersionedHashes,
    ...optional('v', parsed.v),
    ...(parsed.yParity === undefined ? {} : { yParity: toHex(parsed.yParity) }),
    ...change,
  };
  return { hash, answer };
}

const observer = (answer: unknown): RpcObserver => ({
  id: 'alpha',
  chainId: 4663,
  originCommitment: '0x',
  request: async () => answer,
});

const SIGNED = {
  legacy: () => account.signTransaction({ ...common, type: 'legacy', gasPrice: 9n }),
  eip2930: () => account.signTransaction({ ...common, type: 'eip2930', gasPrice: 9n, accessList: [] }),
  eip4844: () =>
    account.signTransaction({
      ...common,
      type: 'eip4844',
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 1n,
      maxFeePerBlobGas: 3n,
      blobVersionedHashes: [`0x01${'4'.repeat(62)}`],
    }),
  eip1559: () => account.signTransaction({ ...common, type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }),
};

describe('a transaction of an observer', () => {
  it.each(Object.keys(SIGNED) as (keyof typeof SIGNED)[])(
    'is authentic if hash and sender follow from the signature: %s',
    async (type) => {
      const { hash, answer } = await listed(await SIGNED[type]());
      expect(await getTransaction(observer(answer), hash)).toEqual({
        hash,
        from: account.address.toLowerCase(),
        to: common.to,
        value: 5n,
        input: '0x1234',
        chainId: 4663n,
        authentic: true,
      });
    },
  );

  it.each([
    ['another value', { value: '0x6' }],
    ['another input', { input: '0x123456' }],
    ['another receiver', { to: `0x${'cd'.repeat(20)}` }],
    ['another sender', { from: `0x${'cd'.repeat(20)}` }],
    ['another chain', { chainId: '0x1' }],
    ['another nonce', { nonce: '0x8' }],
    ['another signature', { s: `0x${'1'.repeat(64)}` }],
    ['a signature of zeros', { r: '0x0', s: '0x0' }],
    ['another hash', { hash: `0x${'1'.repeat(64)}` }],
  ])('is not authentic with %s, even after the true one was read', async (_what, change) => {
    const signed = await SIGNED.eip1559();
    const seen = await listed(signed);
    expect((await getTransaction(observer(seen.answer), seen.hash))?.authentic).toBe(true);
    const { hash, answer } = await listed(signed, change);
    expect((await getTransaction(observer(answer), hash))?.authentic).toBe(false);
  });

  it('A transaction of the legacy type is not authentic with a chain other than its signature’s.', async () => {
    const { hash, answer } = await listed(await SIGNED.legacy(), { chainId: '0x1' });
    expect((await getTransaction(observer(answer), hash))?.authentic).toBe(false);
  });

  it('has unknown authenticity if it cannot be rebuilt: other types, missing signatures', async () => {
    const signed = await SIGNED.eip1559();
    for (const change of [{ type: '0x64' }, { r: null }, { maxFeePerGas: null }]) {
      const { hash, answer } = await listed(signed, change);
      expect((await getTransaction(observer(answer), hash))?.authentic).toBeNull();
    }
  });

  it('is null if the node does not have it, and an error if its shape is wrong', async () => {
    expect(await getTransaction(observer(null), `0x${'1'.repeat(64)}`)).toBeNull();
    await expect(getTransaction(observer({ hash: '0x1' }), `0x${'1'.repeat(64)}`)).rejects.toMatchObject({
      code: 'RPC_ANSWER_INVALID',
    });
  });
});
