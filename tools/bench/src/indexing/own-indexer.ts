import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalJsonText } from '@launch/contracts/json';
import { SEARCH_ATTRIBUTE_TYPES } from '@launch/contracts/orchestration';
import { deploymentOf, sourceReleaseDigest } from '@launch/evm/sources';
import { promoteWorker } from '@launch/start';
import { startTemporal } from '@launch/temporal-server';
import { startServiceProcess } from '@launch/testing';
import { gateRpc, type GatedRpc } from './gated-rpc.js';
import type { IndexServers } from './index-servers.js';
import { ownRows, type SideRows } from './launched-rows.js';
import { ownTrades, type SideTrades } from './traded-rows.js';

const PROGRAM = fileURLToPath(new URL('../../../../apps/indexer/dist/main.js', import.meta.url));
/** Endpoints that no bench uses, because no source of the launch chain is bound. */
const ELSEWHERE = 'one=http://127.0.0.1:1,other=http://127.0.0.1:2';
const NOBODY = `0x${'0'.repeat(40)}` as const;

/** One side that follows the chain, until it is stopped. */
export interface FollowingSide {
  readonly rpc: GatedRpc;
  readonly rows: SideRows;
  readonly trades: SideTrades;
  stop(): Promise<void>;
}

export interface SideOptions {
  /** Different for each start. */
  readonly name: string;
  readonly pollMs: number;
  /** Whether to count only final rows. */
  readonly finalOnly: boolean;
  /** Whether the other side writes trades too; ours always does. */
  readonly withTrades?: boolean;
}

/** Starts the indexer as a separate process, with Temporal, an unused database and an unused folder of evidence. */
export async function startOwnIndexer(servers: IndexServers, options: SideOptions): Promise<FollowingSide> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).toReversed()) await one();
  };
  try {
    const folder = await servers.folder(options.name);
    const source = await servers.chain.source(options.name);
    const rollup = { sequencerInbox: NOBODY, bridge: NOBODY, nodeInterface: NOBODY, genesisBlock: '0' };
    const deployment = deploymentOf(rollup, [{ source, status: 'active' }], []);
    const file = `${sourceReleaseDigest(source).slice('sha256:'.length)}.json`;
    await writeFile(path.join(folder, file), canonicalJsonText(source));
    await writeFile(path.join(folder, 'deployment.json'), canonicalJsonText(deployment));
    const [database, rpc, temporal] = await Promise.all([
      servers.database(true),
      gateRpc(servers.chain.url, 2),
      startTemporal({ searchAttributes: SEARCH_ATTRIBUTE_TYPES }),
    ]);
    stops.push(
      () => temporal.stop(),
      () => rpc.close(),
      () => database.close(),
    );
    const service = await startServiceProcess({
      args: [PROGRAM],
      env: {
        DATABASE_URL: database.url,
        TEMPORAL_ADDRESS: temporal.address,
        BLOB_STORE: await servers.folder(`${options.name}-blobs`),
        INDEX_SOURCES_DIR: folder,
        RPC_4663_URLS: ELSEWHERE,
        RPC_1_URLS: rpc.urls.map((url, index) => `observer-${index}=${url}`).join(','),
        INDEX_POLL_MS: String(options.pollMs),
        INDEX_FINALITY_POLL_MS: String(options.pollMs),
      },
    });
    stops.push(() => service.stop());
    await promoteWorker(temporal, 'indexer');
    return { rpc, rows: ownRows(database.client, options), trades: ownTrades(database.client), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
