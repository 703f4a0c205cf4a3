import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { BlobReader, BlobStore } from '@launch/blob-store';
import type { LaunchContext } from '@launch/contracts/multi-role';
import type { LaunchReport } from '@launch/contracts/reports';
import type { AnswerSigner } from '@launch/http';
import type { Logger, Readiness, Registry, Secret } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import type { ReviewedRouter } from '../core/context/router-review.js';
import { LAUNCH_CHAIN, type LaunchChain } from '../core/chain/launch-chain.js';
import { INDEX_DATABASE, type IndexDatabase } from '../products/index/data/index-database.js';
import type { GatewayLimits } from '../platform/configuration/limits.js';
import { PUBLISHED_FILES, type PublishedFiles } from '../core/downloads/published-files.js';
import type { FormReader } from '../platform/request-forms/form-reader.js';
import { MACHINE_CONTRACTS, type MachineContracts } from '../core/gates/machine-contracts.js';
import { LAUNCH_WORKERS, type LaunchWorkers } from '../core/launches/launch-workers.js';
import type { GatewayQuotas } from '../platform/rate-limits/gateway-quotas.js';
import { RECOVERY_PAUSE, type RecoveryPause } from '../products/multi-role/domain/recovery-pause.js';
import type { SignInConfig } from '../core/accounts/sign-in/sign-in.judge.js';
import { CUSTOM_LAUNCH_RELEASE, type CustomLaunchRelease } from '../core/gates/custom-launch-release.js';
import { MODULE_INTAKE, type ModuleIntake } from '../products/module-submissions/domain/module-intake.js';
import { LAUNCH_WORKFLOWS, type LaunchWorkflows } from '../core/launches/launch-workflows.js';
import { REVIEW_WORKFLOWS, type ReviewWorkflows } from '../products/module-submissions/domain/review-workflows.js';
import { REVIEW_RENDERER, type ReviewRenderer } from '../products/reviewer/domain/review-rendering.js';
import { RUNNING_REVIEWS, type ReviewUpdates } from '../products/reviewer/domain/review-updates.js';
import type { StorageSpace } from '../platform/storage/blob-space.js';
import {
  type Clock,
  GATEWAY_DATABASE,
  ANSWER_SIGNER,
  BLOB_STORE,
  BUILD_RESULTS,
  STORAGE_SPACE,
  FORM_READER,
  SITE_URL,
  CURSOR_KEY,
  QUOTAS,
  LIMITS_CONFIG,
  CLOCK,
  LOGGER,
  METRICS,
  READINESS,
} from '../platform/tokens.js';
import { CONFIGURED_CONTEXT, REVIEWED_ROUTERS } from '../core/context/context.tokens.js';
import { SIGN_IN, CREDENTIAL_PEPPER } from '../core/accounts/accounts.tokens.js';

/** The parts of the public gateway. The process builds them from its configuration; a test supplies its own. */
export interface GatewayParts {
  readonly database: GatewayDatabase;
  /** The indexer's published views; `NO_INDEX` when this deployment reads none. */
  readonly indexDatabase: IndexDatabase;
  readonly blobs: BlobStore;
  readonly storageSpace: StorageSpace;
  readonly workflows: LaunchWorkflows;
  readonly chain: LaunchChain;
  readonly formReader: FormReader;
  readonly context: LaunchContext | null;
  /** Null disables signing in with a wallet, and its routes. */
  readonly signIn: SignInConfig | null;
  /** Routers reviewed for a policy; a context with another is not served. */
  readonly reviewedRouters: readonly ReviewedRouter[];
  readonly publishedFiles: PublishedFiles;
  /** The frozen descriptions of the custom-launch routes. */
  readonly machineContracts: MachineContracts;
  readonly customLaunchRelease: CustomLaunchRelease;
  /** The origin of the site whose pages show launches and call owner routes; null without a site. */
  readonly siteUrl: string | null;
  readonly reviewWorkflows: ReviewWorkflows;
  /** The limits of its module intake. */
  readonly moduleIntake: ModuleIntake;
  /** The public reports that it provides. */
  readonly reports: readonly LaunchReport[];
  /** Signs answers that mirrors may serve; without a key it only hashes them. */
  readonly answerSigner: AnswerSigner;
  readonly credentialPepper: Secret<string>;
  readonly cursorKey: Secret<string>;
  readonly quotas: GatewayQuotas;
  readonly limits: GatewayLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly recoveryPause: RecoveryPause;
  readonly launchWorkers: LaunchWorkers;
}

/** The parts of the review console. */
export type ReviewConsoleParts = Pick<
  GatewayParts,
  | 'database'
  | 'blobs'
  | 'formReader'
  | 'credentialPepper'
  | 'cursorKey'
  | 'quotas'
  | 'limits'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'readiness'
> & {
  readonly buildResults: BlobReader;
  /** Changes running reviews. */
  readonly reviewUpdates: ReviewUpdates;
  readonly reviewRenderer: ReviewRenderer;
};

/** Provides the given parts by their tokens. */
@Module({})
export class PartsModule {
  static of(parts: Partial<GatewayParts & ReviewConsoleParts>): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [GATEWAY_DATABASE, parts.database],
      [INDEX_DATABASE, parts.indexDatabase],
      [ANSWER_SIGNER, parts.answerSigner],
      [BLOB_STORE, parts.blobs],
      [BUILD_RESULTS, parts.buildResults],
      [STORAGE_SPACE, parts.storageSpace],
      [LAUNCH_WORKFLOWS, parts.workflows],
      [REVIEW_WORKFLOWS, parts.reviewWorkflows],
      [LAUNCH_CHAIN, parts.chain],
      [FORM_READER, parts.formReader],
      [CONFIGURED_CONTEXT, parts.context],
      [SIGN_IN, parts.signIn],
      [REVIEWED_ROUTERS, parts.reviewedRouters],
      [PUBLISHED_FILES, parts.publishedFiles],
      [MACHINE_CONTRACTS, parts.machineContracts],
      [CUSTOM_LAUNCH_RELEASE, parts.customLaunchRelease],
      [SITE_URL, parts.siteUrl],
      [MODULE_INTAKE, parts.moduleIntake],
      [RUNNING_REVIEWS, parts.reviewUpdates],
      [REVIEW_RENDERER, parts.reviewRenderer],
      [CREDENTIAL_PEPPER, parts.credentialPepper],
      [CURSOR_KEY, parts.cursorKey],
      [QUOTAS, parts.quotas],
      [LIMITS_CONFIG, parts.limits],
      [CLOCK, parts.clock],
      [LOGGER, parts.logger],
      [METRICS, parts.metrics],
      [READINESS, parts.readiness],
      [RECOVERY_PAUSE, parts.recoveryPause],
      [LAUNCH_WORKERS, parts.launchWorkers],
    ];
    const providers: Provider[] = values
      .filter(([, value]) => value !== undefined)
      .map(([provide, useValue]) => ({ provide, useValue }));
    return { module: PartsModule, global: true, providers, exports: providers };
  }
}
