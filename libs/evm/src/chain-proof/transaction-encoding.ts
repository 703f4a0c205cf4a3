import { secp256k1 } from '@noble/curves/secp256k1.js';
import { concat, fromRlp, hexToBytes, keccak256, toRlp } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { rlpInteger, RpcFields } from './rpc-fields.js';

type Rlp = Hex | readonly Rlp[];
type Read = (fields: RpcFields) => Rlp;

const integer = (name: string): Read => (fields) => fields.integer(name);
const bytes = (name: string, length?: number): Read => (fields) => fields.bytes(name, length);
const receiver: Read = (fields) => fields.addressOrNone('to');
const accessList: Read = (fields) =>
  fields.has('accessList')
    ? fields.list('accessList').map((item) => {
        const entry = new RpcFields(item, 'accessList');
        return [entry.bytes('address', 20), entry.list('storageKeys').map((key) => new RpcFields({ key }, 'accessList').bytes('key', 32))];
      })
    : [];
const blobHashes: Read = (fields) => fields.list('blobVersionedHashes').map((hash) => new RpcFields({ hash }, 'transaction').bytes('hash', 32));
const authorizations: Read = (fields) =>
  fields.list('authorizationList').map((item) => {
    const entry = new RpcFields(item, 'authorization');
    return [entry.integer('chainId'), entry.bytes('address', 20), entry.integer('nonce'), entry.integer('yParity'), entry.integer('r'), entry.integer('s')];
  });
const parity: Read = (fields) => rlpInteger(fields.has('yParity') ? fields.quantity('yParity') : fields.quantity('v') & 1n);
const SIGNATURE: readonly Read[] = [parity, integer('r'), integer('s')];

const [chainId, nonce, gas, value, input] = [integer('chainId'), integer('nonce'), integer('gas'), integer('value'), bytes('input')];
const FEES = [integer('maxPriorityFeePerGas'), integer('maxFeePerGas')];

/** The fields of each transaction type in the order of its RLP: EIP-2930, 1559, 4844, 7702, and a Nitro chain's own (0x64 and above). */
const TYPES: Readonly<Record<number, readonly Read[]>> = {
  0x00: [nonce, integer('gasPrice'), gas, receiver, value, input, integer('v'), integer('r'), integer('s')],
  0x01: [chainId, nonce, integer('gasPrice'), gas, receiver, value, input, accessList, ...SIGNATURE],
  0x02: [chainId, nonce, ...FEES, gas, receiver, value, input, accessList, ...SIGNATURE],
  0x03: [chainId, nonce, ...FEES, gas, receiver, value, input, accessList, integer('maxFeePerBlobGas'), blobHashes, ...SIGNATURE],
  0x04: [chainId, nonce, ...FEES, gas, receiver, value, input, accessList, authorizations, ...SIGNATURE],
  0x64: [chainId, bytes('requestId', 32), bytes('from', 20), receiver, value],
  0x65: [chainId, bytes('from', 20), nonce, integer('maxFeePerGas'), gas, receiver, value, input],
  0x66: [chainId, bytes('requestId', 32), bytes('from', 20), integer('maxFeePerGas'), gas, receiver, value, input],
  0x68: [
    chainId, nonce, bytes('from', 20), integer('maxFeePerGas'), gas, receiver, value, input, bytes('ticketId', 32),
    bytes('refundTo', 20), integer('maxRefund'), integer('submissionFeeRefund'),
  ],
  0x69: [
    chainId, bytes('requestId', 32), bytes('from', 20), integer('l1BaseFee'), integer('depositValue'), integer('maxFeePerGas'), gas, (fields) => fields.addressOrNone('retryTo'),
    integer('retryValue'), bytes('beneficiary', 20), integer('maxSubmissionFee'), bytes('refundTo', 20), bytes('retryData'),
  ],
  0x6a: [chainId, input],
};

/**
 * A transaction's consensus bytes from a JSON-RPC transaction; their keccak-256 is its hash.
 * @throws {EvmError} `CHAIN_DATA_INVALID`, `CHAIN_DATA_TYPE_UNKNOWN`
 */
export function encodeTransaction(transaction: unknown): Hex {
  const fields = new RpcFields(transaction, 'transaction');
  const type = Number(fields.has('type') ? fields.quantity('type') : 0n);
  const reads = TYPES[type];
  if (reads === undefined) throw new EvmError('CHAIN_DATA_TYPE_UNKNOWN', 'transaction.type');
  const payload = toRlp(reads.map((read) => read(fields)) as never) as Hex;
  return type === 0 ? payload : concat([rlpInteger(BigInt(type)), payload]);
}

/** A signed transaction, everything in it bound by its hash and its signature. */
export interface SignedTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  /** Null for a creation. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly input: Hex;
  /** The chain its signature is for; null for a signature that names none. */
  readonly chainId: bigint | null;
}

/** Where each signed type keeps what is read here; the signature is always its last three fields. */
const SIGNED: Readonly<Record<number, { readonly length: number; readonly chainId: number | null; readonly to: number }>> = {
  0x00: { length: 9, chainId: null, to: 3 },
  0x01: { length: 11, chainId: 0, to: 4 },
  0x02: { length: 12, chainId: 0, to: 5 },
  0x03: { length: 14, chainId: 0, to: 5 },
  0x04: { length: 13, chainId: 0, to: 5 },
};

/**
 * Reads a signed transaction's consensus bytes and recovers its sender.
 * @throws {EvmError} `CHAIN_DATA_TYPE_UNKNOWN` for types without a signature, `CHAIN_DATA_INVALID`
 */
export function decodeSignedTransaction(raw: Hex): SignedTransaction {
  const first = Number.parseInt(raw.slice(2, 4), 16);
  const type = first >= 0xc0 ? 0 : first;
  const shape = SIGNED[type];
  if (shape === undefined) throw new EvmError('CHAIN_DATA_TYPE_UNKNOWN', 'transaction.type');
  const fields = rlpList(type === 0 ? raw : `0x${raw.slice(4)}`, shape.length);
  const unsigned = fields.slice(0, -3);
  const [v, r, s] = fields.slice(-3).map(quantity) as [bigint, bigint, bigint];
  const [to, value, input] = [text(fields[shape.to]), quantity(fields[shape.to + 1]), text(fields[shape.to + 2])];
  const legacyChain = v >= 35n ? (v - 35n) / 2n : null;
  const signed = type !== 0 ? concat([rlpInteger(BigInt(type)), toRlp(unsigned as never) as Hex]) : toRlp((legacyChain === null ? unsigned : [...unsigned, rlpInteger(legacyChain), '0x', '0x']) as never);
  const recovery = type !== 0 ? v : legacyChain === null ? v - 27n : (v - 35n) % 2n;
  return {
    hash: keccak256(raw),
    from: recover(keccak256(signed as Hex), r, s, recovery),
    to: to === '0x' ? null : to,
    value,
    input,
    chainId: shape.chainId === null ? legacyChain : quantity(fields[shape.chainId]),
  };
}

function recover(digest: Hex, r: bigint, s: bigint, recovery: bigint): Hex {
  try {
    if (recovery !== 0n && recovery !== 1n) throw new EvmError('CHAIN_DATA_INVALID', 'transaction.v');
    const key = new secp256k1.Signature(r, s).addRecoveryBit(Number(recovery)).recoverPublicKey(hexToBytes(digest)).toBytes(false);
    return `0x${keccak256(key.subarray(1)).slice(26)}`;
  } catch {
    throw new EvmError('CHAIN_DATA_INVALID', 'transaction.signature');
  }
}

function rlpList(rlp: Hex, length: number): readonly unknown[] {
  try {
    const fields = fromRlp(rlp, 'hex');
    if (Array.isArray(fields) && fields.length === length) return fields;
  } catch {
    // Told below: no list of this length, or no RLP at all.
  }
  throw new EvmError('CHAIN_DATA_INVALID', 'transaction');
}

function text(value: unknown): Hex {
  if (typeof value !== 'string') throw new EvmError('CHAIN_DATA_INVALID', 'transaction');
  return value as Hex;
}

function quantity(value: unknown): bigint {
  const digits = text(value);
  if (digits.length > 66) throw new EvmError('CHAIN_DATA_INVALID', 'transaction');
  return digits === '0x' ? 0n : BigInt(digits);
}
