import { Module, type DynamicModule } from '@nestjs/common';
import { STATE_REPORTS, type LaunchReport } from '@launch/contracts/reports';
import { LaunchGatesModule } from '../../core/gates/launch-gates.module.js';
import { InitialBuyQuoteModule } from '../../core/initial-buy-quote/initial-buy-quote.module.js';
import { InitialBuyQuoteController } from './http/initial-buy-quote.controller.js';
import { reportController } from './http/launch-reports.controllers.js';
import { LaunchReportsService } from './domain/launch-reports.service.js';

@Module({})
export class ReportsModule {
  /** @param provided the reports of this deployment; any other is 404. */
  static of(provided: readonly LaunchReport[]): DynamicModule {
    return {
      module: ReportsModule,
      imports: [LaunchGatesModule, InitialBuyQuoteModule],
      controllers: [
        ...STATE_REPORTS.filter((report) => provided.includes(report)).map(reportController),
        ...(provided.includes('initial-buy-quote') ? [InitialBuyQuoteController] : []),
      ],
      providers: [LaunchReportsService],
    };
  }
}
