import { Inject, Injectable } from '@nestjs/common';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

const NOW = 'statement_timestamp()';
const CLAIM = `
  INSERT INTO initial_buy_quote AS kept (context_hash, claimed_at) VALUES ($1, ${NOW})
  ON CONFLICT (context_hash) DO UPDATE SET claimed_at = excluded.claimed_at
  WHERE kept.claimed_at <= excluded.claimed_at - $2::bigint * interval '1 millisecond'
  RETURNING context_hash`;
const KEEP = `UPDATE initial_buy_quote SET quote = $2, read_at = ${NOW} WHERE context_hash = $1`;
const LAST = `SELECT quote FROM initial_buy_quote
  WHERE context_hash = $1 AND read_at > ${NOW} - $2::bigint * interval '1 millisecond'`;

/** Stores one row for each context, which all gateways answer from; the database's clock decides which gateway reads the price. */
@Injectable()
export class QuoteRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns whether the caller must read the price now: one caller in each `everyMs` over all gateways. */
  async claim(contextHash: string, everyMs: number): Promise<boolean> {
    return (await this.database.query(CLAIM, [contextHash, everyMs], 'prepared')).length > 0;
  }

  /** @param quote canonical JSON; null when the feeds gave none. */
  async keep(contextHash: string, quote: string | null): Promise<void> {
    await this.database.query(KEEP, [contextHash, quote], 'prepared');
  }

  /** Returns the last quote that was stored at most `atMostMs` ago; null without one. */
  async last(contextHash: string, atMostMs: number): Promise<string | null> {
    const rows = await this.database.query<{ quote: string | null }>(LAST, [contextHash, atMostMs], 'prepared');
    return rows[0]?.quote ?? null;
  }
}
