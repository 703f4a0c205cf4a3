import { Module } from '@nestjs/common';
import { LaunchesModule } from './launches.module.js';
import { FinalityController } from './http/finality.controller.js';
import { FinalityService } from './domain/finality.service.js';

@Module({ imports: [LaunchesModule], controllers: [FinalityController], providers: [FinalityService] })
export class FinalityModule {}
