import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concat, hexToBytes, keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { decodeRlp, encodeRlp, rlpBytes, rlpInteger, rlpList, rlpQuantity, type RlpItem } from './rlp.js';
import { RpcFields } from './rpc-fields.js';

type Read = (fields: RpcFields) => RlpItem;

const integer =
  (name: string): Read =>
  (fields) =>
    fields.integer(name);
const bytes =
  (name: string, length?: number): Read =>
  (fields) =>
    fields.bytes(name, length);
const receiver: Read = (fields) => fields.addressOrNone('to');
const accessList: Read = (fields) =>
  fields.has('accessList')
    ? fields.list('accessList').map((item) => {
        const entry = new RpcFields(item, 'accessList');
        return [
          entry.bytes('address', 20),
          entry.list('storageKeys').map((key) => new RpcFields({ key }, 'accessList').bytes('key', 32)),
        ];
      })
    : [];
const blobHashes: Read = (fields) =>
  fields.list('blobVersionedHashes').map((hash) => new RpcFields({ hash }, 'transaction').bytes('hash', 32));
const authorizations: Read = (fields) =>
  fields.list('authorizationList').map((item) => {
    const entry = new RpcFields(item, 'authorization');
    return [
      entry.integer('chainId'),
      entry.bytes('address', 20),
      entry.integer('nonce'),
      entry.integer('yParity'),
      entry.integer('r'),
      entry.integer('s'),
    ];
  });
const parity: Read = (fields) =>
  rlpInteger(fields.has('yParity') ? fields.quantity('yParity') : fields.quantity('v') & 1n);
const SIGNATURE: readonly Read[] = [parity, integer('r'), integer('s')];

const [chainId, nonce, gas, value, input] = [
  integer('chainId'),
  integer('nonce'),
  integer('gas'),
  integer('value'),
  bytes('input'),
];
const FEES = [integer('maxPriorityFeePerGas'), integer('maxFeePerGas')];

/**
 * The fields of each transaction type in the order of its RLP: EIP-2930, 1559, 4844 and 7702, and the types of a Nitro
 * chain (0x64 and above).
 */
const TYPES: Readonly<Record<number, readonly Read[]>> = {
  0x00: [nonce, integer('gasPrice'), gas, receiver, value, input, integer('v'), integer('r'), integer('s')],
  0x01: [chainId, nonce, integer('gasPrice'), gas, receiver, value, input, accessList, ...SIGNATURE],
  0x02: [chainId, nonce, ...FEES, gas, receiver, value, input, accessList, ...SIGNATURE],
  0x03: [
    chainId,
    nonce,
    ...FEES,
    gas,
    receiver,
    value,
    input,
    accessList,
    integer('maxFeePerBlobGas'),
    blobHashes,
    ...SIGNATURE,
  ],
  0x04: [chainId, nonce, ...FEES, gas, receiver, value, input, accessList, authorizations, ...SIGNATURE],
  0x64: [chainId, bytes('requestId', 32), bytes('from', 20), receiver, value],
  0x65: [chainId, bytes('from', 20), nonce, integer('maxFeePerGas'), gas, receiver, value, input],
  0x66: [chainId, bytes('requestId', 32), bytes('from', 20), integer('maxFeePerGas'), gas, receiver, value, input],
  0x68: [
    chainId,
    nonce,
    bytes('from', 20),
    integer('maxFeePerGas'),
    gas,
    receiver,
    value,
    input,
    bytes('ticketId', 32),
    bytes('refundTo', 20),
    integer('maxRefund'),
    integer('submissionFeeRefund'),
  ],
  0x69: [
    chainId,
    bytes('requestId', 32),
    bytes('from', 20),
    integer('l1BaseFee'),
    integer('depositValue'),
    integer('maxFeePerGas'),
    gas,
    (fields) => fields.addressOrNone('retryTo'),
    integer('retryValue'),
    bytes('beneficiary', 20),
    integer('maxSubmissionFee'),
    bytes('refundTo', 20),
    bytes('retryData'),
  ],
  0x6a: [chainId, input],
};

/**
 * Encodes a JSON-RPC transaction as its consensus bytes; their keccak-256 is the transaction's hash.
 * @throws {EvmError} `CHAIN_DATA_INVALID`, `CHAIN_DATA_TYPE_UNKNOWN`
 */
export function encodeTransaction(transaction: unknown): Hex {
  const fields = new RpcFields(transaction, 'transaction');
  const type = Number(fields.has('type') ? fields.quantity('type') : 0n);
  const reads = TYPES[type];
  if (reads === undefined) throw new EvmError('CHAIN_DATA_TYPE_UNKNOWN', 'transaction.type');
  const payload = encodeRlp(reads.map((read) => read(fields)));
  return type === 0 ? payload : concat([rlpInteger(BigInt(type)), payload]);
}

/** A signed transaction. Its hash and its signature bind every field. */
export interface SignedTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null for a creation. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly input: Hex;
  /** The chain that the signature is for; null for a signature that names none. */
  readonly chainId: bigint | null;
}

/** The position of each field that this module reads, by signed type. The signature is always the last three fields. */
const SIGNED: Readonly<
  Record<number, { readonly length: number; readonly chainId: number | null; readonly to: number }>
> = {
  0x00: { length: 9, chainId: null, to: 3 },
  0x01: { length: 11, chainId: 0, to: 4 },
  0x02: { length: 12, chainId: 0, to: 5 },
  0x03: { length: 14, chainId: 0, to: 5 },
  0x04: { length: 13, chainId: 0, to: 5 },
};

/**
 * Decodes the consensus bytes of a signed transaction and recovers its sender.
 * @throws {EvmError} `CHAIN_DATA_TYPE_UNKNOWN` for types without a signature, `CHAIN_DATA_INVALID`
 */
export function decodeSignedTransaction(raw: Hex): SignedTransaction {
  const first = Number.parseInt(raw.slice(2, 4), 16);
  const type = first >= 0xc0 ? 0 : first;
  const shape = SIGNED[type];
  if (shape === undefined) throw new EvmError('CHAIN_DATA_TYPE_UNKNOWN', 'transaction.type');
  const fields = rlpList(decodeRlp(type === 0 ? raw : `0x${raw.slice(4)}`, 'transaction'), 'transaction', shape.length);
  const quantity = (index: number): bigint => rlpQuantity(fields[index], 'transaction');
  const unsigned = fields.slice(0, -3);
  const [v, r, s] = [quantity(shape.length - 3), quantity(shape.length - 2), quantity(shape.length - 1)];
  const to = rlpBytes(fields[shape.to], 'transaction.to');
  if (to !== '0x' && to.length !== 42) throw new EvmError('CHAIN_DATA_INVALID', 'transaction.to');
  const legacyChain = v >= 35n ? (v - 35n) / 2n : null;
  const signed =
    type !== 0
      ? concat([rlpInteger(BigInt(type)), encodeRlp(unsigned)])
      : encodeRlp(legacyChain === null ? unsigned : [...unsigned, rlpInteger(legacyChain), '0x', '0x']);
  const recovery = type !== 0 ? v : legacyChain === null ? v - 27n : (v - 35n) % 2n;
  return {
    hash: keccak256(raw),
    from: recover(keccak256(signed), r, s, recovery),
    to: to === '0x' ? null : to,
    value: quantity(shape.to + 1),
    input: rlpBytes(fields[shape.to + 2], 'transaction.input'),
    chainId: shape.chainId === null ? legacyChain : quantity(shape.chainId),
  };
}

function recover(digest: Hex, r: bigint, s: bigint, recovery: bigint): Hex {
  try {
    if (recovery !== 0n && recovery !== 1n) throw new EvmError('CHAIN_DATA_INVALID', 'transaction.v');
    const key = new secp256k1.Signature(r, s)
      .addRecoveryBit(Number(recovery))
      .recoverPublicKey(hexToBytes(digest))
      .toBytes(false);
    return `0x${keccak256(key.subarray(1)).slice(26)}`;
  } catch {
    throw new EvmError('CHAIN_DATA_INVALID', 'transaction.signature');
  }
}
