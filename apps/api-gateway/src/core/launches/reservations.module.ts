import { Module } from '@nestjs/common';
import { HttpModule } from '../../platform/http/http.module.js';
import { CreateLaunchService } from './create-launch.service.js';
import { LaunchRepository } from './launch.repository.js';
import { RefusedRequestsRepository } from './refused-requests.repository.js';
import { RefusedRequestsService } from './refused-requests.service.js';
import { OwnedRequestsService } from './owned-requests.service.js';
import { OwnedLaunchesService } from './owned-launches.service.js';
import { LaunchRelayModule } from './relay/launch-relay.module.js';
import { StorageModule } from '../../platform/storage/storage.module.js';
import { SourceEvaluationService } from './source-evaluation.service.js';

/** The common parts of launches of all families: their rows, the keys that reserve them, and the relay of their workflows. */
@Module({
  imports: [HttpModule, LaunchRelayModule, StorageModule],
  providers: [
    LaunchRepository,
    CreateLaunchService,
    OwnedLaunchesService,
    OwnedRequestsService,
    SourceEvaluationService,
    RefusedRequestsRepository,
    RefusedRequestsService,
  ],
  exports: [
    LaunchRepository,
    CreateLaunchService,
    OwnedLaunchesService,
    OwnedRequestsService,
    SourceEvaluationService,
    LaunchRelayModule,
    StorageModule,
  ],
})
export class ReservationsModule {}
