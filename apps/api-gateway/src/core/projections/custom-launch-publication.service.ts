import { Injectable } from '@nestjs/common';
import {
  customLaunchEvidencePath,
  customLaunchFinalizedSchema,
  type CustomLaunchFinality,
  type CustomLaunchFinalized,
} from '@launch/contracts/custom-launch';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { z } from 'zod';
import { ProjectionError } from './projection.error.js';
import { StoredDocuments, type Agreement, type StoredDocument } from './stored-documents.js';
import type { PublicationOutcome } from './publication.repository.js';
import type { CustomLaunchIdentity } from './custom-launch-projection.repository.js';

/** The facts that a record is compared with. */
export interface FinalizedCustomLaunch {
  readonly launchId: string;
  readonly requestKind: CustomLaunchFinalized['requestKind'];
  readonly identity: CustomLaunchIdentity;
  readonly finality: CustomLaunchFinality;
  readonly recordSha256: Sha256Digest;
  readonly evidenceSha256: Sha256Digest;
}

/** The launch that an evidence bundle belongs to; readers check the rest of the bundle. */
const evidenceIdentitySchema = z.object({
  outcome: z.literal('finalized'),
  launch: z.object({
    launchId: z.string(),
    onchainLaunchId: z.string(),
    requestHash: z.string(),
    contextHash: z.string(),
  }),
  conclusion: z.object({ transactionHash: z.string() }),
});

/**
 * Decides whether a record can be published (docs/reference/custom-launch.md#feed). Finality does not wait for
 * it: a record that fails a check is held with the reason, and counted.
 */
@Injectable()
export class CustomLaunchPublicationService {
  constructor(private readonly documents: StoredDocuments) {}

  async judge(launch: FinalizedCustomLaunch): Promise<PublicationOutcome> {
    const { recordSha256 } = launch;
    let stored: StoredDocument<CustomLaunchFinalized>;
    try {
      stored = await this.documents.read(recordSha256, customLaunchFinalizedSchema);
    } catch (error) {
      if (!(error instanceof ProjectionError)) throw error;
      return { recordSha256, quarantine: `schema: ${error.field}`.slice(0, 128) };
    }
    const differing = await this.differing(stored.value, launch);
    if (differing !== null) return { recordSha256, quarantine: differing };
    return {
      record: {
        launchId: launch.launchId,
        onchainLaunchId: launch.identity.onchainLaunchId,
        record: stored.text,
        recordSha256,
        imageSha256: launch.identity.imageSha256,
        imageMediaType: 'application/octet-stream',
        feed: 'custom-launch.v4',
      },
    };
  }

  /** Returns the first field in which a record differs from the reservation, the finality or the evidence. */
  private async differing(
    record: CustomLaunchFinalized,
    { launchId, requestKind, identity, finality, evidenceSha256 }: FinalizedCustomLaunch,
  ): Promise<string | null> {
    const { onchain } = record;
    const { l2Inclusion, l1Posting, l1FinalizedCheckpoint } = finality;
    const fields: Agreement[] = [
      ['launchId', record.launchId, launchId],
      ['requestKind', record.requestKind, requestKind],
      ['onchain.router', onchain.router, identity.router],
      ['onchain.routerLaunchId', onchain.routerLaunchId, identity.onchainLaunchId],
      ['onchain.transactionHash', onchain.transactionHash, l2Inclusion?.transactionHash ?? ''],
      ['onchain.l2Inclusion', onchain.l2Inclusion.blockHash, l2Inclusion?.blockHash ?? ''],
      ['onchain.l1Posting', onchain.l1Posting.l1BlockHash, l1Posting?.l1BlockHash ?? ''],
      [
        'onchain.l1FinalizedCheckpoint',
        onchain.l1FinalizedCheckpoint.blockHash,
        l1FinalizedCheckpoint?.blockHash ?? '',
      ],
      ['onchain.blockHash', onchain.blockHash, l1FinalizedCheckpoint?.blockHash ?? ''],
      ['onchain.logIndex', String(onchain.logIndex), String(l1Posting?.logIndex)],
      ['evidence.sha256', record.evidence.sha256, evidenceSha256],
      ['evidence.path', record.evidence.path, customLaunchEvidencePath(launchId, evidenceSha256)],
    ];
    const differs = fields.find(([, said, known]) => said !== known);
    if (differs !== undefined) return `record: ${differs[0]}`;
    const { launch, conclusion } = (await this.documents.read(evidenceSha256, evidenceIdentitySchema)).value;
    const evidence: Agreement[] = [
      ['launchId', launch.launchId, launchId],
      ['onchainLaunchId', launch.onchainLaunchId, identity.onchainLaunchId],
      ['requestHash', launch.requestHash, identity.requestHash],
      ['contextHash', launch.contextHash, identity.contextHash],
      ['transactionHash', conclusion.transactionHash, onchain.transactionHash],
    ];
    const bent = evidence.find(([, said, known]) => said !== known);
    return bent === undefined ? null : `evidence: ${bent[0]}`;
  }
}
