import { toHex, type Hex } from 'viem';
import { ROUTER_V1_ABI, ROUTER_V2_ABI } from '@launch/evm';
import { nonceUsed } from '../actions/nonce-used.js';
import { ChainError, isChainError } from '../chain.error.js';
import type { BlockRef } from '../reads/block-ref.js';
import { getCodeHash } from '../reads/get-code.js';
import { getHeader } from '../reads/get-header.js';
import { getLogs } from '../reads/get-logs.js';
import { getLongReceipt, getReceipt } from '../reads/get-receipt.js';
import { getTransaction } from '../reads/get-transaction.js';
import { isTooMuch, narrower, SMALLEST_RANGE } from '../reads/log-range.js';
import { readContract } from '../reads/read-contract.js';
import type { RpcObserver } from '../rpc/observer.js';
import { NODE_INTERFACE_ABI } from './inbox.abi.js';
import type { L2BlockObserver, L2FinalityObserver, RollupPlace } from './ports.types.js';
import type { LaunchTarget, MultiRoleTarget, StampedTarget } from './launch-target.js';
import { logTopicsOf } from './target-proof.js';

export interface LogSearch {
  /** Blocks in one log query, within the endpoints' limit. */
  readonly rangeBlocks: bigint;
  /** Blocks searched after the simulation's block. */
  readonly searchBlocks: bigint;
}

/** 200,000 blocks are several times a permit window. */
export const DEFAULT_LOG_SEARCH: LogSearch = { rangeBlocks: 10_000n, searchBlocks: 200_000n };

/** Queries in one poll. If endpoints accept few blocks per query, recovery finds launches that were sent late. */
const SEARCH_QUERIES = 100;

/** Adapts a JSON-RPC endpoint of chain 4663 to the finality of blocks. */
export const rpcL2BlockObserver = (rpc: RpcObserver): L2BlockObserver => ({
  id: rpc.id,
  header: (at) => getHeader(rpc, at),
  batchContaining: (rollup, block) => batchContaining(rpc, rollup, block),
});

/** Adapts it to the finality of launches. */
export function rpcL2Observer(rpc: RpcObserver, search: LogSearch = DEFAULT_LOG_SEARCH): L2FinalityObserver {
  return {
    ...rpcL2BlockObserver(rpc),
    transaction: (hash) => getTransaction(rpc, hash),
    receipt: (hash) => getReceipt(rpc, hash),
    longReceipt: (hash, contract) => getLongReceipt(rpc, hash, contract),
    stampTransactions: (target) => stampTransactions(rpc, target, search),
    stampLogs: (target, blockHash) =>
      getLogs(rpc, { address: target.router, topics: logTopicsOf(target), blocks: { hash: blockHash } }),
    nonceUsed: (target, at) => nonceUsed(rpc, target.router, target.controller, target.nonce, at),
    getters: (target, blockHash) => readGetters(rpc, target, { hash: blockHash }),
    gettersV1: (target, blockHash) => readGettersV1(rpc, target, { hash: blockHash }),
    codeHash: (account, blockHash) => getCodeHash(rpc, account, { hash: blockHash }),
    stampedAccount: (target, account, blockHash) => stampedAccount(rpc, target, account, { hash: blockHash }),
  };
}

async function stampTransactions(
  rpc: RpcObserver,
  target: LaunchTarget,
  { rangeBlocks, searchBlocks }: LogSearch,
): Promise<Hex[]> {
  const head = await getHeader(rpc, 'latest');
  if (head === null)
    throw new ChainError('RPC_ANSWER_INVALID', {
      observer: rpc.id,
      method: 'eth_getBlockByNumber',
      problem: 'no latest block',
    });
  const last = target.searchFrom + searchBlocks;
  const end = head.number < last ? head.number : last;
  let from = target.searchFrom;
  let range = rangeBlocks;
  for (let query = 0; query < SEARCH_QUERIES && from <= end; query++) {
    const to = from + range - 1n < end ? from + range - 1n : end;
    try {
      const logs = await getLogs(rpc, {
        address: target.router,
        topics: logTopicsOf(target),
        blocks: { from, to },
      });
      if (logs.length > 0) return [...new Set(logs.map((log) => log.transactionHash))];
      from = to + 1n;
    } catch (error) {
      if (range <= SMALLEST_RANGE || !(error instanceof ChainError) || !isTooMuch(error.code)) throw error;
      range = narrower(range);
    }
  }
  return [];
}

async function readGetters(
  rpc: RpcObserver,
  target: MultiRoleTarget,
  at: BlockRef,
): ReturnType<L2FinalityObserver['getters']> {
  const router = { address: target.router, abi: ROUTER_V2_ABI } as const;
  const { stamp } = target;
  const [used, permitUsed, launchStamp, stampProof, launchIdByToken, launchIdByPool] = await Promise.all([
    nonceUsed(rpc, target.router, target.controller, target.nonce, at),
    readContract(rpc, router, 'permitUsed', [stamp.permitDigest], at),
    readContract(rpc, router, 'launchStamp', [stamp.launchId], at),
    readContract(rpc, router, 'stampProof', [stamp.launchId], at),
    readContract(rpc, router, 'launchIdByToken', [stamp.token], at),
    readContract(rpc, router, 'launchIdByPool', [stamp.poolId], at),
  ]);
  const accounts: { componentProof: Hex; launchIdByComponent: Hex }[] = [];
  // One account at a time: a launch may list dozens, and providers limit the request rate.
  for (const { account } of stamp.accounts) {
    accounts.push(await stampedAccount(rpc, target, account, at));
  }
  const [controller, token, hook, poolId, permitDigest] = launchStamp;
  return {
    nonceUsed: used,
    permitUsed,
    launchStamp: { controller: lower(controller), token: lower(token), hook: lower(hook), poolId, permitDigest },
    stampProof,
    launchIdByToken,
    launchIdByPool,
    accounts,
  };
}

async function readGettersV1(
  rpc: RpcObserver,
  target: StampedTarget,
  at: BlockRef,
): ReturnType<L2FinalityObserver['gettersV1']> {
  const router = { address: target.router, abi: ROUTER_V1_ABI } as const;
  const { launchId, permitDigest, stamp, components } = target.stamp;
  const [used, permitUsed, answered, stampProof, launchIdByToken, launchIdByPool] = await Promise.all([
    nonceUsed(rpc, target.router, target.controller, target.nonce, at),
    readContract(rpc, router, 'permitUsed', [permitDigest], at),
    readContract(rpc, router, 'launchStamp', [launchId], at),
    readContract(rpc, router, 'stampProof', [launchId], at),
    readContract(rpc, router, 'launchIdByToken', [stamp.token], at),
    readContract(rpc, router, 'launchIdByPool', [stamp.poolId], at),
  ]);
  const accounts: { launchIdByComponent: Hex; componentRuntimeCodeHash: Hex }[] = [];
  // One account at a time: a launch may list dozens, and providers limit the request rate.
  for (const { account } of components) {
    const [launchIdByComponent, componentRuntimeCodeHash] = await Promise.all([
      readContract(rpc, router, 'launchIdByComponent', [account], at),
      readContract(rpc, router, 'componentRuntimeCodeHash', [account], at),
    ]);
    accounts.push({ launchIdByComponent, componentRuntimeCodeHash });
  }
  const [kind, token, hook, poolManager, poolId, routeLauncher, routePayloadHash, componentSetHash, stampHash] =
    answered;
  return {
    nonceUsed: used,
    permitUsed,
    launchStamp: {
      kind,
      token: lower(token),
      hook: lower(hook),
      poolManager: lower(poolManager),
      poolId,
      routeLauncher: lower(routeLauncher),
      routePayloadHash,
      componentSetHash,
      stampHash,
    },
    stampProof,
    launchIdByToken,
    launchIdByPool,
    components: accounts,
  };
}

const lower = (address: string): Hex => address.toLowerCase() as Hex;

async function stampedAccount(
  rpc: RpcObserver,
  target: MultiRoleTarget,
  account: Hex,
  at: BlockRef,
): ReturnType<L2FinalityObserver['stampedAccount']> {
  const router = { address: target.router, abi: ROUTER_V2_ABI } as const;
  const [componentProof, launchIdByComponent] = await Promise.all([
    readContract(rpc, router, 'componentProof', [target.stamp.launchId, account], at),
    readContract(rpc, router, 'launchIdByComponent', [account], at),
  ]);
  return { componentProof, launchIdByComponent };
}

/** Reads the batch of a block. A node reports "not posted yet" by a revert or by an error message of its own. */
async function batchContaining(rpc: RpcObserver, rollup: RollupPlace, block: bigint): Promise<bigint | null> {
  try {
    return await readContract(
      rpc,
      { address: rollup.nodeInterface, abi: NODE_INTERFACE_ABI },
      'findBatchContainingBlock',
      [block],
      'latest',
    );
  } catch (error) {
    // An empty revert has no reason: a node without the interface would return the same.
    const refused = isChainError(error, 'RPC_REVERTED') || isChainError(error, 'RPC_REFUSED') ? error : null;
    if (refused !== null && saysNotPosted(refused)) return null;
    throw error;
  }
}

const NOT_POSTED = ['after latest on-chain block', 'not yet found on any batch'];

function saysNotPosted(error: ChainError<'RPC_REVERTED'> | ChainError<'RPC_REFUSED'>): boolean {
  const data = 'data' in error.data ? error.data.data : '0x';
  return NOT_POSTED.some((words) => error.data.rpcMessage.includes(words) || data.includes(toHex(words).slice(2)));
}
