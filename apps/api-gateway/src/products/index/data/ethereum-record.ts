import {
  ethereumEvidencePath,
  ethereumFinalizedSchema,
  launchRecordSchema,
  type EthereumFinalized,
} from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { IndexRow } from './index-reading.repository.js';

/** The verdict on a row of the index: a record, or the first failing member. */
export type JudgedRow =
  | {
      readonly row: IndexRow;
      readonly routerLaunchId: Hex;
      readonly record: string;
      readonly recordSha256: Sha256Digest;
    }
  | { readonly row: IndexRow; readonly held: string };

const MAX_REASON = 128;

/** Judges whether a row can enter the feed, and writes its record. */
export function judgeRow(row: IndexRow): JudgedRow {
  const parsed = launchRecordSchema.safeParse(row.record);
  if (!parsed.success) return held(row, `record: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
  const { routerAddress: router, launchId: routerLaunchId, ...launch } = parsed.data;
  if (router === null) return held(row, 'record: routerAddress');
  if (routerLaunchId === null) return held(row, 'record: launchId');
  const differs = (['blockHash', 'transactionHash', 'logIndex'] as const).find((name) => launch[name] !== row[name]);
  if (differs !== undefined) return held(row, `record: ${differs}`);
  const { checkpointNumber, checkpointHash, checkpointAt, evidenceSha256 } = row;
  if (checkpointNumber === null || BigInt(checkpointNumber) < BigInt(launch.blockNumber))
    return held(row, 'checkpoint: below the launch');
  const { transactionHash, logIndex, blockNumber, blockHash } = launch;
  const item = ethereumFinalizedSchema.safeParse({
    schemaVersion: 'service.custom-launch-finalized-metadata.v3',
    platformId: 'service',
    category: 'custom',
    chainId: 1,
    caip2: 'eip155:1',
    projectMetadata: { token: { name: launch.name, symbol: launch.symbol } },
    market: {
      token: launch.tokenAddress,
      hook: launch.hookAddress,
      poolManager: launch.poolManager,
      poolId: launch.poolId,
    },
    onchain: {
      schemaVersion: 'service.custom-launch-ethereum-evidence.v3',
      router,
      routerLaunchId,
      terminal: true,
      checkpointType: 'ethereum_finalized',
      transactionHash,
      inclusion: { blockNumber, blockHash, transactionIndex: row.transactionIndex, logIndex },
      ethereumFinalized: { blockNumber: checkpointNumber, blockHash: checkpointHash as Hex },
    },
    sourceVerification: { status: 'not_verified', components: [] },
    quality: { status: 'ready' },
    evidence: { sha256: evidenceSha256, path: ethereumEvidencePath(routerLaunchId, evidenceSha256) },
    launchedAt: launch.launchedAt,
    finalizedAt: checkpointAt === null ? '' : new Date(checkpointAt).toISOString(),
  } satisfies EthereumFinalized);
  if (!item.success) return held(row, `item: ${item.error.issues[0]?.path.join('.') ?? ''}`);
  const bytes = canonicalizeJson(item.data);
  return { row, routerLaunchId, record: new TextDecoder().decode(bytes), recordSha256: sha256Digest(bytes) };
}

const held = (row: IndexRow, reason: string): JudgedRow => ({ row, held: reason.slice(0, MAX_REASON) });
