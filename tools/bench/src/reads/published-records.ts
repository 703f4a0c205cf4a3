import { randomBytes, randomUUID } from 'node:crypto';
import { canonicalJsonText } from '@launch/contracts/json';
import { finalizedRecordSchema, type CreateRequest, type FinalizedRecord } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { Client } from 'pg';

const word = (): string => `0x${randomBytes(32).toString('hex')}`;

/** Returns a record of the size and form that finality writes for this request. None of its contracts are on a chain. */
function recordOf({ context, contextCommitments, graphBundle, projectMetadata }: CreateRequest): FinalizedRecord {
  const onchainLaunchId = word();
  const { poolKey, sqrtPriceX96 } = graphBundle.officialPool;
  const block = { number: '10', hash: word() };
  return finalizedRecordSchema.parse({
    schemaVersion: 'service.multi-role-finalized-metadata.v2',
    apiLaunchId: randomUUID(),
    onchainLaunchId,
    caip2: context.caip2,
    chainBindings: context.chainBindings,
    projectMetadata,
    image: {
      ...projectMetadata.image,
      path: `/finalized/${onchainLaunchId}/image/${projectMetadata.image.sha256.slice('sha256:'.length)}`,
    },
    market: {
      token: poolKey.currency1,
      hook: poolKey.hooks,
      poolManager: context.chainDeployment.poolManager.address,
      poolId: word(),
      poolKey,
      sqrtPriceX96,
    },
    components: graphBundle.components.map((_, resultIndex) => ({
      account: poolKey.hooks,
      roleMask: 3,
      runtimeCodeHash: word(),
      scope: 0,
      resultIndex,
    })),
    provenance: {
      requestHash: word(),
      contextHash: contextCommitments.contextHash,
      graphHash: word(),
      economicsHash: word(),
      instructionPolicyHash: word(),
      artifactHash: word(),
      transactionHash: word(),
      l2Block: block,
    },
    ethereum: {
      posting: {
        sequencerInbox: context.chainDeployment.sequencerInbox,
        batchNumber: '1',
        batchTransactionHash: word(),
        l1BlockNumber: '5',
        l1BlockHash: word(),
      },
      finalized: { blockNumber: '7', blockHash: word() },
    },
    sourcePublication: { sourcify: 'not_verified', blockExplorer: 'not_verified' },
    indexerPublication: 'not_claimed',
    finalizedAt: new Date().toISOString(),
  });
}

// As the gateway publishes, without the launch's way to there: a bench has no time for finality.
const PUBLISH = `
  WITH launched AS (
    INSERT INTO launch (launch_id, family, lineage_id, controller, router, nonce, idempotency_key, request_sha256, request_hash, artifact_hash,
      onchain_launch_id, context_hash, valid_after, deadline, image_sha256, status)
    VALUES ($1, 'multi-role.v2', $2, $3, $4, $5, 'bench', $6, $7, $8, $9, $10, 0, 1, $11, 'finalized') RETURNING launch_id, onchain_launch_id, image_sha256
  )
  INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, feed)
  SELECT (SELECT coalesce(max(publication_number), 0) + 1 FROM finalized_record), onchain_launch_id, launch_id, $12, $6, image_sha256, $13, 'multi-role.v2' FROM launched`;

/** Publishes `count` records in the feed of V2, like those that launches of this request would leave there. */
export async function publishRecords(databaseUrl: string, request: CreateRequest, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let index = 0; index < count; index += 1) {
      const record = recordOf(request);
      const text = canonicalJsonText(record);
      await client.query(PUBLISH, [
        record.apiLaunchId,
        randomUUID(),
        request.launchWallet,
        request.context.chainDeployment.router.address,
        BigInt(word()).toString(),
        sha256Digest(Buffer.from(text)),
        record.provenance.requestHash,
        record.provenance.artifactHash,
        record.onchainLaunchId,
        record.provenance.contextHash,
        record.image.sha256,
        text,
        record.image.mediaType,
      ]);
    }
  } finally {
    await client.end();
  }
}
