import { keccak256 } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import { decodeRlp, encodeRlp, rlpBytes, rlpList, rlpQuantity } from './rlp.js';
import { RpcFields } from './rpc-fields.js';

/** The fields that a proof takes from a header. The block hash binds all of them. */
export interface ProvenHeader {
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly stateRoot: Hex;
  readonly transactionsRoot: Hex;
  readonly receiptsRoot: Hex;
  readonly number: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

type Field = readonly [name: string, kind: 'integer' | number | 'bytes'];

const FIELDS: readonly Field[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'integer'],
  ['number', 'integer'],
  ['gasLimit', 'integer'],
  ['gasUsed', 'integer'],
  ['timestamp', 'integer'],
  ['extraData', 'bytes'],
  ['mixHash', 32],
  ['nonce', 8],
];
/** Fields that forks appended, in order. Each header has a prefix of them. */
const APPENDED: readonly Field[] = [
  ['baseFeePerGas', 'integer'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'integer'],
  ['excessBlobGas', 'integer'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
  ['blockAccessListHash', 32],
  ['slotNumber', 'integer'],
];

/**
 * Encodes the header of a JSON-RPC block as RLP, for Ethereum and for a Nitro chain alike.
 * @throws {EvmError} `CHAIN_DATA_INVALID` naming the field that is absent or malformed.
 */
export function encodeBlockHeader(block: unknown): Hex {
  const fields = new RpcFields(block, 'header');
  const end = APPENDED.findIndex(([name]) => !fields.has(name));
  const appended = end < 0 ? APPENDED : APPENDED.slice(0, end);
  const gap = APPENDED.slice(appended.length).find(([name]) => fields.has(name));
  if (gap !== undefined) throw fields.invalid(gap[0]);
  return encodeRlp(
    [...FIELDS, ...appended].map(([name, kind]) =>
      kind === 'integer' ? fields.integer(name) : fields.bytes(name, kind === 'bytes' ? undefined : kind),
    ),
  );
}

/** Recomputes the hash of a block from the fields of its header. @throws {EvmError} */
export const hashBlockHeader = (block: unknown): Hex => keccak256(encodeBlockHeader(block));

/** Decodes an encoded header; its hash is the hash of these bytes. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function decodeBlockHeader(rlp: Hex): ProvenHeader {
  const fields = rlpList(decodeRlp(rlp, 'header'), 'header');
  if (fields.length < FIELDS.length || fields.length > FIELDS.length + APPENDED.length)
    throw new EvmError('CHAIN_DATA_INVALID', 'header');
  const word = (index: number): Hex => rlpBytes(fields[index], `header.${FIELDS[index]![0]}`, 32);
  const integer = (index: number): bigint => rlpQuantity(fields[index], `header.${FIELDS[index]![0]}`);
  return {
    hash: keccak256(rlp),
    parentHash: word(0),
    stateRoot: word(3),
    transactionsRoot: word(4),
    receiptsRoot: word(5),
    number: integer(8),
    timestamp: integer(11),
  };
}
