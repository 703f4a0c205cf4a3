import { Module } from '@nestjs/common';
import { FeedRowsModule } from '../../core/feeds/feed-rows.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { CoinAxesService } from './domain/coin-axes.service.js';
import { IndexDiscoveryController } from './http/index-discovery.controller.js';
import { CoinLabelService } from './domain/coin-label.service.js';
import { CoinListRepository } from './data/coin-list.repository.js';
import { CoinListsController } from './http/coin-lists.controller.js';
import { CoinListsService } from './domain/coin-lists.service.js';
import { CoinTradesController } from './http/coin-trades.controller.js';
import { CoinTradesService } from './domain/coin-trades.service.js';
import { DeveloperFeedController } from './http/developer-feed.controller.js';
import { DeveloperFeedService } from './domain/developer-feed.service.js';
import { IndexDiscoveryService } from './domain/index-discovery.service.js';
import { FoundationReleasesController } from './http/foundation-releases.controller.js';
import { FoundationReleasesService } from './domain/foundation-releases.service.js';
import { ModuleFoundationController } from './http/module-foundation.controller.js';
import { ModuleFoundationService } from './domain/module-foundation.service.js';
import { IndexedLaunchesController } from './http/indexed-launches.controller.js';
import { IndexedLaunchesService } from './domain/indexed-launches.service.js';
import { IndexRowsRepository } from './data/index-rows.repository.js';
import { IndexStateService } from './domain/index-state.service.js';
import { IndexStatusService } from './domain/index-status.service.js';
import { MarketService } from './domain/market.service.js';
import { RouterIdentitiesService } from './domain/router-identities.service.js';
import { TradesRepository } from './data/trades.repository.js';
import { EthereumEvidenceController, EthereumFeedController } from './http/ethereum-feed.controller.js';
import { EthereumFeedRepository } from './data/ethereum-feed.repository.js';
import { EthereumFeedService } from './domain/ethereum-feed.service.js';
import { IndexReadingRepository } from './data/index-reading.repository.js';
import { PublishEthereumService } from './domain/publish-ethereum.service.js';
import { VerificationsController } from './http/verifications.controller.js';

@Module({
  imports: [HttpModule, FeedRowsModule, LaunchGatesModule],
  controllers: [
    IndexDiscoveryController,
    IndexedLaunchesController,
    VerificationsController,
    CoinListsController,
    CoinTradesController,
    DeveloperFeedController,
    ModuleFoundationController,
    FoundationReleasesController,
    EthereumFeedController,
    EthereumEvidenceController,
  ],
  providers: [
    CoinListRepository,
    IndexRowsRepository,
    IndexStateService,
    IndexStatusService,
    CoinAxesService,
    CoinLabelService,
    CoinListsService,
    CoinTradesService,
    DeveloperFeedService,
    IndexDiscoveryService,
    FoundationReleasesService,
    MarketService,
    ModuleFoundationService,
    IndexedLaunchesService,
    RouterIdentitiesService,
    TradesRepository,
    EthereumFeedRepository,
    IndexReadingRepository,
    EthereumFeedService,
    PublishEthereumService,
  ],
})
export class IndexModule {}
