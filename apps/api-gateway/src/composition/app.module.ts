import { Module, type DynamicModule } from '@nestjs/common';
import { AnswerKeysModule } from '../products/discovery/answer-keys.module.js';
import { CapabilitiesModule } from '../products/multi-role/capabilities.module.js';
import { IndexModule } from '../products/index/index.module.js';
import { DownloadsModule } from '../products/discovery/downloads.module.js';
import { DerivedFinalityModule } from '../products/multi-role/derived-finality.module.js';
import { EthereumFeedModule } from '../products/index/ethereum-feed.module.js';
import { FinalityModule } from '../products/multi-role/finality.module.js';
import { CustomLaunchFeedModule } from '../products/custom-launch/custom-launch-feed.module.js';
import { FinalizedModule } from '../products/multi-role/finalized.module.js';
import { HintsModule } from '../products/multi-role/hints.module.js';
import { CredentialsModule } from '../core/accounts/credentials/credentials.module.js';
import { RequestAuthenticator } from '../core/accounts/credentials/request-caller.js';
import { HttpModule } from '../platform/http/http.module.js';
import { OpenApiDocumentModule } from '../platform/openapi/openapi-document.module.js';
import { PUBLIC_API } from './api-subjects.js';
import { GateModule } from './gate.module.js';
import { CustomLaunchesModule } from '../products/custom-launch/custom-launches.module.js';
import { LaunchesModule } from '../products/multi-role/launches.module.js';
import { OpenApiModule } from '../products/discovery/openapi.module.js';
import { MachineContractsModule } from '../products/discovery/machine-contracts.module.js';
import { OperationsModule } from './operations.module.js';
import { PreflightModule } from '../products/multi-role/preflight.module.js';
import { ProjectionsModule } from '../core/projections/projections.module.js';
import { PlansModule } from '../products/plans/plans.module.js';
import { RecoveryModule } from '../products/multi-role/recovery.module.js';
import { RelayModule } from '../core/relay/relay.module.js';
import { ReportsModule } from '../products/reports/reports.module.js';
import { WellKnownModule } from '../products/discovery/well-known.module.js';
import { SignInModule } from '../core/accounts/sign-in/sign-in.module.js';
import { ModuleSubmissionsModule } from '../products/module-submissions/module-submissions.module.js';
import { PartsModule, type GatewayParts } from './parts.module.js';

export type { GatewayParts } from './parts.module.js';

/** Assembles the gateway's modules over its parts. */
@Module({})
export class AppModule {
  static of(parts: GatewayParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PartsModule.of(parts),
        HttpModule,
        GateModule.of(RequestAuthenticator, CredentialsModule),
        OpenApiDocumentModule.of(PUBLIC_API),
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
        CustomLaunchesModule,
        PlansModule,
        ModuleSubmissionsModule,
        IndexModule,
        ReportsModule.of(parts.reports),
        DerivedFinalityModule,
        ...(parts.signIn === null ? [] : [SignInModule]),
      ],
    };
  }
}
