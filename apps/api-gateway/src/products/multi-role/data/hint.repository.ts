import { Inject, Injectable } from '@nestjs/common';
import { LIMITS } from '@launch/contracts/primitives';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

export type HintOutcome =
  | { readonly kind: 'registered' | 'repeated'; readonly registeredAt: Date }
  | { readonly kind: 'full' };

/** Rows of transaction hints. */
@Injectable()
export class HintRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Registers a hash once. Plain SQL: the launch's row is locked, so that the bound holds under concurrency. */
  async register(launchId: string, transactionHash: string): Promise<HintOutcome> {
    return this.database.transaction(async (session) => {
      await session.query('SELECT 1 FROM launch WHERE launch_id = $1 FOR UPDATE', [launchId]);
      const held = await session.query<{ transaction_hash: string; registered_at: Date; source: string }>(
        'SELECT transaction_hash, registered_at, source FROM transaction_hint WHERE launch_id = $1',
        [launchId],
      );
      const same = held.find((hint) => hint.transaction_hash === transactionHash);
      if (same !== undefined) return { kind: 'repeated', registeredAt: same.registered_at };
      if (held.filter(({ source }) => source === 'client').length >= LIMITS.hintsPerLaunch) return { kind: 'full' };
      const [row] = await session.query<{ registered_at: Date }>(
        'INSERT INTO transaction_hint (launch_id, transaction_hash) VALUES ($1, $2) RETURNING registered_at',
        [launchId, transactionHash],
      );
      if (row === undefined) throw new TypeError('an inserted hint has a row');
      return { kind: 'registered', registeredAt: row.registered_at };
    });
  }
}
