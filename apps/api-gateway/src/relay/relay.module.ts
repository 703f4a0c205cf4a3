import { Module } from '@nestjs/common';
import { RelayRepository } from './relay.repository.js';
import { RelayService } from './relay.service.js';

@Module({ providers: [RelayRepository, RelayService], exports: [RelayService] })
export class RelayModule {}
