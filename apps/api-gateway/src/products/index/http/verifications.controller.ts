import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import { indexVerificationSchema, VERIFICATIONS_PATH } from '@launch/contracts/index';
import { ApiError } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { IMMUTABLE } from '../../../platform/http/public-answer.js';
import { BLOB_STORE } from '../../../platform/tokens.js';
import { IndexRowsRepository } from '../data/index-rows.repository.js';
import { sendIndexed } from './answers.js';
import { INDEX_VERIFICATION_EXAMPLE } from './coins.examples.js';
import { IndexRead } from './index.route.js';

@Controller()
export class VerificationsController {
  constructor(
    @Inject(IndexRowsRepository) private readonly rows: Pick<IndexRowsRepository, 'isVerification'>,
    @Inject(BLOB_STORE) private readonly blobs: Pick<BlobStore, 'get'>,
  ) {}

  @IndexRead({
    path: `${VERIFICATIONS_PATH}/{verificationSha256}`,
    id: 'getIndexVerification',
    summary: 'Retrieve the verification document of a launch by its digest',
    description:
      'Returns the logs and the reads that a launch was verified by, each by its digest, as canonical JSON that never changes. Its SHA-256 is the `verificationDigest` of the record, for every source. An independent verification of the same launch has the same bytes.',
    answers: {
      200: { description: 'The document.', schema: indexVerificationSchema, example: INDEX_VERIFICATION_EXAMPLE },
    },
    errors: ['NOT_FOUND'],
  })
  async verification(@Res() reply: FastifyReply, @Param('verificationSha256') hex: string): Promise<void> {
    const digest = `sha256:${hex}` as const;
    if (!(await this.rows.isVerification(digest))) throw new ApiError('NOT_FOUND');
    sendIndexed(reply, await this.blobs.get(digest), IMMUTABLE);
  }
}
