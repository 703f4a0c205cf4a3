import { Module } from '@nestjs/common';
import { LaunchesModule } from '../launches/launches.module.js';
import { FinalityController } from './finality.controller.js';
import { FinalityService } from './finality.service.js';

@Module({ imports: [LaunchesModule], controllers: [FinalityController], providers: [FinalityService] })
export class FinalityModule {}
