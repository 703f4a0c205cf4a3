import { setTimeout as sleep } from 'node:timers/promises';
import {
  INDEX_STATUS_PATH,
  INDEXED_LAUNCHES_PATH,
  indexedLaunchesSchema,
  indexStatusSchema,
  MODULE_INDEXER_PATH,
  moduleIndexerSchema,
  type IndexStatus,
  type QuarantineReason,
  type SourceStatus,
} from '@launch/contracts/index';
import { addressOf } from '@launch/contracts/primitives';
import type { Stack } from '../stack.schema.js';
import { readPublished } from '../reference-launch/pack-custom-launch.js';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import { launchOnEthereum } from './ethereum-launches.js';
import { launchThroughFactories } from './foundation-launches.js';
import { chainOf, sourceName, type MadeLaunch, type QuarantinedEvent } from './made-launch.js';
import { NativeLaunches, type NativeLauncher } from './native-launches.js';
import { everyItem } from './published-launches.js';
import { newWallets, type SourceWallet } from './source-wallet.js';
import { poolManagerOf, Traders } from './traders.js';

export interface SourceLaunchesOptions {
  readonly stack: Stack;
  /** Folder of the published files. */
  readonly bundles: string;
  readonly timeoutMs?: number;
}

/** The launches of a source version, as made and as an index shows them. */
export interface IndexedSource {
  /** Its version, and the factory's where there are several: `module-foundation-v1 V2`. */
  readonly source: string;
  readonly made: number;
  readonly found: number;
  /** Those that it refused, by the check that they fail. */
  readonly quarantined: Readonly<Partial<Record<QuarantineReason, number>>>;
}

const POLL_MS = 500;
const DEFAULT_TIMEOUT_MS = 240_000;

/** Launches through every source that the service publishes, as other people make them. */
export async function makeSourceLaunches({ stack, bundles }: SourceLaunchesOptions): Promise<readonly MadeLaunch[]> {
  const { deployments } = await readPublished(stack, MODULE_INDEXER_PATH, moduleIndexerSchema);
  const launchersOf = (wanted: SourceStatus): readonly NativeLauncher[] =>
    deployments.flatMap(({ sourceVersion, chainId, status, address }) =>
      chainId === 4663 && status === wanted && isNative(sourceVersion)
        ? [{ sourceVersion, address: addressOf(address)! }]
        : [],
    );
  const launchers = launchersOf('active');
  if (launchers.length === 0) throw new ReferenceLaunchError(`${MODULE_INDEXER_PATH} names no native launcher`);
  const [trader] = (await newWallets(stack, 1)) as [SourceWallet];
  const traders = await Traders.open(trader, poolManagerOf(deployments, 4663));
  const launches = await NativeLaunches.open(stack);
  const made: MadeLaunch[] = [];
  for (const launcher of launchers) made.push(...(await launches.make(launcher, traders)));
  // The one that was taken back misstates; it takes launches as ever.
  for (const launcher of launchersOf('disabled')) made.push(await launches.misstate(launcher));
  made.push(...(await launchThroughFactories(stack, deployments, traders)));
  made.push(...(await launchOnEthereum({ stack, bundles, deployments })));
  return made;
}

const isNative = (sourceVersion: string): sourceVersion is NativeLauncher['sourceVersion'] =>
  sourceVersion === 'module-native-v1' || sourceVersion === 'module-native-v2' || sourceVersion === 'module-engine-v1';

/**
 * Waits until the index shows every launch that was made as finalized, each by its launch wallet, and has refused those that
 * fail a check.
 * @throws ReferenceLaunchError when it does not in time, shows another creator, or one that it has to refuse.
 */
export async function awaitIndexed(
  { stack, timeoutMs = DEFAULT_TIMEOUT_MS }: Omit<SourceLaunchesOptions, 'bundles'>,
  made: readonly MadeLaunch[],
): Promise<readonly IndexedSource[]> {
  const deadline = Date.now() + timeoutMs;
  const names = [...new Set(made.map(sourceName))].sort();
  for (;;) {
    const status = await readPublished(stack, INDEX_STATUS_PATH, indexStatusSchema);
    const sources = await Promise.all(
      names.map((name) => {
        const wanted = made.filter((launch) => sourceName(launch) === name);
        return lookAt(stack, status, name, wanted);
      }),
    );
    if (sources.every(isComplete)) return sources;
    if (Date.now() > deadline) throw new ReferenceLaunchError(`the index shows ${JSON.stringify(sources)}`);
    await sleep(POLL_MS);
  }
}

const isComplete = ({ made, found, quarantined }: IndexedSource): boolean =>
  found + Object.values(quarantined).reduce((sum, count) => sum + count, 0) === made;

/** Whether the index has judged an event, and counts one of its source that fails this check. */
function isRefused({ sources }: IndexStatus, { source, blockNumber, reason }: QuarantinedEvent): boolean {
  const found = sources.find(({ chainId, address }) => chainId === 4663 && addressOf(address) === source);
  if (found == null || found.checkpoint === null) return false;
  return BigInt(found.checkpoint.number) >= BigInt(blockNumber) && (found.quarantine.byReason[reason] ?? 0) > 0;
}

async function lookAt(
  stack: Stack,
  status: IndexStatus,
  source: string,
  wanted: readonly MadeLaunch[],
): Promise<IndexedSource> {
  const [{ sourceVersion }] = wanted as readonly [MadeLaunch];
  const query = { chainId: `${chainOf(sourceVersion)}`, sourceKind: sourceVersion };
  const records = new Map(
    (await everyItem(stack, INDEXED_LAUNCHES_PATH, indexedLaunchesSchema, query)).map((record) => [
      addressOf(record.tokenAddress),
      record,
    ]),
  );
  let found = 0;
  const refused: Partial<Record<QuarantineReason, number>> = {};
  for (const { token, launchWallet, factoryVersion, launchKind, what, quarantined } of wanted) {
    const record = records.get(token);
    if (quarantined !== undefined) {
      if (record !== undefined) throw new ReferenceLaunchError(`${source}, ${what}: the index shows what is no launch`);
      const { reason } = quarantined;
      if (isRefused(status, quarantined)) refused[reason] = (refused[reason] ?? 0) + 1;
      continue;
    }
    if (record === undefined) continue;
    if (launchWallet !== null && addressOf(record.creator) !== launchWallet)
      throw new ReferenceLaunchError(`${source}, ${what}: the index shows another creator`);
    if (record.factoryVersion !== (factoryVersion ?? null))
      throw new ReferenceLaunchError(`${source}, ${what}: the index shows another factory`);
    if (launchKind !== undefined && record.launchKind !== launchKind)
      throw new ReferenceLaunchError(`${source}, ${what}: the index shows another kind`);
    found += 1;
  }
  return { source, made: wanted.length, found, quarantined: refused };
}
