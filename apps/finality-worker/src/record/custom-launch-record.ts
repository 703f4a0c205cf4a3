import { CAIP2, CHAIN_ID, customLaunchEvidencePath, type CustomLaunchFinalized } from '@launch/contracts';
import type { PublishRecordInput } from '@launch/contracts/orchestration';
import { withoutNotes } from '../evidence/evidence.bundle.js';
import { FinalityError } from '../finality.error.js';
import type { HandedOffV4 } from '../launch/handed-off.types.js';

/**
 * The public record of a finalized V4 launch (spec 3, V4 finalized feed item): token, market, evidence on both chains, and
 * the sources' verification. Everything on chain in it was read back at the finalized block. The gateway checks it.
 * @throws FinalityError EVIDENCE_INCOMPLETE when the memory is not of a finalized launch.
 */
export function customLaunchRecord(
  { request, handoff, target }: HandedOffV4,
  { launchId, memory, evidenceSha256, finalizedAt }: PublishRecordInput,
): CustomLaunchFinalized {
  const inclusion = withoutNotes(memory.inclusion);
  const posting = withoutNotes(memory.posting);
  const checkpoint = withoutNotes(memory.checkpoint);
  if (memory.stage !== 'finalized' || inclusion === null || posting === null || checkpoint === null)
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${memory.stage}`);
  const { stamp } = target;
  const { token, hook, poolManager, poolId } = stamp.stamp;
  return {
    schemaVersion: 'service.custom-launch-finalized-metadata.v4',
    platformId: 'service',
    category: 'custom',
    chainId: CHAIN_ID,
    caip2: CAIP2,
    launchId,
    requestKind: 'launch',
    projectMetadata: { token: { name: handoff.metadata.name, symbol: handoff.metadata.symbol } },
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
      l1FinalizedCheckpoint: checkpoint,
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
    evidence: { sha256: evidenceSha256, path: customLaunchEvidencePath(evidenceSha256) },
    finalizedAt,
  };
}

function absent(): never {
  throw new FinalityError('EVIDENCE_INCOMPLETE', 'a component of the request was not stamped');
}
