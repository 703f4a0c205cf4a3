import { Controller, Res } from '@nestjs/common';
import { INITIAL_BUY_QUOTE_PATH, initialBuyQuoteSchema } from '@launch/contracts/reports';
import { sendCacheable } from '@launch/http';
import type { FastifyReply } from 'fastify';
import { CustomLaunchRoute } from '../../../core/launches/custom-launch/custom-launch.route.js';
import { INITIAL_BUY_QUOTE_EXAMPLE } from './initial-buy-quote.example.js';
import { InitialBuyQuoteService } from '../../../core/initial-buy-quote/initial-buy-quote.service.js';

@Controller()
export class InitialBuyQuoteController {
  constructor(private readonly service: InitialBuyQuoteService) {}

  @CustomLaunchRoute({
    method: 'get',
    path: INITIAL_BUY_QUOTE_PATH,
    id: 'getInitialBuyQuote',
    tag: 'Custom launches',
    scopes: null,
    quota: 'public',
    takesNoBody: true,
    summary: 'Retrieve the current minimum of an initial buy',
    description:
      'The quote is advisory: the server reads the price again at authorization. It reads both price feeds at most once every ten seconds. Returns 404 if the deployment does not provide quotes.',
    entityTag: 'SHA-256 digest of the response body.',
    answers: {
      200: { description: 'The quote.', schema: initialBuyQuoteSchema, example: INITIAL_BUY_QUOTE_EXAMPLE },
    },
    errors: ['NOT_FOUND', 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED'],
  })
  async read(@Res() reply: FastifyReply): Promise<void> {
    const { bytes, contentSha256 } = await this.service.read();
    sendCacheable(reply, {
      etag: contentSha256,
      cacheControl: 'public, no-cache',
      body: bytes,
    });
  }
}
