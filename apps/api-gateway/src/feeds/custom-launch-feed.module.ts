import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { CustomLaunchFeedController } from './custom-launch-feed.controller.js';
import { CustomLaunchFeedService } from './custom-launch-feed.service.js';
import { FeedRowsModule } from './feed-rows.module.js';

@Module({
  imports: [HttpModule, FeedRowsModule],
  controllers: [CustomLaunchFeedController],
  providers: [CustomLaunchFeedService],
})
export class CustomLaunchFeedModule {}
