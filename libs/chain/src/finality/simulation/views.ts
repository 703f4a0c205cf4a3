import type { Hex } from 'viem';
import { ChainError } from '../../chain.error.js';
import type { BlockRef } from '../../reads/block-ref.js';
import type { BlockHeader, ChainLog, ChainReceipt } from '../../rpc/rpc-answers.schema.js';
import type { LaunchTarget } from '../launch-target.js';
import type { L1FinalityObserver, L2FinalityObserver } from '../ports.types.js';
import { CONTROLLER, stampLogsOf, word } from './launch.fixture.js';
import {
  batchesUpTo,
  l1Finalized,
  l1Head,
  l2Finalized,
  l2Head,
  stampedBy,
  type L2Block,
  type Snapshot,
} from './world.js';

const ZERO: Hex = `0x${'00'.repeat(32)}`;

/** A transaction on chain that is nobody's launch: a false hint may name it. */
export const FOREIGN_TRANSACTION = word('a stranger pays a stranger');

const unanswerable = (id: string, method: string): ChainError =>
  new ChainError('RPC_REFUSED', { observer: id, method, rpcCode: -32000, rpcMessage: 'unknown block' });

/** An honest node of the L2 over whatever snapshot it is at. */
export function honestL2(id: string, launch: LaunchTarget, at: () => Snapshot): L2FinalityObserver {
  const { from, to, value, data: input } = launch.transaction;
  const blockOf = (hash: Hex): L2Block => {
    const block = at().l2.find((candidate) => candidate.hash === hash);
    if (block === undefined) throw unanswerable(id, 'state');
    return block;
  };
  const numberOf = (ref: BlockRef): bigint => {
    if (typeof ref === 'object') return blockOf(ref.hash).number;
    if (typeof ref === 'bigint') return ref;
    return ref === 'finalized' ? l2Finalized(at()).number : l2Head(at()).number;
  };
  return {
    id,
    async transaction(hash) {
      const base = { hash: hash as Hex, chainId: 4663n, authentic: true };
      if (hash === FOREIGN_TRANSACTION)
        return { ...base, from: word('x').slice(0, 42) as Hex, to: CONTROLLER, value: 1n, input: '0x' };
      return at().sent.includes(hash as Hex) ? { ...base, from, to, value, input } : null;
    },
    receipt: async (hash) => receiptOf(launch, at(), hash),
    async header(ref) {
      const number = numberOf(ref);
      const found = header(at().l2.find((block) => block.number === number));
      return found === null
        ? null
        : { ...found, parentHash: at().l2.find((block) => block.number === number - 1n)?.hash ?? ZERO };
    },
    stampTransactions: async () =>
      at().l2.flatMap(({ launches }) => launches.filter(({ status }) => status === 'success').map(({ hash }) => hash)),
    async stampLogs(target, blockHash) {
      const mined = blockOf(blockHash).launches.find(({ status }) => status === 'success');
      return mined === undefined
        ? []
        : logsOf(target, blockOf(blockHash), mined.hash).filter((log) => log.topics[1] === target.stamp.launchId);
    },
    nonceUsed: async (_target, ref) => stampedBy(at(), numberOf(ref)),
    getters: async (target, blockHash) => gettersOf(target, stampedBy(at(), blockOf(blockHash).number)),
    async codeHash(account, blockHash) {
      if (account === launch.router) return launch.routerCodeHash;
      const stamped = stampedBy(at(), blockOf(blockHash).number);
      return (
        (stamped ? launch.stamp.accounts.find((entry) => entry.account === account)?.runtimeCodeHash : null) ?? null
      );
    },
    async stampedAccount(target, account, blockHash) {
      const index = target.stamp.accounts.findIndex((entry) => entry.account === account);
      return (
        gettersOf(target, stampedBy(at(), blockOf(blockHash).number)).accounts[index] ?? {
          componentProof: ZERO,
          launchIdByComponent: ZERO,
        }
      );
    },
    batchContaining: async (_target, block) =>
      batchesUpTo(at(), l1Head(at()).number).find(
        (batch) => block >= batch.prevMessageCount && block < batch.newMessageCount,
      )?.number ?? null,
  };
}

/** An honest node of the L1. */
export function honestL1(id: string, at: () => Snapshot): L1FinalityObserver {
  return {
    id,
    async header(ref) {
      const { l1 } = at();
      if (ref === 'finalized') return header(l1Finalized(at()));
      if (typeof ref === 'string') return header(l1Head(at()));
      return header(l1.find((block) => (typeof ref === 'bigint' ? block.number === ref : block.hash === ref.hash)));
    },
    batchDeliveries: async (_target, batchNumber) =>
      at().l1.flatMap((block) =>
        block.batches
          .filter((batch) => batch.number === batchNumber)
          .map((batch) => ({
            batchNumber,
            afterAcc: batch.afterAcc,
            blockNumber: block.number,
            blockHash: block.hash,
            transactionHash: batch.transactionHash,
            logIndex: 0n,
          })),
      ),
    async batchBounds(_target, transactionHash) {
      const batch = batchesUpTo(at(), l1Head(at()).number).find(
        (candidate) => candidate.transactionHash === transactionHash,
      );
      return batch === undefined
        ? null
        : {
            sequenceNumber: batch.number,
            prevMessageCount: batch.prevMessageCount,
            newMessageCount: batch.newMessageCount,
          };
    },
    async accumulator(_target, batchNumber, blockHash) {
      const block = at().l1.find((candidate) => candidate.hash === blockHash);
      if (block === undefined) throw unanswerable(id, 'accumulator');
      return batchesUpTo(at(), block.number).find((batch) => batch.number === batchNumber)?.afterAcc ?? null;
    },
  };
}

const header = (
  block: { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint } | undefined,
): BlockHeader | null =>
  block === undefined ? null : { number: block.number, hash: block.hash, parentHash: ZERO, timestamp: block.timestamp };

function receiptOf(target: LaunchTarget, at: Snapshot, hash: string): ChainReceipt | null {
  const block = at.l2.find(({ launches }) => launches.some((launch) => launch.hash === hash));
  const launch = block?.launches.find((candidate) => candidate.hash === hash);
  if (block === undefined || launch === undefined) return null;
  return {
    transactionHash: launch.hash,
    transactionIndex: 1n,
    blockHash: block.hash,
    blockNumber: block.number,
    from: target.controller,
    to: target.router,
    status: launch.status,
    gasUsed: 1n,
    logs: launch.status === 'success' ? logsOf(target, block, launch.hash) : [],
  };
}

const logsOf = (target: LaunchTarget, block: L2Block, transactionHash: Hex): ChainLog[] =>
  stampLogsOf(target).map(({ topics, data }, index) => ({
    address: target.router,
    topics,
    data,
    blockNumber: block.number,
    blockHash: block.hash,
    transactionHash,
    logIndex: BigInt(index),
  }));

function gettersOf(target: LaunchTarget, stamped: boolean): Awaited<ReturnType<L2FinalityObserver['getters']>> {
  const { stamp, controller } = target;
  const id = stamped ? stamp.launchId : ZERO;
  return {
    nonceUsed: stamped,
    permitUsed: stamped,
    launchStamp: {
      controller,
      token: stamp.token,
      hook: stamp.hook,
      poolId: stamp.poolId,
      permitDigest: stamped ? stamp.permitDigest : ZERO,
    },
    stampProof: stamped ? stamp.stampProof : ZERO,
    launchIdByToken: id,
    launchIdByPool: id,
    accounts: stamp.accounts.map((account) => ({
      componentProof: stamped ? account.proof : ZERO,
      launchIdByComponent: account.scope === 2 ? ZERO : id,
    })),
  };
}
