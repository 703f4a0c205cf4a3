import type { StampedTarget } from '@launch/chain';
import {
  customLaunchEvidencePath,
  type AnyCustomLaunchRequest,
  type CustomLaunchFinalized,
} from '@launch/contracts/custom-launch';
import type { PlanRequest } from '@launch/contracts/plans';
import { CAIP2, CHAIN_ID } from '@launch/contracts/primitives';
import { FinalityError } from '../finality.error.js';
import type { RecordInput } from '../observation/poll.types.js';

/** The recorded facts of a custom launch, or of a plan by its stamping step. */
interface StampedLaunch {
  readonly request: Pick<AnyCustomLaunchRequest | PlanRequest, 'projectMetadata' | 'graphBundle'>;
  readonly target: StampedTarget;
}
type FinalizedEnd = Pick<RecordInput, 'launchId' | 'memory' | 'evidenceSha256' | 'finalizedAt'>;

/**
 * Builds the public record of a finalized custom launch or plan (docs/reference/custom-launch.md#feed): token, market,
 * evidence on both chains, and the sources' verification. Each on-chain fact was read again at the finalized block. The
 * gateway checks the record.
 * @throws FinalityError EVIDENCE_INCOMPLETE when the memory is not of a finalized launch.
 */
export function customLaunchRecord(
  { request, target }: StampedLaunch,
  requestKind: CustomLaunchFinalized['requestKind'],
  { launchId, memory, evidenceSha256, finalizedAt }: FinalizedEnd,
): CustomLaunchFinalized {
  const { inclusion, posting, checkpoint } = memory;
  if (memory.stage !== 'finalized' || inclusion === null || posting === null || checkpoint === null)
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${memory.stage}`);
  const { stamp } = target;
  const { name, symbol } = request.projectMetadata;
  const { token, hook, poolManager, poolId } = stamp.stamp;
  return {
    schemaVersion: 'service.custom-launch-finalized-metadata.v4',
    platformId: 'service',
    category: 'custom',
    chainId: CHAIN_ID,
    caip2: CAIP2,
    launchId,
    requestKind,
    projectMetadata: { token: { name, symbol } },
    market: { token, hook, poolManager, poolId },
    onchain: {
      schemaVersion: 'service.custom-launch-onchain-evidence.v3',
      router: target.router,
      routerLaunchId: stamp.launchId,
      terminal: true,
      checkpointType: 'ethereum_finalized',
      transactionHash: inclusion.transactionHash,
      l2Inclusion: inclusion,
      l1Posting: posting,
      l1FinalizedCheckpoint: { ...checkpoint, common: checkpoint.blockNumber },
      blockNumber: checkpoint.blockNumber,
      blockHash: checkpoint.blockHash,
      logIndex: posting.logIndex,
    },
    sourceVerification: {
      status: 'exact_match',
      // The router stamps components in the graph's order; their runtimes were read at the launch's own block.
      components: request.graphBundle.components.map(({ componentId }, index) => {
        const { account, runtimeCodeHash } = stamp.components[index] ?? absent();
        return { targetId: componentId, address: account, runtimeCodeHash, status: 'exact_match' };
      }),
    },
    quality: { status: 'ready' },
    evidence: { sha256: evidenceSha256, path: customLaunchEvidencePath(launchId, evidenceSha256) },
    finalizedAt,
  };
}

function absent(): never {
  throw new FinalityError('EVIDENCE_INCOMPLETE', 'a component of the request was not stamped');
}
