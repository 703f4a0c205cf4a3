import { Module } from '@nestjs/common';
import { FeedRowsModule } from '../../core/feeds/feed-rows.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { FinalizedController, FinalizedV3Controller } from './http/finalized.controller.js';
import { FinalizedService } from './domain/finalized.service.js';

@Module({
  imports: [HttpModule, FeedRowsModule],
  controllers: [FinalizedController, FinalizedV3Controller],
  providers: [FinalizedService],
})
export class FinalizedModule {}
