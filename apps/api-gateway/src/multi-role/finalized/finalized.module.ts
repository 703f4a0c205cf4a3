import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { FinalizedController, FinalizedV3Controller } from './finalized.controller.js';
import { FinalizedRepository } from './finalized.repository.js';
import { FinalizedService } from './finalized.service.js';

@Module({
  imports: [HttpModule],
  controllers: [FinalizedController, FinalizedV3Controller],
  providers: [FinalizedRepository, FinalizedService],
})
export class FinalizedModule {}
