import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

/** Also what a reservation does first: a launch's context is kept before the launch is. */
export const KEEP_RELEASE = 'INSERT INTO release_context (context_hash, document) VALUES ($1, $2) ON CONFLICT DO NOTHING';

/** Every context this deployment ever served, under its hash, written once (spec 2, Versioning). */
@Injectable()
export class ReleaseRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** @param document the canonical JSON that `contextHash` is the keccak of. */
  async keep(contextHash: string, document: string): Promise<void> {
    await this.database.query(KEEP_RELEASE, [contextHash, document]);
  }
}
