import { toHex } from 'viem';
import type { ChainView } from '../rollup/finality.view.js';

/** The position of a method's block parameter: a number, a tag, or an object of EIP-1898. */
const BLOCK_POSITION: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_createAccessList: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getTransactionCount: 1,
  eth_simulateV1: 1,
  debug_traceBlockByNumber: 0,
  debug_traceCall: 1,
};

/** The position of a method's block hash as a plain string. */
const HASH_POSITION: Readonly<Record<string, number>> = {
  eth_getBlockByHash: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByHash: 0,
  eth_getTransactionByBlockHashAndIndex: 0,
  debug_traceBlockByHash: 0,
};

/** Methods that read the head without a block parameter. */
const DEFAULTS_TO_LATEST = new Set([
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
  'eth_simulateV1',
  'debug_traceCall',
]);

export type Params = readonly unknown[];

/** Returns whether an answer depends on this node's tags rather than on anvil's own. */
export function usesFinalityTag(method: string, params: Params): boolean {
  return blockReferences(method, params).some((block) => block === 'finalized' || block === 'safe');
}

function blockReferences(method: string, params: Params): unknown[] {
  if (method === 'eth_getLogs') return isRecord(params[0]) ? [params[0]['fromBlock'], params[0]['toBlock']] : [];
  const position = BLOCK_POSITION[method];
  return position === undefined ? [] : [params[position]];
}

/** Returns the block hash of a call, or null. */
export function referredHash(method: string, params: Params): string | null {
  const plain = params[HASH_POSITION[method] ?? -1];
  if (typeof plain === 'string' && plain.length === 66) return plain;
  const object = method === 'eth_getLogs' ? params[0] : params[BLOCK_POSITION[method] ?? -1];
  if (isRecord(object) && typeof object['blockHash'] === 'string') return object['blockHash'];
  return null;
}

/** Returns the same call for another block hash. */
export function withHash(method: string, params: Params, hash: string): Params {
  const position = HASH_POSITION[method];
  if (position !== undefined && typeof params[position] === 'string') return params.with(position, hash);
  const objectPosition = method === 'eth_getLogs' ? 0 : BLOCK_POSITION[method];
  if (objectPosition === undefined) return params;
  const object = params[objectPosition];
  return isRecord(object) ? params.with(objectPosition, { ...object, blockHash: hash }) : params;
}

/** Returns the call with every tag replaced by its number at this node; `pending` is the head too. */
export function withResolvedTags(method: string, params: Params, view: ChainView): Params {
  if (method === 'eth_getLogs') {
    const filter = params[0];
    if (!isRecord(filter) || 'blockHash' in filter) return params;
    const fromBlock = resolve(filter['fromBlock'] ?? 'latest', view);
    return params.with(0, {
      ...filter,
      fromBlock,
      toBlock: atMost(resolve(filter['toBlock'] ?? 'latest', view), view.latest),
    });
  }
  const position = BLOCK_POSITION[method];
  if (position === undefined) return params;
  const block = params[position] ?? (DEFAULTS_TO_LATEST.has(method) ? 'latest' : undefined);
  if (block === undefined) return params;
  const padded: Params = Array.from(
    { length: Math.max(params.length, position + 1) },
    (_, index) => params[index] ?? null,
  );
  return padded.with(position, resolve(block, view));
}

/** Returns the highest block number of a call, or null. */
export function referredNumber(method: string, params: Params): number | null {
  if (method === 'eth_getLogs') return null;
  const block = params[BLOCK_POSITION[method] ?? -1];
  const number = isRecord(block) ? block['blockNumber'] : block;
  return typeof number === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(number) ? Number(number) : null;
}

function resolve(block: unknown, view: ChainView): unknown {
  switch (block) {
    case 'latest':
    case 'pending':
      return toHex(view.latest);
    case 'safe':
      return toHex(view.safe);
    case 'finalized':
      return toHex(view.finalized);
    default:
      return block;
  }
}

function atMost(block: unknown, latest: number): unknown {
  return typeof block === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(block) && Number(block) > latest
    ? toHex(latest)
    : block;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
