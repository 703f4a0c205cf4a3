import { Module } from '@nestjs/common';
import { LaunchRelayModule } from '../launches/relay/launch-relay.module.js';
import { CustomLaunchProjectionRepository } from './custom-launch-projection.repository.js';
import { CustomLaunchProjections } from '../../products/custom-launch/domain/custom-launch.projections.js';
import { CustomLaunchPublicationService } from './custom-launch-publication.service.js';
import { PlanProjectionRepository } from '../../products/plans/data/plan-projection.repository.js';
import { PlanProjections } from '../../products/plans/domain/plan.projections.js';
import { PlanStepsService } from '../../products/plans/domain/plan-steps.service.js';
import { FamilyRepository } from './family.repository.js';
import { MultiRoleProjectionRepository } from '../../products/multi-role/data/multi-role-projection.repository.js';
import { MultiRoleProjections } from '../../products/multi-role/domain/multi-role.projections.js';
import { ProjectionService } from './projection.service.js';
import { StoredDocuments } from './stored-documents.js';

@Module({
  imports: [LaunchRelayModule],
  providers: [
    FamilyRepository,
    StoredDocuments,
    ProjectionService,
    MultiRoleProjectionRepository,
    MultiRoleProjections,
    CustomLaunchProjectionRepository,
    CustomLaunchPublicationService,
    CustomLaunchProjections,
    PlanProjectionRepository,
    PlanProjections,
    PlanStepsService,
  ],
  exports: [ProjectionService, PlanStepsService, StoredDocuments],
})
export class ProjectionsModule {}
