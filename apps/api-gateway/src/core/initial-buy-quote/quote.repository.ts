import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { CLAIM, KEEP, LAST } from './quote.sql.js';

/** Stores one row for each context, which all gateways answer from; the database's clock decides which gateway reads the price. */
@Injectable()
export class QuoteRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns whether the caller must read the price now: one caller in each `everyMs` over all gateways. */
  async claim(contextHash: string, everyMs: number): Promise<boolean> {
    return (await this.database.query(CLAIM, [contextHash, everyMs])).length > 0;
  }

  /** @param quote canonical JSON; null when the feeds gave none. */
  async keep(contextHash: string, quote: string | null): Promise<void> {
    await this.database.query(KEEP, [contextHash, quote]);
  }

  /** Returns the last quote that was stored at most `atMostMs` ago; null without one. */
  async last(contextHash: string, atMostMs: number): Promise<string | null> {
    const rows = await this.database.query(LAST, [contextHash, atMostMs]);
    return rows[0]?.quote ?? null;
  }
}
