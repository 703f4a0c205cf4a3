import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { FORGET, USE } from './nonce.sql.js';

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
    const used = await this.database.query(USE, [nonce]);
    return used.some(({ expiresAt }) => expiresAt > now);
  }
}
