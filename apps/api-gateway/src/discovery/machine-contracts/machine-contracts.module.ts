import { Module } from '@nestjs/common';
import { MachineContractsController } from './machine-contracts.controller.js';

@Module({ controllers: [MachineContractsController] })
export class MachineContractsModule {}
