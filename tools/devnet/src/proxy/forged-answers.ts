import { isRecord } from './block-parameters.js';
import type { Faults } from './faults.schema.js';

const EMPTY_BLOOM = `0x${'0'.repeat(512)}`;

/** Rewrites objects of an answer from the inside out. The result of `change` replaces the object. */
function rewrite(value: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, change));
  if (!isRecord(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rewrite(item, change)])));
}

/** One mask per lie, so that two lies together are not the truth. */
const DISAGREE_MASK = 0x5a;
const FORGE_MASK = 0xa5;

/** Maps every hash to another. It is its own inverse, so that the liar recognises its own hashes. */
export function disguiseHash(hash: unknown, mask = DISAGREE_MASK): unknown {
  if (typeof hash !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(hash)) return hash;
  const lastByte = Number.parseInt(hash.slice(-2), 16) ^ mask;
  return hash.slice(0, -2) + lastByte.toString(16).padStart(2, '0');
}

/** Disguises every block hash in an answer. */
export function disguiseBlocks(result: unknown): unknown {
  return rewrite(result, (object) => {
    const changed = { ...object };
    for (const key of ['blockHash', 'parentHash']) if (key in changed) changed[key] = disguiseHash(changed[key]);
    if ('parentHash' in changed && 'hash' in changed) changed['hash'] = disguiseHash(changed['hash']);
    return changed;
  });
}

type Forgery = NonNullable<Faults['forgeReceipt']>;

/** Forges receipts, logs and transactions of one transaction, the same way in every method. */
export function forgeReceipts(method: string, result: unknown, forgery: Forgery): unknown {
  const concerns = (hash: unknown): boolean => forgery.transactionHash === null || hash === forgery.transactionHash;
  const has = (field: Forgery['fields'][number]): boolean => forgery.fields.includes(field);
  const forged = rewrite(result, (object) => {
    if (isReceipt(object) && concerns(object['transactionHash'])) return forgeReceipt(object, has);
    if (isLog(object) && concerns(object['transactionHash'])) return forgeLog(object, has);
    if (isTransaction(object) && concerns(object['hash']) && has('blockHash')) {
      return { ...object, blockHash: disguiseHash(object['blockHash'], FORGE_MASK) };
    }
    return object;
  });
  // A reverted transaction has no logs, so a forged status removes them from the log search as well.
  if (method !== 'eth_getLogs' || !has('status') || !Array.isArray(forged)) return forged;
  return forged.filter((log) => !(isRecord(log) && concerns(log['transactionHash'])));
}

function forgeReceipt(
  receipt: Record<string, unknown>,
  has: (field: Forgery['fields'][number]) => boolean,
): Record<string, unknown> {
  const changed = { ...receipt };
  if (has('blockHash')) changed['blockHash'] = disguiseHash(receipt['blockHash'], FORGE_MASK);
  if (!has('status')) return changed;
  if (receipt['status'] === '0x0') return { ...changed, status: '0x1' };
  return { ...changed, status: '0x0', logs: [], logsBloom: EMPTY_BLOOM };
}

/** Logs are also inside receipts, and are reached before them. */
function forgeLog(
  log: Record<string, unknown>,
  has: (field: Forgery['fields'][number]) => boolean,
): Record<string, unknown> {
  const changed = { ...log };
  if (has('blockHash')) changed['blockHash'] = disguiseHash(log['blockHash'], FORGE_MASK);
  if (has('logs')) changed['data'] = flipLastByte(log['data']);
  return changed;
}

function flipLastByte(data: unknown): unknown {
  if (typeof data !== 'string' || data.length < 4) return '0x01';
  return data.slice(0, -2) + (Number.parseInt(data.slice(-2), 16) ^ 0xff).toString(16).padStart(2, '0');
}

function isReceipt(object: Record<string, unknown>): boolean {
  return 'cumulativeGasUsed' in object && 'logs' in object;
}

function isLog(object: Record<string, unknown>): boolean {
  return 'topics' in object && 'logIndex' in object;
}

function isTransaction(object: Record<string, unknown>): boolean {
  return 'hash' in object && 'input' in object && 'nonce' in object;
}
