import { Module, type DynamicModule } from '@nestjs/common';
import { CredentialsModule } from '../core/accounts/credentials/credentials.module.js';
import { RequestAuthenticator } from '../core/accounts/credentials/request-caller.js';
import { SignInModule } from '../core/accounts/sign-in/sign-in.module.js';
import { ProjectionsModule } from '../core/projections/projections.module.js';
import { RelayModule } from '../core/relay/relay.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { OpenApiDocumentModule } from '../platform/openapi/openapi-document.module.js';
import { CustomLaunchModule } from '../products/custom-launch/custom-launch.module.js';
import { DiscoveryModule } from '../products/discovery/discovery.module.js';
import { IndexModule } from '../products/index/index.module.js';
import { ModuleSubmissionsModule } from '../products/module-submissions/module-submissions.module.js';
import { MultiRoleModule } from '../products/multi-role/multi-role.module.js';
import { PlansModule } from '../products/plans/plans.module.js';
import { ReportsModule } from '../products/reports/reports.module.js';
import { PUBLIC_API } from './api-subjects.js';
import { GateModule } from './gate.module.js';
import { OperationsModule } from './operations.module.js';
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
        OperationsModule,
        ProjectionsModule,
        RelayModule,
        ...(parts.signIn === null ? [] : [SignInModule]),
        DiscoveryModule,
        MultiRoleModule,
        CustomLaunchModule,
        PlansModule,
        ModuleSubmissionsModule,
        IndexModule,
        ReportsModule.of(parts.reports),
      ],
    };
  }
}
