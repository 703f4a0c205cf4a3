import { Module } from '@nestjs/common';
import { ContextService } from './context.service.js';
import { ReleaseRepository } from './release.repository.js';

@Module({ providers: [ContextService, ReleaseRepository], exports: [ContextService] })
export class ContextModule {}
