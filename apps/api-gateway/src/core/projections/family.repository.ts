import { Inject, Injectable } from '@nestjs/common';
import { LAUNCH_FAMILIES, type LaunchFamily } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { z } from 'zod';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** Bounds the cache of families; a launch's family never changes. */
const KEPT = 4_096;

const familySchema = z.enum(LAUNCH_FAMILIES);

@Injectable()
export class FamilyRepository {
  private readonly known = new Map<string, LaunchFamily>();

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns when a launch was reserved; null for an unknown one. */
  async reservedAt(launchId: string): Promise<Date | null> {
    const row = await this.database.prisma.launch.findUnique({ where: { launchId }, select: { createdAt: true } });
    return row?.createdAt ?? null;
  }

  /** Returns the family of a launch. An unknown launch gets the family of the first release, whose part then decides. */
  async familyOf(launchId: string): Promise<LaunchFamily> {
    const known = this.known.get(launchId);
    if (known !== undefined) return known;
    const row = await this.database.prisma.launch.findUnique({ where: { launchId }, select: { family: true } });
    if (row === null) return 'multi-role.v2';
    const family = familySchema.parse(row.family);
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(launchId, family);
    return family;
  }
}
