import { Module } from '@nestjs/common';
import { PlanRepository } from './data/plan.repository.js';
import { StepProofRepository } from './data/step-proof.repository.js';

/** Rows of plans, for who starts their workflows too. */
@Module({ providers: [PlanRepository, StepProofRepository], exports: [PlanRepository, StepProofRepository] })
export class PlanRowsModule {}
