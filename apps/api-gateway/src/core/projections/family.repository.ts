import { Inject, Injectable } from '@nestjs/common';
import type { LaunchFamily } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';

/** Bounds the cache of families; a launch's family never changes. */
const KEPT = 4_096;

@Injectable()
export class FamilyRepository {
  private readonly known = new Map<string, LaunchFamily>();

  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns the family of a launch. An unknown launch gets the family of the first release, whose part then decides. */
  async familyOf(launchId: string): Promise<LaunchFamily> {
    const known = this.known.get(launchId);
    if (known !== undefined) return known;
    const [row] = await this.database.query<{ family: LaunchFamily }>(
      'SELECT family FROM launch WHERE launch_id = $1',
      [launchId],
    );
    if (row === undefined) return 'multi-role.v2';
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(launchId, row.family);
    return row.family;
  }
}
