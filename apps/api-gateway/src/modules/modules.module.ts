import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { ModuleCapabilitiesController } from './module-capabilities.controller.js';
import { ReadModulesService } from './read-modules.service.js';
import { SubmissionRepository } from './submission.repository.js';
import { SubmissionsController } from './submissions.controller.js';
import { SubmitModuleService } from './submit-module.service.js';

@Module({
  imports: [HttpModule],
  controllers: [ModuleCapabilitiesController, SubmissionsController],
  providers: [SubmissionRepository, SubmitModuleService, ReadModulesService],
})
export class ModulesModule {}
