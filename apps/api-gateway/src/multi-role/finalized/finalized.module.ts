import { Module } from '@nestjs/common';
import { FeedRowsModule } from '../../feeds/feed-rows.module.js';
import { HttpModule } from '../../http/http.module.js';
import { FinalizedController, FinalizedV3Controller } from './finalized.controller.js';
import { FinalizedService } from './finalized.service.js';

@Module({
  imports: [HttpModule, FeedRowsModule],
  controllers: [FinalizedController, FinalizedV3Controller],
  providers: [FinalizedService],
})
export class FinalizedModule {}
