import { Module } from '@nestjs/common';
import { HttpModule } from '../http/http.module.js';
import { FinalizedController } from './finalized.controller.js';
import { FinalizedRepository } from './finalized.repository.js';
import { FinalizedService } from './finalized.service.js';

@Module({ imports: [HttpModule], controllers: [FinalizedController], providers: [FinalizedRepository, FinalizedService] })
export class FinalizedModule {}
