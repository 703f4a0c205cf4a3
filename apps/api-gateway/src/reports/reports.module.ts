import { Module, type DynamicModule } from '@nestjs/common';
import type { LaunchReport } from '@launch/contracts';
import { OpenApiModule } from '../discovery/openapi/openapi.module.js';
import { LaunchGatesModule } from '../launch-gates/launch-gates.module.js';
import { reportController } from './launch-reports.controllers.js';
import { LaunchReportsService } from './launch-reports.service.js';

@Module({})
export class ReportsModule {
  /** @param provided the reports of this deployment; any other is 404. */
  static of(provided: readonly LaunchReport[]): DynamicModule {
    return {
      module: ReportsModule,
      imports: [LaunchGatesModule, OpenApiModule],
      controllers: provided.map(reportController),
      providers: [LaunchReportsService],
    };
  }
}
