import { Inject, Injectable } from '@nestjs/common';
import type { StatedLaunch } from '@launch/contracts/orchestration';
import { bytes32Schema, sha256DigestSchema, uuidSchema, type Sha256Digest } from '@launch/contracts/primitives';
import { LAUNCH_FAMILIES, type LaunchFamily } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { z } from 'zod';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** The columns of a launch or plan that statements about it are bound to. */
export interface StatedRow extends StatedLaunch {
  readonly family: LaunchFamily;
  /** Null before the hand-off. */
  readonly handoffSha256: Sha256Digest | null;
  /** Number of the newest recorded observation. */
  readonly sequence: number;
  /** End of the permit's window, Unix seconds. */
  readonly deadline: bigint;
}

const rowSchema = z.strictObject({
  launchId: uuidSchema,
  family: z.enum(LAUNCH_FAMILIES),
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  handoffSha256: sha256DigestSchema.nullable(),
  sequence: z.number().int(),
  deadline: z.bigint(),
});

@Injectable()
export class StatedLaunchRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async find(launchId: string): Promise<StatedRow | null> {
    const row = await this.database.prisma.launch.findUnique({
      where: { launchId },
      select: {
        launchId: true,
        family: true,
        requestSha256: true,
        requestHash: true,
        contextHash: true,
        handoffSha256: true,
        sequence: true,
        deadline: true,
      },
    });
    return row === null ? null : rowSchema.parse(row);
  }
}
