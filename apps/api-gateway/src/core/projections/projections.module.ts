import { Module } from '@nestjs/common';
import { CustomLaunchProjectionRepository } from './custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from './custom-launch-publication.service.js';
import { FamilyRepository } from './family.repository.js';
import { ProjectionService } from './projection.service.js';
import { StatedLaunchRepository } from './stated-launch.repository.js';
import { StoredDocuments } from './stored-documents.js';

/** The activities that move the client's view of a launch. Each family registers its part with `ProjectionService`. */
@Module({
  providers: [
    FamilyRepository,
    StatedLaunchRepository,
    StoredDocuments,
    ProjectionService,
    CustomLaunchProjectionRepository,
    CustomLaunchPublicationService,
  ],
  exports: [ProjectionService, StoredDocuments, CustomLaunchProjectionRepository, CustomLaunchPublicationService],
})
export class ProjectionsModule {}
