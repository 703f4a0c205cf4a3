import { Controller, Req, Res } from '@nestjs/common';
import { chainTradesSchema, TRADES_PATH } from '@launch/contracts/index';
import { queryOf } from '@launch/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendIndexed } from './answers.js';
import { TRADES_EXAMPLE } from './coins.examples.js';
import { IndexRead } from './index.route.js';
import { tradesQuery, type TradesQuery } from '../domain/coin-queries.js';
import { CoinTradesService } from '../domain/coin-trades.service.js';

@Controller()
export class CoinTradesController {
  constructor(private readonly trades: CoinTradesService) {}

  @IndexRead({
    path: TRADES_PATH,
    id: 'listChainTrades',
    query: tradesQuery,
    summary: 'List the trades of a coin, the newest first',
    description:
      'Returns the trades in the pool of a coin, including trades that are not final yet. `router` is the caller of PoolManager, not the trader. The index removes final trades after its retention period, which is at least 30 days.',
    answers: { 200: { description: 'A page of results.', schema: chainTradesSchema, example: TRADES_EXAMPLE } },
    errors: ['NOT_FOUND', 'INDEX_NOT_CURRENT', 'CURSOR_INVALID'],
  })
  async list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendIndexed(reply, await this.trades.list(queryOf<TradesQuery>(request)));
  }
}
