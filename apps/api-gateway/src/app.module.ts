import { Module, type DynamicModule } from '@nestjs/common';
import { AnswerKeysModule } from './discovery/answer-keys/answer-keys.module.js';
import { CapabilitiesModule } from './multi-role/capabilities/capabilities.module.js';
import { CoinsModule } from './coins/coins.module.js';
import { DownloadsModule } from './discovery/downloads/downloads.module.js';
import { DerivedFinalityModule } from './multi-role/derived-finality/derived-finality.module.js';
import { EthereumFeedModule } from './ethereum-feed/ethereum-feed.module.js';
import { FinalityModule } from './multi-role/finality/finality.module.js';
import { CustomLaunchFeedModule } from './feeds/custom-launch-feed.module.js';
import { FinalizedModule } from './multi-role/finalized/finalized.module.js';
import { HintsModule } from './multi-role/hints/hints.module.js';
import { HttpModule } from './http/http.module.js';
import { LaunchesV4Module } from './launches-v4/launches-v4.module.js';
import { LaunchesModule } from './multi-role/launches/launches.module.js';
import { OpenApiModule } from './discovery/openapi/openapi.module.js';
import { MachineContractsModule } from './discovery/machine-contracts/machine-contracts.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PreflightModule } from './multi-role/preflight/preflight.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import { PlansModule } from './plans/plans.module.js';
import { RecoveryModule } from './multi-role/recovery/recovery.module.js';
import { RelayModule } from './relay/relay.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { WellKnownModule } from './discovery/well-known/well-known.module.js';
import { SignInModule } from './accounts/sign-in/sign-in.module.js';
import { ModulesModule } from './modules/modules.module.js';
import { PartsModule, type GatewayParts } from './parts.module.js';

export type { GatewayParts } from './parts.module.js';

/** The gateway's modules over its parts. */
@Module({})
export class AppModule {
  static of(parts: GatewayParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PartsModule.of(parts),
        HttpModule,
        AnswerKeysModule,
        CapabilitiesModule,
        DownloadsModule,
        LaunchesModule,
        PreflightModule,
        HintsModule,
        FinalityModule,
        FinalizedModule,
        CustomLaunchFeedModule,
        EthereumFeedModule,
        OpenApiModule,
        MachineContractsModule,
        OperationsModule,
        ProjectionsModule,
        RelayModule,
        RecoveryModule,
        WellKnownModule,
        LaunchesV4Module,
        PlansModule,
        ModulesModule,
        CoinsModule,
        ReportsModule.of(parts.reports),
        DerivedFinalityModule,
        ...(parts.signIn === null ? [] : [SignInModule]),
      ],
    };
  }
}
