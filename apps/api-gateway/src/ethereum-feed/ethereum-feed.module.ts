import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { EthereumFeedController } from './ethereum-feed.controller.js';
import { EthereumFeedRepository } from './ethereum-feed.repository.js';
import { EthereumFeedService } from './ethereum-feed.service.js';
import { IndexReadingRepository } from './index-reading.repository.js';
import { PublishEthereumService } from './publish-ethereum.service.js';

@Module({
  imports: [HttpModule],
  controllers: [EthereumFeedController],
  providers: [EthereumFeedRepository, EthereumFeedService, IndexReadingRepository, PublishEthereumService],
  exports: [EthereumFeedService],
})
export class EthereumFeedModule {}
