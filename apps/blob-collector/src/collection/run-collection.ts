import type { Secret } from '@launch/platform';
import { openBlobCollection } from '@launch/blob-store';
import type { CollectorConfig } from '../config.js';
import { DATABASE_NAMES, type DatabaseName } from '../references/databases.js';
import { lockCollections, openReferences, type ReferenceSource } from '../references/read-references.js';
import { actOn, ensurePlausible, planCollection, type CollectionPlan, type CollectionResult } from './collect.js';

const DAY_MS = 86_400_000;

export interface CollectionSummary {
  readonly counts: CollectionPlan['counts'];
  /** Null in a dry run. */
  readonly done: CollectionResult | null;
}

/**
 * Runs one collection. Without `isRemoving` it only reads.
 * @throws CollectorError, BlobError: a run that could not read every database completely has changed nothing.
 */
export async function runCollection(config: CollectorConfig, isRemoving: boolean): Promise<CollectionSummary> {
  const urls = urlsOf(config);
  const unlock = await lockCollections(urls['api-gateway']);
  try {
    const options = {
      // Before any snapshot: content set aside by then has its references in each of them.
      startedAt: Date.now(),
      graceMs: config.COLLECTION_GRACE_DAYS * DAY_MS,
      limit: config.COLLECTION_LIMIT,
      maxShare: config.COLLECTION_MAX_PERCENT / 100,
    };
    const stores = [config.BLOB_STORE, config.BUILD_RESULTS_STORE].map(openBlobCollection);
    const sources: ReferenceSource[] = [];
    let plan: CollectionPlan;
    try {
      for (const name of DATABASE_NAMES) sources.push(await openReferences(name, urls[name]));
      plan = await planCollection(stores, sources, options);
    } finally {
      await Promise.all(sources.map((source) => source.close()));
    }
    ensurePlausible(plan, options);
    return { counts: plan.counts, done: isRemoving ? await actOn(plan, options) : null };
  } finally {
    await unlock();
  }
}

const urlsOf = (config: CollectorConfig): Record<DatabaseName, Secret<string>> => ({
  'api-gateway': config.GATEWAY_DATABASE_URL,
  admission: config.ADMISSION_DATABASE_URL,
  custody: config.CUSTODY_DATABASE_URL,
  finality: config.FINALITY_DATABASE_URL,
  indexer: config.INDEXER_DATABASE_URL,
  'module-review': config.MODULE_REVIEW_DATABASE_URL,
});
