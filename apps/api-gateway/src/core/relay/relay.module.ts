import { Module } from '@nestjs/common';
import { RelayService } from './relay.service.js';

@Module({ providers: [RelayService], exports: [RelayService] })
export class RelayModule {}
