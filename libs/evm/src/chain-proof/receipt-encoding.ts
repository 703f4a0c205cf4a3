import { concat } from 'viem/utils';
import { EvmError } from '../evm.error.js';
import type { Hex } from '../encoding/hex.js';
import type { ReceiptLog } from '../stamp/stamp-log.js';
import { decodeRlp, encodeRlp, rlpBytes, rlpInteger, rlpList, rlpQuantity } from './rlp.js';
import { RpcFields } from './rpc-fields.js';

/** A receipt as the `receiptsRoot` of its block commits to it; `logIndex` counts within the receipt. */
export interface ProvenReceipt {
  readonly status: 'success' | 'reverted';
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly ReceiptLog[];
}

/**
 * Encodes a JSON-RPC receipt as its consensus bytes (EIP-2718): type byte, then status, cumulative gas, bloom, logs. A
 * Nitro chain's own types use the same layout.
 * @throws {EvmError} `CHAIN_DATA_INVALID`
 */
export function encodeReceipt(receipt: unknown): Hex {
  const fields = new RpcFields(receipt, 'receipt');
  const logs = fields.list('logs').map((log) => {
    const entry = new RpcFields(log, 'log');
    const topics = entry.list('topics').map((topic) => new RpcFields({ topic }, 'log').bytes('topic', 32));
    return [entry.bytes('address', 20), topics, entry.bytes('data')] as const;
  });
  const payload = encodeRlp([
    fields.integer('status'),
    fields.integer('cumulativeGasUsed'),
    fields.bytes('logsBloom', 256),
    logs,
  ]);
  const type = fields.has('type') ? fields.quantity('type') : 0n;
  if (type > 0x7fn) throw fields.invalid('type');
  return type === 0n ? payload : concat([rlpInteger(type), payload]);
}

/** Decodes consensus bytes. @throws {EvmError} `CHAIN_DATA_INVALID` */
export function decodeReceipt(bytes: Hex): ProvenReceipt {
  const typed = Number.parseInt(bytes.slice(2, 4), 16) < 0x80;
  const fields = rlpList(decodeRlp(typed ? `0x${bytes.slice(4)}` : bytes, 'receipt'), 'receipt', 4);
  const status = rlpBytes(fields[0], 'receipt.status');
  if (status !== '0x' && status !== '0x01') throw new EvmError('CHAIN_DATA_INVALID', 'receipt.status');
  return {
    status: status === '0x01' ? 'success' : 'reverted',
    cumulativeGasUsed: rlpQuantity(fields[1], 'receipt.cumulativeGasUsed'),
    logs: rlpList(fields[3], 'receipt.logs').map((log, logIndex) => {
      const [address, topics, data] = rlpList(log, 'log', 3);
      return {
        address: rlpBytes(address, 'log.address', 20),
        topics: rlpList(topics, 'log.topics').map((topic) => rlpBytes(topic, 'log.topic', 32)),
        data: rlpBytes(data, 'log.data'),
        logIndex,
      };
    }),
  };
}
