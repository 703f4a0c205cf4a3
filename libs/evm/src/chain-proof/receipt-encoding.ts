import { concat, fromRlp, toRlp } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import type { ReceiptLog } from '../stamp/launch-stamp.js';
import { rlpInteger, RpcFields } from './rpc-fields.js';

/** A receipt as its block's `receiptsRoot` commits to it; `logIndex` counts within the receipt. */
export interface ProvenReceipt {
  readonly status: 'success' | 'reverted';
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly ReceiptLog[];
}

/**
 * A receipt's consensus bytes from a JSON-RPC receipt (EIP-2718): type byte, then status, cumulative gas, bloom, logs.
 * A Nitro chain's own types are written the same way.
 * @throws {EvmError} `CHAIN_DATA_INVALID`
 */
export function encodeReceipt(receipt: unknown): Hex {
  const fields = new RpcFields(receipt, 'receipt');
  const logs = fields.list('logs').map((log) => {
    const entry = new RpcFields(log, 'log');
    const topics = entry.list('topics').map((topic) => new RpcFields({ topic }, 'log').bytes('topic', 32));
    return [entry.bytes('address', 20), topics, entry.bytes('data')] as const;
  });
  const payload = toRlp([fields.integer('status'), fields.integer('cumulativeGasUsed'), fields.bytes('logsBloom', 256), logs] as never) as Hex;
  const type = fields.has('type') ? fields.quantity('type') : 0n;
  if (type > 0x7fn) throw fields.invalid('type');
  return type === 0n ? payload : concat([rlpInteger(type), payload]);
}

/** Reads consensus bytes back. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function decodeReceipt(bytes: Hex): ProvenReceipt {
  const typed = Number.parseInt(bytes.slice(2, 4), 16) < 0x80;
  const fields = list(rlpOf(typed ? `0x${bytes.slice(4)}` : bytes), 4);
  const [status, gas] = [text(fields[0]), text(fields[1])];
  if (status !== '0x' && status !== '0x01') throw new EvmError('CHAIN_DATA_INVALID', 'receipt.status');
  return {
    status: status === '0x01' ? 'success' : 'reverted',
    cumulativeGasUsed: gas === '0x' ? 0n : BigInt(gas),
    logs: list(fields[3]).map((log, logIndex) => {
      const [address, topics, data] = list(log, 3);
      return { address: text(address, 20), topics: list(topics).map((topic) => text(topic, 32)), data: text(data), logIndex };
    }),
  };
}

function rlpOf(rlp: Hex): unknown {
  try {
    return fromRlp(rlp, 'hex');
  } catch {
    throw new EvmError('CHAIN_DATA_INVALID', 'receipt');
  }
}

function list(value: unknown, length?: number): readonly unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) throw new EvmError('CHAIN_DATA_INVALID', 'receipt');
  return value;
}

function text(value: unknown, length?: number): Hex {
  if (typeof value !== 'string' || (length !== undefined && value.length !== 2 + 2 * length)) throw new EvmError('CHAIN_DATA_INVALID', 'receipt');
  return value as Hex;
}
