import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { EthereumFeedController } from './http/ethereum-feed.controller.js';
import { EthereumFeedRepository } from './data/ethereum-feed.repository.js';
import { EthereumFeedService } from './domain/ethereum-feed.service.js';
import { IndexReadingRepository } from './data/index-reading.repository.js';
import { PublishEthereumService } from './domain/publish-ethereum.service.js';

@Module({
  imports: [HttpModule],
  controllers: [EthereumFeedController],
  providers: [EthereumFeedRepository, EthereumFeedService, IndexReadingRepository, PublishEthereumService],
  exports: [EthereumFeedService],
})
export class EthereumFeedModule {}
