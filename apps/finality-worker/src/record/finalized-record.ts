import { decodeLaunchCalldata, LAUNCH_SCOPES } from '@launch/evm';
import {
  type AnyFinalizedRecord,
  DERIVED_CONTRACT_FINALITY_V3,
  type FinalizedRecord,
  finalizedRecordSchema,
  type FinalizedRecordV3,
  finalizedRecordV3Schema,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { CAIP2, type Hex } from '@launch/contracts/primitives';
import { FinalityError } from '../finality.error.js';
import type { HandedOffMultiRole } from '../launch/handed-off.types.js';

/**
 * Builds the public record of a finalized launch (docs/reference/multi-role.md#public-record): metadata, market,
 * components, provenance and the Ethereum summary. Each on-chain fact was read again at the finalized block.
 * @throws FinalityError EVIDENCE_INCOMPLETE when the memory is not of a finalized launch.
 */
export function finalizedRecord(
  launchId: string,
  launch: HandedOffMultiRole,
  memory: ObservationMemory,
  finalizedAt: string,
): AnyFinalizedRecord {
  const record = recordV2(launchId, launch, memory, finalizedAt);
  return launch.generation === 'v3' ? recordV3(record, launch, memory) : record;
}

/** The V3 record: the same, in its own feed, with a derivation on each proven child. */
function recordV3(record: FinalizedRecord, launch: HandedOffMultiRole, memory: ObservationMemory): FinalizedRecordV3 {
  const proven = new Map((memory.derivedContracts ?? []).map((contract) => [contract.account, contract]));
  const derivationOf = (account: Hex): FinalizedRecordV3['components'][number]['derivation'] => {
    const { proof, parent, creationNonce } = proven.get(account) ?? {};
    if (!proof || parent === undefined || creationNonce == null)
      throw new FinalityError('EVIDENCE_INCOMPLETE', 'a derived contract is not proven');
    return {
      status: 'verified',
      parent,
      creationNonce,
      observedAt: { number: proof.blockNumber, hash: proof.blockHash },
    };
  };
  return finalizedRecordV3Schema.parse({
    ...record,
    schemaVersion: 'service.multi-role-finalized-metadata.v3',
    derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3,
    image: { ...record.image, path: imagePath('finalized-v3', launch) },
    components: record.components.map((component) => ({
      ...component,
      derivation: component.scope === LAUNCH_SCOPES.child ? derivationOf(component.account) : null,
    })),
  } satisfies FinalizedRecordV3);
}

const imagePath = (feed: string, { request, target }: HandedOffMultiRole): string =>
  `${MULTI_ROLE_BASE_PATH}/${feed}/${target.stamp.launchId}/image/${request.projectMetadata.image.sha256.slice('sha256:'.length)}`;

function recordV2(
  launchId: string,
  launch: HandedOffMultiRole,
  memory: ObservationMemory,
  finalizedAt: string,
): FinalizedRecord {
  const { request, handoff, target } = launch;
  const { inclusion, posting, checkpoint } = memory;
  if (memory.stage !== 'finalized' || inclusion === null || posting === null || checkpoint === null) {
    throw new FinalityError('EVIDENCE_INCOMPLETE', `stage ${memory.stage}`);
  }
  const { permit } = decodeLaunchCalldata(handoff.walletTransaction.data);
  const { stamp } = target;
  const { officialPool } = request.graphBundle;
  const { image } = request.projectMetadata;
  return finalizedRecordSchema.parse({
    schemaVersion: 'service.multi-role-finalized-metadata.v2',
    apiLaunchId: launchId,
    onchainLaunchId: stamp.launchId,
    caip2: CAIP2,
    chainBindings: request.context.chainBindings,
    projectMetadata: request.projectMetadata,
    image: { ...image, path: imagePath('finalized', launch) },
    market: {
      token: stamp.token,
      hook: stamp.hook,
      poolManager: request.context.chainDeployment.poolManager.address,
      poolId: stamp.poolId,
      poolKey: officialPool.poolKey,
      sqrtPriceX96: officialPool.sqrtPriceX96,
    },
    components: stamp.accounts.map(({ account, roleMask, runtimeCodeHash, scope, resultIndex }) => ({
      account,
      roleMask,
      runtimeCodeHash,
      scope,
      resultIndex,
    })),
    provenance: {
      requestHash: permit.requestHash,
      contextHash: permit.contextHash,
      graphHash: permit.graphHash,
      economicsHash: permit.economicsHash,
      instructionPolicyHash: permit.instructionPolicyHash,
      artifactHash: handoff.artifactHash,
      transactionHash: inclusion.transactionHash,
      l2Block: { number: inclusion.blockNumber, hash: inclusion.blockHash },
    },
    ethereum: {
      posting: {
        sequencerInbox: posting.sequencerInbox,
        batchNumber: posting.batchNumber,
        batchTransactionHash: posting.batchTransactionHash,
        l1BlockNumber: posting.l1BlockNumber,
        l1BlockHash: posting.l1BlockHash,
      },
      finalized: { blockNumber: checkpoint.blockNumber, blockHash: checkpoint.blockHash },
    },
    sourcePublication: { sourcify: 'not_verified', blockExplorer: 'not_verified' },
    indexerPublication: 'not_claimed',
    finalizedAt,
  } satisfies FinalizedRecord);
}
