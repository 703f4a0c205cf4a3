import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import type { LaunchContext, LaunchReport } from '@launch/contracts';
import type { Logger, Readiness, Registry, Secret } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { CapabilitiesModule } from './multi-role/capabilities/capabilities.module.js';
import type { ReviewedRouter } from './multi-role/context/router-review.js';
import type { LaunchChain } from './multi-role/chain/launch-chain.js';
import type { GatewayLimits } from './config/limits.js';
import { DownloadsModule } from './discovery/downloads/downloads.module.js';
import type { PublishedFiles } from './discovery/downloads/published-files.js';
import { DerivedFinalityModule } from './multi-role/derived-finality/derived-finality.module.js';
import { FinalityModule } from './multi-role/finality/finality.module.js';
import { CustomLaunchFeedModule } from './feeds/custom-launch-feed.module.js';
import { FinalizedModule } from './multi-role/finalized/finalized.module.js';
import { HintsModule } from './multi-role/hints/hints.module.js';
import { HttpModule } from './http/http.module.js';
import type { FormReader } from './launches/request/form-reader.js';
import { LaunchesV4Module } from './launches-v4/launches-v4.module.js';
import { LaunchesModule } from './multi-role/launches/launches.module.js';
import { OpenApiModule } from './discovery/openapi/openapi.module.js';
import { MachineContractsModule } from './discovery/machine-contracts/machine-contracts.module.js';
import type { MachineContracts } from './discovery/machine-contracts/machine-contracts.js';
import type { LaunchWorkers } from './operations/launch-workers.js';
import { OperationsModule } from './operations/operations.module.js';
import { PreflightModule } from './multi-role/preflight/preflight.module.js';
import { ProjectionsModule } from './projections/projections.module.js';
import type { GatewayQuotas } from './rate-limits/gateway-quotas.js';
import { PlansModule } from './plans/plans.module.js';
import type { RecoverySchedule } from './multi-role/recovery/recovery-schedule.js';
import { RecoveryModule } from './multi-role/recovery/recovery.module.js';
import { RelayModule } from './relay/relay.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { WellKnownModule } from './discovery/well-known/well-known.module.js';
import type { SignInConfig } from './accounts/sign-in/sign-in.judge.js';
import { SignInModule } from './accounts/sign-in/sign-in.module.js';
import type { V4Release } from './launch-gates/v4-release.js';
import type { ModuleIntake } from './modules/module-intake.js';
import type { ReviewWorkflows } from './modules/review/review-workflows.js';
import { ModulesModule } from './modules/modules.module.js';
import type { LaunchWorkflows } from './multi-role/launch-workflows.js';
import * as tokens from './tokens.js';

/** What a gateway is made of; the process builds it from its configuration, a test from what it likes. */
export interface GatewayParts {
  readonly database: GatewayDatabase;
  readonly blobs: BlobStore;
  readonly workflows: LaunchWorkflows;
  readonly chain: LaunchChain;
  readonly formReader: FormReader;
  readonly context: LaunchContext | null;
  /** Null where nobody can sign in with a wallet: then those routes are not there. */
  readonly signIn: SignInConfig | null;
  /** Routers reviewed for a policy; a context with another is not served. */
  readonly reviewedRouters: readonly ReviewedRouter[];
  readonly publishedFiles: PublishedFiles;
  /** The frozen descriptions of the V4 routes. */
  readonly machineContracts: MachineContracts;
  readonly v4Release: V4Release;
  /** Where the site is whose pages open plans for wallets; null without one. */
  readonly siteUrl: string | null;
  readonly reviewWorkflows: ReviewWorkflows;
  /** What it takes of modules. */
  readonly moduleIntake: ModuleIntake;
  /** The public reports that it provides. */
  readonly reports: readonly LaunchReport[];
  readonly credentialPepper: Secret<string>;
  readonly cursorKey: Secret<string>;
  readonly quotas: GatewayQuotas;
  readonly limits: GatewayLimits;
  readonly clock: tokens.Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly recoverySchedule: RecoverySchedule;
  readonly launchWorkers: LaunchWorkers;
}

@Module({})
class PartsModule {
  static of(parts: GatewayParts): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [tokens.GATEWAY_DATABASE, parts.database],
      [tokens.BLOB_STORE, parts.blobs],
      [tokens.LAUNCH_WORKFLOWS, parts.workflows],
      [tokens.REVIEW_WORKFLOWS, parts.reviewWorkflows],
      [tokens.LAUNCH_CHAIN, parts.chain],
      [tokens.FORM_READER, parts.formReader],
      [tokens.CONFIGURED_CONTEXT, parts.context],
      [tokens.SIGN_IN, parts.signIn],
      [tokens.REVIEWED_ROUTERS, parts.reviewedRouters],
      [tokens.PUBLISHED_FILES, parts.publishedFiles],
      [tokens.MACHINE_CONTRACTS, parts.machineContracts],
      [tokens.V4_RELEASE, parts.v4Release],
      [tokens.SITE_URL, parts.siteUrl],
      [tokens.MODULE_INTAKE, parts.moduleIntake],
      [tokens.CREDENTIAL_PEPPER, parts.credentialPepper],
      [tokens.CURSOR_KEY, parts.cursorKey],
      [tokens.QUOTAS, parts.quotas],
      [tokens.LIMITS_CONFIG, parts.limits],
      [tokens.CLOCK, parts.clock],
      [tokens.LOGGER, parts.logger],
      [tokens.METRICS, parts.metrics],
      [tokens.READINESS, parts.readiness],
      [tokens.RECOVERY_SCHEDULE, parts.recoverySchedule],
      [tokens.LAUNCH_WORKERS, parts.launchWorkers],
    ];
    const providers: Provider[] = values.map(([provide, useValue]) => ({ provide, useValue }));
    return { module: PartsModule, global: true, providers, exports: providers };
  }
}

/** The gateway's modules over its parts. */
@Module({})
export class AppModule {
  static of(parts: GatewayParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PartsModule.of(parts),
        HttpModule,
        CapabilitiesModule,
        DownloadsModule,
        LaunchesModule,
        PreflightModule,
        HintsModule,
        FinalityModule,
        FinalizedModule,
        CustomLaunchFeedModule,
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
        ReportsModule.of(parts.reports),
        DerivedFinalityModule,
        ...(parts.signIn === null ? [] : [SignInModule]),
      ],
    };
  }
}
