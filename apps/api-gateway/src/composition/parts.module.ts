import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import type { BlobStore } from '@launch/blob-store';
import type { LaunchContext } from '@launch/contracts/multi-role';
import type { LaunchReport } from '@launch/contracts/reports';
import type { AnswerSigner } from '@launch/http';
import type { Logger, Readiness, Registry, Secret } from '@launch/platform';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import type { ReviewedRouter } from '../core/context/router-review.js';
import type { LaunchChain } from '../core/chain/launch-chain.js';
import type { IndexDatabase } from '../products/index/data/index-database.js';
import type { GatewayLimits } from '../platform/configuration/limits.js';
import type { PublishedFiles } from '../core/downloads/published-files.js';
import type { FormReader } from '../platform/request-forms/form-reader.js';
import type { MachineContracts } from '../core/gates/machine-contracts.js';
import type { LaunchWorkers } from '../core/launches/launch-workers.js';
import type { GatewayQuotas } from '../platform/rate-limits/gateway-quotas.js';
import type { RecoveryPause } from '../products/multi-role/domain/recovery-pause.js';
import type { SignInConfig } from '../core/accounts/sign-in/sign-in.judge.js';
import type { CustomLaunchRelease } from '../core/gates/custom-launch-release.js';
import type { ModuleIntake } from '../products/module-submissions/domain/module-intake.js';
import type { LaunchWorkflows } from '../core/launches/launch-workflows.js';
import type { ReviewWorkflows } from '../products/module-submissions/domain/review-workflows.js';
import type { ReviewRenderer } from '../products/reviewer/domain/review-rendering.js';
import type { ReviewUpdates } from '../products/reviewer/domain/review-updates.js';
import type { StorageSpace } from '../platform/storage/blob-space.js';
import * as tokens from '../platform/tokens.js';

/** What a gateway is made of; the process builds it from its configuration, a test from what it likes. */
export interface GatewayParts {
  readonly database: GatewayDatabase;
  /** What the indexer publishes; `NO_INDEX` where this deployment reads none. */
  readonly indexDatabase: IndexDatabase;
  readonly blobs: BlobStore;
  readonly storageSpace: StorageSpace;
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
  readonly customLaunchRelease: CustomLaunchRelease;
  /** Where the site is whose pages open plans for wallets; null without one. */
  readonly siteUrl: string | null;
  readonly reviewWorkflows: ReviewWorkflows;
  /** How reviews that run are changed. */
  readonly reviewUpdates: ReviewUpdates;
  readonly reviewRenderer: ReviewRenderer;
  /** What it takes of modules. */
  readonly moduleIntake: ModuleIntake;
  /** The public reports that it provides. */
  readonly reports: readonly LaunchReport[];
  /** Signs answers that mirrors may serve; without a key it only hashes them. */
  readonly answerSigner: AnswerSigner;
  readonly credentialPepper: Secret<string>;
  readonly cursorKey: Secret<string>;
  readonly quotas: GatewayQuotas;
  readonly limits: GatewayLimits;
  readonly clock: tokens.Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly recoveryPause: RecoveryPause;
  readonly launchWorkers: LaunchWorkers;
}

/** Hands out the parts by their tokens; those that are not given are nobody's. */
@Module({})
export class PartsModule {
  static of(parts: Partial<GatewayParts>): DynamicModule {
    const values: readonly (readonly [symbol, unknown])[] = [
      [tokens.GATEWAY_DATABASE, parts.database],
      [tokens.INDEX_DATABASE, parts.indexDatabase],
      [tokens.ANSWER_SIGNER, parts.answerSigner],
      [tokens.BLOB_STORE, parts.blobs],
      [tokens.STORAGE_SPACE, parts.storageSpace],
      [tokens.LAUNCH_WORKFLOWS, parts.workflows],
      [tokens.REVIEW_WORKFLOWS, parts.reviewWorkflows],
      [tokens.LAUNCH_CHAIN, parts.chain],
      [tokens.FORM_READER, parts.formReader],
      [tokens.CONFIGURED_CONTEXT, parts.context],
      [tokens.SIGN_IN, parts.signIn],
      [tokens.REVIEWED_ROUTERS, parts.reviewedRouters],
      [tokens.PUBLISHED_FILES, parts.publishedFiles],
      [tokens.MACHINE_CONTRACTS, parts.machineContracts],
      [tokens.CUSTOM_LAUNCH_RELEASE, parts.customLaunchRelease],
      [tokens.SITE_URL, parts.siteUrl],
      [tokens.MODULE_INTAKE, parts.moduleIntake],
      [tokens.REVIEW_UPDATES, parts.reviewUpdates],
      [tokens.REVIEW_RENDERER, parts.reviewRenderer],
      [tokens.CREDENTIAL_PEPPER, parts.credentialPepper],
      [tokens.CURSOR_KEY, parts.cursorKey],
      [tokens.QUOTAS, parts.quotas],
      [tokens.LIMITS_CONFIG, parts.limits],
      [tokens.CLOCK, parts.clock],
      [tokens.LOGGER, parts.logger],
      [tokens.METRICS, parts.metrics],
      [tokens.READINESS, parts.readiness],
      [tokens.RECOVERY_PAUSE, parts.recoveryPause],
      [tokens.LAUNCH_WORKERS, parts.launchWorkers],
    ];
    const providers: Provider[] = values
      .filter(([, value]) => value !== undefined)
      .map(([provide, useValue]) => ({ provide, useValue }));
    return { module: PartsModule, global: true, providers, exports: providers };
  }
}
