import { Module } from '@nestjs/common';
import { ContextModule } from '../../core/context/context.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { DiscoveryService } from './domain/discovery.service.js';
import { AnswerKeysController } from './http/answer-keys.controller.js';
import { DocumentsController } from './http/documents.controller.js';
import { DOWNLOAD_CONTROLLERS } from './http/downloads.controller.js';
import { MachineContractsController } from './http/machine-contracts.controller.js';
import { OpenApiController } from './http/openapi.controller.js';
import { WellKnownController } from './http/well-known.controller.js';

@Module({
  imports: [HttpModule, ContextModule, LaunchGatesModule],
  controllers: [
    WellKnownController,
    AnswerKeysController,
    OpenApiController,
    MachineContractsController,
    DocumentsController,
    ...DOWNLOAD_CONTROLLERS,
  ],
  providers: [DiscoveryService],
})
export class DiscoveryModule {}
