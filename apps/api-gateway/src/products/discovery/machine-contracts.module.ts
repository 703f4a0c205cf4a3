import { Module } from '@nestjs/common';
import { MachineContractsController } from './http/machine-contracts.controller.js';

@Module({ controllers: [MachineContractsController] })
export class MachineContractsModule {}
