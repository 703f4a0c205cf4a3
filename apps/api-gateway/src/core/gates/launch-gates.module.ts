import { Module } from '@nestjs/common';
import { LaunchGatesRepository } from './launch-gates.repository.js';
import { LaunchGatesService } from './launch-gates.service.js';

@Module({ providers: [LaunchGatesRepository, LaunchGatesService], exports: [LaunchGatesService] })
export class LaunchGatesModule {}
