import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** Plain SQL, since the single statement of a reservation includes it: no launch is stored without its context. */
export const keepRelease = (contextHash: string, document: string): string =>
  `INSERT INTO release_context (context_hash, document) VALUES (${contextHash}, ${document}) ON CONFLICT DO NOTHING`;
const KEEP_RELEASE = keepRelease('$1', '$2');

/** Stores every context that this deployment ever served, under its hash, written once (docs/reference/requests-and-hashes.md#context). */
@Injectable()
export class ReleaseRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** @param document the canonical JSON that `contextHash` is the keccak of. */
  async keep(contextHash: string, document: string): Promise<void> {
    await this.database.query(KEEP_RELEASE, [contextHash, document]);
  }
}
