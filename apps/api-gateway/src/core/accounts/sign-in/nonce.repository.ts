import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

const FORGET = `DELETE FROM sign_in_nonce WHERE nonce IN (
  SELECT nonce FROM sign_in_nonce WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
/** A request that comes after a flood pays for no more of it. */
const FORGOTTEN_AT_ONCE = 50;

/** Nonces of sign-in messages: each is there until it is used or too old. */
@Injectable()
export class NonceRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Keeps a nonce, and forgets some of those that expired unused: more than one, so that their number falls. */
  async keep(nonce: string, expiresAt: Date, now: Date): Promise<void> {
    await this.database.query(FORGET, [now, FORGOTTEN_AT_ONCE]);
    await this.database.prisma.signInNonce.create({ data: { nonce, expiresAt } });
  }

  /** Takes a nonce away, once, whoever asks at the same time; false when it is not there. */
  async use(nonce: string, now: Date): Promise<boolean> {
    // Plain SQL: the one who takes the row away is told what it said, in one statement.
    const used = await this.database.query<{ expires_at: Date }>(
      'DELETE FROM sign_in_nonce WHERE nonce = $1 RETURNING expires_at',
      [nonce],
    );
    return used.some(({ expires_at }) => expires_at > now);
  }
}
