import { customLaunchEvidencePath, type CustomLaunchFinalized } from '@launch/contracts/custom-launch';
import { ethereumEvidencePath, type EthereumFinalized } from '@launch/contracts/index';
import { equal, holds, type BoundMember } from './bound-member.js';

/** The members of a record of the finalized custom-launch feed that its other members determine. */
export const CUSTOM_FEED_MEMBERS: readonly BoundMember<CustomLaunchFinalized, unknown>[] = [
  equal(
    '/onchain/l2Inclusion/transactionHash',
    'onchain.transactionHash',
    ({ onchain }) => onchain.l2Inclusion.transactionHash,
    (_subject, { onchain }) => onchain.transactionHash,
  ),
  equal(
    '/onchain/l2Inclusion/receiptStatus',
    'success: a reverted transaction launches nothing',
    ({ onchain }) => onchain.l2Inclusion.receiptStatus,
    () => 'success',
  ),
  ...(['blockNumber', 'blockHash'] as const).map((name) =>
    equal<CustomLaunchFinalized, unknown>(
      `/onchain/${name}`,
      `${name} of the checkpoint`,
      ({ onchain }) => onchain[name],
      (_subject, { onchain }) => onchain.l1FinalizedCheckpoint[name],
    ),
  ),
  equal(
    '/onchain/logIndex',
    'logIndex of the posting',
    ({ onchain }) => onchain.logIndex,
    (_subject, { onchain }) => onchain.l1Posting.logIndex,
  ),
  equal(
    '/onchain/l1FinalizedCheckpoint/common',
    'blockNumber of the checkpoint: the lower of both finalized blocks',
    ({ onchain }) => onchain.l1FinalizedCheckpoint.common,
    (_subject, { onchain }) => onchain.l1FinalizedCheckpoint.blockNumber,
  ),
  holds(
    '/onchain/l1Posting',
    'a batch with the block of the launch, no later than the checkpoint',
    ({ onchain: { l2Inclusion, l1Posting, l1FinalizedCheckpoint } }) =>
      BigInt(l1Posting.firstL2Block) <= BigInt(l2Inclusion.blockNumber) &&
      BigInt(l2Inclusion.blockNumber) <= BigInt(l1Posting.lastL2Block) &&
      BigInt(l1Posting.l1BlockNumber) <= BigInt(l1FinalizedCheckpoint.blockNumber),
  ),
  equal(
    '/evidence/path',
    'the route of that evidence',
    ({ evidence }) => evidence.path,
    (_subject, { launchId, evidence }) => customLaunchEvidencePath(launchId, evidence.sha256),
  ),
];

/** The members of a record of the feed of Ethereum that its other members determine. */
export const ETHEREUM_FEED_MEMBERS: readonly BoundMember<EthereumFinalized, unknown>[] = [
  holds(
    '/onchain/ethereumFinalized/blockNumber',
    'at or above the block of the launch',
    ({ onchain: { inclusion, ethereumFinalized } }) =>
      BigInt(inclusion.blockNumber) <= BigInt(ethereumFinalized.blockNumber),
  ),
  equal(
    '/evidence/path',
    'the route of that evidence',
    ({ evidence }) => evidence.path,
    (_subject, { onchain, evidence }) => ethereumEvidencePath(onchain.routerLaunchId, evidence.sha256),
  ),
  holds('/finalizedAt', 'no earlier than launchedAt', ({ launchedAt, finalizedAt }) => launchedAt <= finalizedAt),
];
