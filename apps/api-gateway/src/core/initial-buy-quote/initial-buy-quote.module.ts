import { Module } from '@nestjs/common';
import { InitialBuyQuoteService } from './initial-buy-quote.service.js';
import { QuoteRepository } from './quote.repository.js';

@Module({ providers: [InitialBuyQuoteService, QuoteRepository], exports: [InitialBuyQuoteService] })
export class InitialBuyQuoteModule {}
