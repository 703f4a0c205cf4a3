import { Module } from '@nestjs/common';
import { LaunchRelayModule } from '../launches/relay/launch-relay.module.js';
import { V4ProjectionRepository } from './custom-launch/v4-projection.repository.js';
import { V4Projections } from './custom-launch/v4.projections.js';
import { V4PublicationService } from './custom-launch/v4-publication.service.js';
import { PlanProjectionRepository } from './plan/plan-projection.repository.js';
import { PlanProjections } from './plan/plan.projections.js';
import { PlanStepsService } from './plan/plan-steps.service.js';
import { FamilyRepository } from './family.repository.js';
import { MultiRoleProjectionRepository } from './multi-role/multi-role-projection.repository.js';
import { MultiRoleProjections } from './multi-role/multi-role.projections.js';
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
    V4ProjectionRepository,
    V4PublicationService,
    V4Projections,
    PlanProjectionRepository,
    PlanProjections,
    PlanStepsService,
  ],
  exports: [ProjectionService, PlanStepsService, StoredDocuments],
})
export class ProjectionsModule {}
