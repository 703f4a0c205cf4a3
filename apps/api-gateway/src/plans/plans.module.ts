import { Module } from '@nestjs/common';
import { CredentialsModule } from '../accounts/credentials/credentials.module.js';
import { OpenApiModule } from '../discovery/openapi/openapi.module.js';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { CredentialController } from './credential.controller.js';
import { PlanCapabilitiesController } from './plan-capabilities.controller.js';

@Module({
  imports: [CredentialsModule, LaunchGatesModule, OpenApiModule],
  controllers: [PlanCapabilitiesController, CredentialController],
})
export class PlansModule {}
