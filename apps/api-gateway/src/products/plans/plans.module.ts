import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../core/accounts/credentials/credentials.module.js';
import { OpenApiModule } from '../discovery/openapi.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { CustomLaunchRequestsModule } from '../../core/launches/custom-launch/custom-launch-requests.module.js';
import { CredentialController } from './http/credential.controller.js';
import { PlanCapabilitiesController } from './http/plan-capabilities.controller.js';
import { PlanCreation } from './domain/plan-creation.js';
import { PlanPreflightController } from './http/plan-preflight.controller.js';
import { PlanRowsModule } from './plan-rows.module.js';
import { PlansController } from './http/plans.controller.js';
import { ReadPlanService } from './domain/read-plan.service.js';
import { StepProofService } from './domain/step-proof.service.js';

@Module({
  imports: [
    CredentialsModule,
    HttpModule,
    LaunchGatesModule,
    OpenApiModule,
    PlanRowsModule,
    CustomLaunchRequestsModule,
  ],
  controllers: [PlanCapabilitiesController, CredentialController, PlanPreflightController, PlansController],
  providers: [PlanCreation, ReadPlanService, StepProofService],
})
export class PlansModule {}
