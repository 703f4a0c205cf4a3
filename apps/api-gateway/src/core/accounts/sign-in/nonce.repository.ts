import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

const FORGET = `DELETE FROM sign_in_nonce WHERE nonce IN (
  SELECT nonce FROM sign_in_nonce WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
/** Bounds the work of one request that follows a flood. */
const FORGOTTEN_AT_ONCE = 50;

/** Stores nonces of sign-in messages. Each is kept until it is used or too old. */
@Injectable()
export class NonceRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Stores a nonce, and deletes some that expired unused: more than one, so that their number falls. */
  async keep(nonce: string, expiresAt: Date, now: Date): Promise<void> {
    await this.database.query(FORGET, [now, FORGOTTEN_AT_ONCE]);
    await this.database.prisma.signInNonce.create({ data: { nonce, expiresAt } });
  }

  /** Deletes a nonce, once, however many requests use it at the same time. Returns false when it is absent. */
  async use(nonce: string, now: Date): Promise<boolean> {
    // Plain SQL: one statement deletes the row and returns its contents to the one request that deleted it.
    const used = await this.database.query<{ expires_at: Date }>(
      'DELETE FROM sign_in_nonce WHERE nonce = $1 RETURNING expires_at',
      [nonce],
    );
    return used.some(({ expires_at }) => expires_at > now);
  }
}
