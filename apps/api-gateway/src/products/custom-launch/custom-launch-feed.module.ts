import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { CustomLaunchFeedController } from './http/custom-launch-feed.controller.js';
import { CustomLaunchFeedService } from './domain/custom-launch-feed.service.js';
import { FeedRowsModule } from '../../core/feeds/feed-rows.module.js';

@Module({
  imports: [HttpModule, FeedRowsModule],
  controllers: [CustomLaunchFeedController],
  providers: [CustomLaunchFeedService],
})
export class CustomLaunchFeedModule {}
