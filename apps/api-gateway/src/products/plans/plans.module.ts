import { Module } from '@nestjs/common';
import { CredentialsModule } from '../../core/accounts/credentials/credentials.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { InitialBuyQuoteModule } from '../../core/initial-buy-quote/initial-buy-quote.module.js';
import { CustomLaunchRequestsModule } from '../../core/launches/custom-launch/custom-launch-requests.module.js';
import { CredentialController } from './http/credential.controller.js';
import { PlanCapabilitiesController } from './http/plan-capabilities.controller.js';
import { PlanCreation } from './domain/plan-creation.js';
import { PlanPreflightController } from './http/plan-preflight.controller.js';
import { ProjectionsModule } from '../../core/projections/projections.module.js';
import { PlanProjectionRepository } from './data/plan-projection.repository.js';
import { PlanRepository } from './data/plan.repository.js';
import { StepProofRepository } from './data/step-proof.repository.js';
import { PlanProjections } from './domain/plan.projections.js';
import { PlanRelayService } from './domain/plan-relay.service.js';
import { PlanStepsService } from './domain/plan-steps.service.js';
import { PlansController } from './http/plans.controller.js';
import { ReadPlanService } from './domain/read-plan.service.js';
import { StepProofService } from './domain/step-proof.service.js';

@Module({
  imports: [
    CredentialsModule,
    HttpModule,
    LaunchGatesModule,
    InitialBuyQuoteModule,
    ProjectionsModule,
    CustomLaunchRequestsModule,
  ],
  controllers: [PlanCapabilitiesController, CredentialController, PlanPreflightController, PlansController],
  providers: [
    PlanRepository,
    StepProofRepository,
    PlanProjectionRepository,
    PlanCreation,
    ReadPlanService,
    StepProofService,
    PlanRelayService,
    PlanProjections,
    PlanStepsService,
  ],
})
export class PlansModule {}
