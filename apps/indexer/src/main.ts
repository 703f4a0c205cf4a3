import { openBlobStore } from '@launch/blob-store';
import { openObserverPair } from '@launch/chain';
import { countObserverRequests } from '@launch/platform';
import type { RangeReads } from '@launch/chain/sources';
import { TASK_QUEUES } from '@launch/contracts/orchestration';
import { CHAIN_ID } from '@launch/contracts/primitives';
import { openIndexerDatabase } from '@launch/prisma-indexer';
import { connectTemporalLazily, temporalTarget } from '@launch/temporal';
import { keepHousekeeping, reportTrouble, runWorker } from '@launch/worker';
import { keepSources } from './bindings/keep-sources.js';
import { readBindings } from './bindings/read-bindings.js';
import { createChainHeads, ethereum, launchChain } from './chain/chain-heads.js';
import { loadIndexerConfig } from './config.js';
import { ETHEREUM_FEED } from './feeds/ethereum-feed.housekeeping.js';
import { FollowSource } from './follow/follow-source.service.js';
import type { IndexedChain } from './follow/follow-step.js';
import { readRange, type SourceRange } from './follow/read-range.js';
import { createHoldRepository } from './holds/hold.repository.js';
import { createIndexerActivities } from './indexer.activities.js';
import { indexMetrics } from './metrics.js';
import { createQuarantineRepository } from './quarantine/quarantine.repository.js';
import { IndexReadiness } from './readiness.js';
import { createCommitRepository } from './rows/commit.repository.js';
import { keepPruned, pruneSwaps } from './rows/prune-swaps.js';
import { createSourceRepository } from './rows/source.repository.js';
import { KnownPools } from './rows/known-pools.js';

const ETHEREUM = 1;
/** Maximum sources at once; each waits for observers most of its time. */
const MAX_SOURCES_AT_ONCE = 64;
/** Refusals of a place before the index skips it, besides the time. */
const PATIENT_ATTEMPTS = 3;
/** A run of the activity ends with the first step after this time, which bounds the events in a day's history. */
const RUN_MS = 120_000;

await runWorker({
  service: 'indexer',
  taskQueue: TASK_QUEUES.indexer,
  workflows: import.meta.resolve('@launch/workflows/indexer'),
  loadConfig: loadIndexerConfig,
  async compose({ config, logger, metrics, pool, shutdown }) {
    const { rollup } = await readBindings(config.INDEX_SOURCES_DIR);
    const reports = { logger, exchanged: countObserverRequests(metrics) };
    const l2 = openObserverPair('RPC_4663_URLS', config.RPC_4663_URLS, CHAIN_ID, reports);
    const l1 = openObserverPair('RPC_1_URLS', config.RPC_1_URLS, ETHEREUM, reports);
    const pace = { headMs: config.INDEX_POLL_MS / 2, finalMs: config.INDEX_FINALITY_POLL_MS };
    const anchors = { ...rollup, genesisBlock: BigInt(rollup.genesisBlock) };
    const chains: Readonly<Record<number, IndexedChain>> = {
      [CHAIN_ID]: { pair: l2, heads: createChainHeads(launchChain(l2, l1, anchors), pace) },
      [ETHEREUM]: { pair: l1, heads: createChainHeads(ethereum(l1), pace) },
    };
    const database = openIndexerDatabase(pool);
    const sources = createSourceRepository(database);
    const quarantine = createQuarantineRepository(database);
    const blobs = openBlobStore(config.BLOB_STORE);
    const parts = {
      chainOf: (chainId: number): IndexedChain => chains[chainId]!,
      sources,
      quarantine,
      commits: createCommitRepository(database),
      holds: createHoldRepository(database),
      pools: new KnownPools(database),
      blobs,
      readRange: (reads: RangeReads, range: SourceRange) => readRange(blobs, reads, range),
      rangeBlocks: BigInt(config.INDEX_RANGE_BLOCKS),
      patience: { attempts: PATIENT_ATTEMPTS, forMs: config.INDEX_PATIENCE_MS },
      now: Date.now,
    };
    const counted = indexMetrics(metrics, { ...parts, logger });
    const stopping = new AbortController();
    const following = new FollowSource({
      ...parts,
      pollMs: config.INDEX_POLL_MS,
      runMs: RUN_MS,
      stopping: stopping.signal,
      onStep: counted.stepped,
    });
    const starter = connectTemporalLazily(temporalTarget(config));
    shutdown.add('temporal client', () => starter.close());
    const keeper = keepSources(starter.client, { folder: config.INDEX_SOURCES_DIR, sources, logger });
    shutdown.add('sources', () => keeper.stop());
    const feed = keepHousekeeping(starter.client, ETHEREUM_FEED, logger);
    shutdown.add('feed', () => feed.stop());
    const stopPruning = keepPruned(
      (signal) => pruneSwaps(database, config.INDEX_SWAP_RETENTION_DAYS, signal),
      (error) => logger.warn({ err: error }, 'old trades could not be removed'),
    );
    shutdown.add('retention of trades', stopPruning);
    const readiness = new IndexReadiness(database, (releaseDigest) => following.refusalsOf(releaseDigest));
    return {
      activities: createIndexerActivities(following, parts, reportTrouble(logger, metrics)),
      maxConcurrentActivities: MAX_SOURCES_AT_ONCE,
      stopping: () => stopping.abort(),
      checks: {
        database: () => readiness.read(),
      },
      degradations: {
        bindings: () => keeper.problem(),
        ethereumFeed: () => (feed.pause() === null ? null : 'paused'),
        ...readiness.degradations,
      },
    };
  },
});
