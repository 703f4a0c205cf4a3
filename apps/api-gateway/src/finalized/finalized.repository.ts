import { Inject, Injectable } from '@nestjs/common';
import type { FinalizedRecord as StoredRecord, GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../tokens.js';

/** Rows of the public feed. */
@Injectable()
export class FinalizedRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** In the order of publication, after a publication number; one row more than `limit` when there is more. */
  async list(limit: number, after: bigint): Promise<readonly StoredRecord[]> {
    return this.database.prisma.finalizedRecord.findMany({
      where: { publicationNumber: { gt: after } },
      orderBy: { publicationNumber: 'asc' },
      take: limit + 1,
    });
  }

  async find(onchainLaunchId: string): Promise<StoredRecord | null> {
    return this.database.prisma.finalizedRecord.findUnique({ where: { onchainLaunchId } });
  }
}
