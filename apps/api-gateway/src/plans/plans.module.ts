import { Module } from '@nestjs/common';
import { CredentialsModule } from '../accounts/credentials/credentials.module.js';
import { OpenApiModule } from '../discovery/openapi/openapi.module.js';
import { HttpModule } from '../http/http.module.js';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { CustomRequestsModule } from '../launches-v4/custom-requests.module.js';
import { CredentialController } from './credential.controller.js';
import { PlanCapabilitiesController } from './plan-capabilities.controller.js';
import { PlanCreation } from './plan-creation.js';
import { PlanPreflightController } from './plan-preflight.controller.js';
import { PlanRowsModule } from './plan-rows.module.js';
import { PlansController } from './plans.controller.js';
import { ReadPlanService } from './read-plan.service.js';
import { StepProofService } from './step-proof.service.js';

@Module({
  imports: [CredentialsModule, HttpModule, LaunchGatesModule, OpenApiModule, PlanRowsModule, CustomRequestsModule],
  controllers: [PlanCapabilitiesController, CredentialController, PlanPreflightController, PlansController],
  providers: [PlanCreation, ReadPlanService, StepProofService],
})
export class PlansModule {}
