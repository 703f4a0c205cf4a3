import type { INestApplicationContext } from '@nestjs/common';
import { USD_QUOTE_RETRY_REQUIRED } from '@launch/evm';
import { ContextService } from '../core/context/context.service.js';
import { LaunchGatesService } from '../core/gates/launch-gates.service.js';
import { InitialBuyQuoteService } from '../core/initial-buy-quote/initial-buy-quote.service.js';
import { ReviewReadinessService } from '../core/module-submissions/review-readiness.service.js';
import type { UnavailabilityReasons } from '../platform/operations/unavailability-metrics.js';
import { CustomLaunchFeedService } from '../products/custom-launch/domain/custom-launch-feed.service.js';
import { NO_INDEX } from '../products/index/data/index-database.js';
import { EthereumFeedService } from '../products/index/domain/ethereum-feed.service.js';
import { DerivedFinalityService } from '../products/multi-role/domain/derived-finality.service.js';
import type { GatewayParts } from './parts.module.js';

/** Returns the reasons of every surface that this deployment serves, as its routes show them. */
export function surfacesOf(
  app: INestApplicationContext,
  { chain, customLaunchRelease, indexDatabase, launchWorkers, moduleIntake }: GatewayParts,
): Readonly<Record<string, UnavailabilityReasons>> {
  return {
    'multi-role': () => app.get(ContextService).describe().reasonCodes,
    finality: async () => (await app.get(DerivedFinalityService).readiness()).reasonCodes,
    clocks: async () => ((await chain.clocks()).kind === 'skewed' ? ['CLOCKS_SKEWED'] : []),
    workers: () => launchWorkers.away(['gateway', 'admission', 'custody', 'finality']),
    'custom-launch-feed': async () => (await app.get(CustomLaunchFeedService).frame()).quality.reasons,
    ...(customLaunchRelease.context() === null
      ? {}
      : {
          'custom-launch': async () => (await app.get(LaunchGatesService).read()).reasonCodes,
          price: async () =>
            (await app.get(InitialBuyQuoteService).usable()) === null ? [USD_QUOTE_RETRY_REQUIRED] : [],
        }),
    ...(indexDatabase === NO_INDEX
      ? {}
      : { 'ethereum-feed': async () => (await app.get(EthereumFeedService).frame()).quality.reasons }),
    ...(!moduleIntake.submissions
      ? {}
      : {
          'module-reviews': async () => {
            const { databaseReady, workerAuthorityReady, reviewAvailable } = await app
              .get(ReviewReadinessService)
              .now();
            return [
              ...(databaseReady ? [] : ['REVIEW_DATABASE_NOT_READY']),
              ...(workerAuthorityReady ? [] : ['BUILDER_NOT_READY']),
              ...(reviewAvailable ? [] : ['MODULE_REVIEW_UNAVAILABLE']),
            ];
          },
        }),
  };
}
