import { Module } from '@nestjs/common';
import { EthereumFeedModule } from '../ethereum-feed/ethereum-feed.module.js';
import { FeedRowsModule } from '../feeds/feed-rows.module.js';
import { HttpModule } from '../http/http.module.js';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { CoinAxesService } from './coin-axes.service.js';
import { CoinDiscoveryController } from './discovery.controller.js';
import { CoinLabelService } from './coin-label.service.js';
import { CoinListRepository } from './coin-list.repository.js';
import { CoinListsController } from './coin-lists.controller.js';
import { CoinListsService } from './coin-lists.service.js';
import { DeveloperFeedController } from './developer-feed.controller.js';
import { DeveloperFeedService } from './developer-feed.service.js';
import { DiscoveryService } from './discovery.service.js';
import { FoundationReleasesService } from './foundation/foundation-releases.service.js';
import { ModuleFoundationController } from './foundation/module-foundation.controller.js';
import { ModuleFoundationService } from './foundation/module-foundation.service.js';
import { IndexedLaunchesController } from './indexed-launches.controller.js';
import { IndexedLaunchesService } from './indexed-launches.service.js';
import { IndexRowsRepository } from './index-rows.repository.js';
import { IndexStateService } from './index-state.service.js';
import { IndexStatusService } from './index-status.service.js';
import { MarketService } from './market.service.js';
import { RouterIdentitiesService } from './router-identities.service.js';
import { TradesRepository } from './trades.repository.js';

@Module({
  imports: [HttpModule, FeedRowsModule, EthereumFeedModule, LaunchGatesModule],
  controllers: [
    CoinDiscoveryController,
    IndexedLaunchesController,
    CoinListsController,
    DeveloperFeedController,
    ModuleFoundationController,
  ],
  providers: [
    CoinListRepository,
    IndexRowsRepository,
    IndexStateService,
    IndexStatusService,
    CoinAxesService,
    CoinLabelService,
    CoinListsService,
    DeveloperFeedService,
    DiscoveryService,
    FoundationReleasesService,
    MarketService,
    ModuleFoundationService,
    IndexedLaunchesService,
    RouterIdentitiesService,
    TradesRepository,
  ],
  exports: [FoundationReleasesService],
})
export class CoinsModule {}
