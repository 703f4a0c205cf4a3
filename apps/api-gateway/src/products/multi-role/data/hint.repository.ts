import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@launch/contracts/primitives';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { HELD, LOCK_LAUNCH, REGISTER } from './hint.sql.js';

export type HintOutcome =
  | { readonly kind: 'registered' | 'repeated'; readonly registeredAt: Date }
  | { readonly kind: 'full' };

/** Rows of transaction hints. */
@Injectable()
export class HintRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Registers a hash once. */
  async register(launchId: string, transactionHash: string): Promise<HintOutcome> {
    return this.database.transaction(async (session) => {
      await session.query(LOCK_LAUNCH, [launchId]);
      const held = await session.query(HELD, [launchId]);
      const same = held.find((hint) => hint.transactionHash === transactionHash);
      if (same !== undefined) return { kind: 'repeated', registeredAt: same.registeredAt };
      if (held.filter(({ source }) => source === 'client').length >= LIMITS.hintsPerLaunch) return { kind: 'full' };
      const [row] = await session.query(REGISTER, [launchId, transactionHash]);
      if (row === undefined) throw new TypeError('an inserted hint has a row');
      return { kind: 'registered', registeredAt: row.registeredAt };
    });
  }
}
