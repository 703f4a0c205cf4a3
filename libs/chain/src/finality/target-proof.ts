import { toHex, type Hex } from 'viem';
import { compareGetters, compareGettersV1, compareStamp, compareStampV1, ROUTER_V1_ABI } from '@launch/evm';
import { toEventSelector } from 'viem/utils';
import { agree } from '../agreement/agreement.js';
import type { ChainLog } from '../rpc/rpc-answers.schema.js';
import type { LaunchTarget } from './launch-target.js';
import type { Poll } from './ports.types.js';

const COMPONENT_DEPLOYED = toEventSelector(
  ROUTER_V1_ABI.find((item) => item.type === 'event' && item.name === 'PlanComponentDeployedV1')!,
);

/** Returns the topics by which the router's logs identify the target; those of a deploy step only direct the search. */
export function logTopicsOf(target: LaunchTarget): readonly (Hex | null)[] {
  if (target.provenBy !== 'code') return [null, target.stamp.launchId];
  const { permitDigest, ordinal } = target.component;
  return [COMPONENT_DEPLOYED, permitDigest, toHex(ordinal, { size: 32 })];
}

/** Returns the number of router logs with these topics in the target's block. */
function logCountOf(target: LaunchTarget): number {
  switch (target.provenBy) {
    // The permit's own event carries the digest in place of the launch id.
    case 'stamp-v2':
      return target.stamp.events.length - 1;
    case 'stamp-v1':
      return target.stamp.events.length;
    case 'code':
      return 1;
  }
}

/** Checks whether a receipt's logs identify the target. */
export const namesTarget = (
  target: LaunchTarget,
  logs: readonly { readonly address: Hex; readonly topics: readonly Hex[] }[],
): boolean => {
  const topics = logTopicsOf(target);
  return logs.some((log) => log.address === target.router && topics.every((t, i) => t === null || t === log.topics[i]));
};

/**
 * Returns null if the router's logs are exactly the expected stamp or no stamp is due; otherwise describes the first
 * deviation.
 */
export function stampFault({ target }: Poll, logs: readonly ChainLog[]): string | null {
  if (target.provenBy === 'code') return null;
  const receiptLogs = logs.map(({ address, topics, data, logIndex }) => ({
    address,
    topics,
    data,
    logIndex: Number(logIndex),
  }));
  const result =
    target.provenBy === 'stamp-v2'
      ? compareStamp(target.router, receiptLogs, target.stamp)
      : compareStampV1(target.router, receiptLogs, target.stamp);
  if (result.verdict === 'pass') return null;
  const [first] = result.deviations;
  return `stamp: ${first?.code ?? 'deviates'}${first?.event ? ` ${first.event}` : ''}${first?.field ? `.${first.field}` : ''}`;
}

/** Returns the accounts that must have their declared code at the launch's block, the router first. */
function accountsOf(target: LaunchTarget): readonly { readonly account: Hex; readonly runtimeCodeHash: Hex }[] {
  // Logs and answers of another program would prove nothing.
  const router = { account: target.router, runtimeCodeHash: target.routerCodeHash };
  switch (target.provenBy) {
    case 'stamp-v2':
      return [router, ...target.stamp.accounts];
    case 'stamp-v1':
      return [router, ...target.stamp.components];
    case 'code':
      return [router, target.component];
  }
}

/** Returns null if both observers have the declared code of every account at a block; otherwise describes the fault. */
export async function runtimeFault({ l2, now, target }: Poll, blockHash: Hex): Promise<string | null> {
  const accounts = accountsOf(target);
  const codes = await agree(
    l2,
    'runtimes',
    (observer) => Promise.all(accounts.map(({ account }) => observer.codeHash(account, blockHash))),
    undefined,
    now,
  );
  if (codes.kind === 'indeterminate') return codes.reason;
  const changed = accounts.findIndex((account, index) => codes.value[index] !== account.runtimeCodeHash);
  return changed < 0 ? null : `runtimes: ${accounts[changed]?.account ?? ''} differs`;
}

/** Checks logs, getters and runtimes at the launch's own block. */
export async function stateFault(poll: Poll, blockHash: Hex, transactionHash: Hex): Promise<string | null> {
  const { target, l2, now } = poll;
  const logs = await agree(l2, 'stamp logs', (observer) => observer.stampLogs(target, blockHash), undefined, now);
  if (logs.kind === 'indeterminate') return logs.reason;
  if (logs.value.length !== logCountOf(target) || logs.value.some((log) => log.transactionHash !== transactionHash))
    return 'stamp logs: not those of the receipt';
  return (await gettersFault(poll, blockHash)) ?? runtimeFault(poll, blockHash);
}

async function gettersFault({ target, l2, now }: Poll, blockHash: Hex): Promise<string | null> {
  if (target.provenBy === 'code') return null;
  if (target.provenBy === 'stamp-v2') {
    const getters = await agree(l2, 'getters', (observer) => observer.getters(target, blockHash), undefined, now);
    if (getters.kind === 'indeterminate') return getters.reason;
    const [deviation] = compareGetters(target.controller, getters.value, target.stamp);
    return deviation === undefined ? null : `getters: ${deviation.getter} differs`;
  }
  const getters = await agree(l2, 'getters', (observer) => observer.gettersV1(target, blockHash), undefined, now);
  if (getters.kind === 'indeterminate') return getters.reason;
  const [deviation] = compareGettersV1(getters.value, target.stamp);
  return deviation === undefined ? null : `getters: ${deviation.getter} differs`;
}
