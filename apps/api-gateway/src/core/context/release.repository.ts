import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** Stores every context that this deployment ever served, under its hash, written once (docs/reference/requests-and-hashes.md#context). */
@Injectable()
export class ReleaseRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** @param document the canonical JSON that `contextHash` is the keccak of. */
  async keep(contextHash: string, document: string): Promise<void> {
    await this.database.prisma.releaseContext.createMany({ data: { contextHash, document }, skipDuplicates: true });
  }
}
