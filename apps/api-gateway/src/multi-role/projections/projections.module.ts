import { Module } from '@nestjs/common';
import { RelayModule } from '../../relay/relay.module.js';
import { ProjectionRepository } from './projection.repository.js';
import { ProjectionService } from './projection.service.js';

@Module({ imports: [RelayModule], providers: [ProjectionRepository, ProjectionService], exports: [ProjectionService] })
export class ProjectionsModule {}
