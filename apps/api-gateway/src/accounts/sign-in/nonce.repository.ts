import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../tokens.js';

/** Nonces of sign-in messages: each is there until it is used or too old. */
@Injectable()
export class NonceRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Keeps a nonce, and forgets those nobody came back with. */
  async keep(nonce: string, expiresAt: Date, now: Date): Promise<void> {
    await this.database.prisma.signInNonce.deleteMany({ where: { expiresAt: { lte: now } } });
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
