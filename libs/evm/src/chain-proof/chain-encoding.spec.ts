import { describe, expect, it } from '@jest/globals';
import { keccak256, parseTransaction, stringToHex, type TransactionSerializable } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Hex } from '../encoding/hex.js';
import { decodeBlockHeader, encodeBlockHeader, hashBlockHeader } from './block-header.js';
import { decodeReceipt, encodeReceipt } from './receipt-encoding.js';
import { decodeSignedTransaction, encodeTransaction } from './transaction-encoding.js';

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const to: Hex = '0x2222222222222222222222222222222222222222';
const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const common = { chainId: 4663, nonce: 7, gas: 90_000n, to, value: 5n, data: '0x00ff' as Hex };
const accessList = [{ address: to, storageKeys: [word('3')] }];
const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 0n };
const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

const AUTHORIZATION = await account.signAuthorization({ address: to, chainId: 4663, nonce: 1 });
const SIGNED: readonly [string, TransactionSerializable][] = [
  ['legacy', { ...common, type: 'legacy', gasPrice: 3n }],
  ['creation', { type: 'legacy', chainId: 4663, nonce: 0, gas: 1n, value: 0n, data: '0x60', gasPrice: 3n }],
  ['access list', { ...common, type: 'eip2930', gasPrice: 3n, accessList }],
  ['fee market', { ...common, type: 'eip1559', ...fees, accessList }],
  [
    'blobs',
    { ...common, type: 'eip4844', ...fees, maxFeePerBlobGas: 4n, blobVersionedHashes: [`0x01${'4'.repeat(62)}`] },
  ],
  ['delegation', { ...common, type: 'eip7702', ...fees, authorizationList: [AUTHORIZATION] }],
];

/** Returns a signed transaction in the form of a node's response. */
function asRpc(raw: Hex): Record<string, unknown> {
  const parsed = parseTransaction(raw) as unknown as Readonly<Record<string, bigint>>;
  const number = (name: string): object => (parsed[name] === undefined ? {} : { [name]: hex(parsed[name]) });
  const type = { legacy: 0, eip2930: 1, eip1559: 2, eip4844: 3, eip7702: 4 }[String(parsed['type'])] as number;
  return {
    type: hex(type),
    hash: keccak256(raw),
    from: account.address,
    to: parsed['to'] ?? null,
    input: parsed['data'] ?? '0x',
    value: hex(parsed['value'] ?? 0n),
    nonce: hex(parsed['nonce'] ?? 0),
    r: parsed['r'],
    s: parsed['s'],
    v: hex(parsed['v'] ?? parsed['yParity'] ?? 0n),
    ...(type === 0 ? {} : { yParity: hex(parsed['yParity'] ?? 0n) }),
    accessList: parsed['accessList'] ?? [],
    ...number('chainId'),
    ...number('gas'),
    ...number('gasPrice'),
    maxFeePerGas: hex(parsed['maxFeePerGas'] ?? 0n),
    maxPriorityFeePerGas: hex(parsed['maxPriorityFeePerGas'] ?? 0n),
    ...number('maxFeePerBlobGas'),
    blobVersionedHashes: parsed['blobVersionedHashes'] ?? [],
    authorizationList: ((parsed['authorizationList'] ?? []) as Record<string, never>[]).map((one) => ({
      address: one['address'],
      chainId: hex(one['chainId']!),
      nonce: hex(one['nonce']!),
      yParity: hex(one['yParity']!),
      r: one['r'],
      s: one['s'],
    })),
  };
}

describe('a transaction', () => {
  it.each(SIGNED)(
    'A transaction of type %s is encoded as it was signed, and decoded with its sender.',
    async (_title, transaction) => {
      const raw = await account.signTransaction(transaction as never);
      expect(encodeTransaction(asRpc(raw))).toBe(raw);
      expect(decodeSignedTransaction(raw)).toEqual({
        hash: keccak256(raw),
        from: account.address.toLowerCase(),
        to: transaction.to ?? null,
        value: transaction.value,
        input: transaction.data,
        chainId: 4663n,
      });
    },
  );

  it('A transaction from before EIP-155 names no chain.', async () => {
    const raw = await account.signTransaction({
      type: 'legacy',
      nonce: 0,
      gas: 1n,
      gasPrice: 1n,
      to,
      value: 0n,
      data: '0x01',
    });
    expect(decodeSignedTransaction(raw)).toMatchObject({ from: account.address.toLowerCase(), chainId: null });
  });

  it('A transaction of a Nitro chain is encoded although it has no signature.', () => {
    const raw = encodeTransaction({ type: '0x6a', chainId: '0x1237', input: '0x6bf6a42d' });
    expect(raw).toBe('0x6ac8821237846bf6a42d');
    expect(() => decodeSignedTransaction(raw)).toThrow('CHAIN_DATA_TYPE_UNKNOWN');
  });

  it.each([
    ['an unknown type', { type: '0x50' }, 'CHAIN_DATA_TYPE_UNKNOWN'],
    ['an absent field', { type: '0x2' }, 'CHAIN_DATA_INVALID'],
    ['no object', null, 'CHAIN_DATA_INVALID'],
  ])('is refused for %s', (_title, answer, code) => {
    expect(() => encodeTransaction(answer)).toThrow(code);
  });

  it.each<[string, Hex]>([
    ['nothing', '0x'],
    ['no list', '0x0280'],
    ['a list too short', '0x02c0'],
  ])('is not decoded as a signed transaction from %s', (_title, raw) => {
    expect(() => decodeSignedTransaction(raw)).toThrow(/CHAIN_DATA/);
  });
});

const HEADER = {
  parentHash: word('1'),
  sha3Uncles: word('2'),
  miner: to,
  stateRoot: word('3'),
  transactionsRoot: word('4'),
  receiptsRoot: word('5'),
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x0',
  number: '0x10',
  gasLimit: '0x5208',
  gasUsed: '0x0',
  timestamp: '0x6',
  extraData: '0x',
  mixHash: word('7'),
  nonce: '0x0000000000000000',
};
const FORKS = {
  baseFeePerGas: '0x1',
  withdrawalsRoot: word('8'),
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  parentBeaconBlockRoot: word('9'),
  requestsHash: word('a'),
};

describe('a header', () => {
  it('is hashed with the fields of its fork, and decoded again', () => {
    const all = { ...HEADER, ...FORKS, hash: 'not part of it', transactions: [], l1BlockNumber: '0x1' };
    const hash = hashBlockHeader(all);
    expect(decodeBlockHeader(encodeBlockHeader(all))).toEqual({
      hash,
      parentHash: word('1'),
      stateRoot: word('3'),
      transactionsRoot: word('4'),
      receiptsRoot: word('5'),
      number: 16n,
      timestamp: 6n,
    });
    expect(hashBlockHeader({ ...HEADER, baseFeePerGas: '0x1' })).not.toBe(hash);
  });

  it('has a hash that binds every field', () => {
    const all: Record<string, string> = { ...HEADER, ...FORKS };
    const hashes = Object.entries(all).map(([name, value]) =>
      hashBlockHeader({
        ...all,
        [name]: value === '0x' ? '0x01' : `${value.slice(0, -1)}${value.endsWith('c') ? 'd' : 'c'}`,
      }),
    );
    expect(new Set([...hashes, hashBlockHeader(all)]).size).toBe(Object.keys(all).length + 1);
  });

  it('is refused if the fields of its forks have a gap', () => {
    expect(() => encodeBlockHeader({ ...HEADER, withdrawalsRoot: word('8') })).toThrow(
      'CHAIN_DATA_INVALID: header.withdrawalsRoot',
    );
    expect(() => decodeBlockHeader('0xc0')).toThrow('CHAIN_DATA_INVALID');
    expect(() => decodeBlockHeader('0x')).toThrow('CHAIN_DATA_INVALID');
  });
});

describe('a receipt', () => {
  const log = { address: to, topics: [word('1'), word('2')], data: stringToHex('data'), logIndex: '0x9' };
  const receipt = {
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: `0x${'0'.repeat(512)}`,
    logs: [log],
    gasUsed: '0x5208',
    transactionHash: word('3'),
  };

  it.each(['0x0', '0x2', '0x3', '0x6a'])('A receipt of type %s is written and read back.', (type) => {
    const bytes = encodeReceipt({ ...receipt, type });
    expect(type === '0x0' ? bytes.startsWith('0xf9') : bytes.startsWith(`0x${type.slice(2).padStart(2, '0')}f9`)).toBe(
      true,
    );
    expect(decodeReceipt(bytes)).toEqual({
      status: 'success',
      cumulativeGasUsed: 21_000n,
      logs: [{ address: to, topics: log.topics, data: log.data, logIndex: 0 }],
    });
    expect(decodeReceipt(encodeReceipt({ ...receipt, type, status: '0x0', logs: [] }))).toMatchObject({
      status: 'reverted',
      logs: [],
    });
  });

  it('is refused if it is malformed', () => {
    expect(() => encodeReceipt({ ...receipt, status: undefined })).toThrow('CHAIN_DATA_INVALID: receipt.status');
    expect(() => encodeReceipt({ ...receipt, logs: [{ ...log, topics: ['0x00'] }] })).toThrow(
      'CHAIN_DATA_INVALID: log.topic',
    );
    expect(() => decodeReceipt('0x02c0')).toThrow('CHAIN_DATA_INVALID');
    expect(() => decodeReceipt('0x')).toThrow('CHAIN_DATA_INVALID');
  });
});
