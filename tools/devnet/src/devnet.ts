import type { Address } from 'viem';
import { BlockProducer } from './anvil/block.producer.js';
import type { NeededStates } from './anvil/state.cache.js';
import { startChains } from './chain.start.js';
import type { StartedChains } from './chain.start.js';
import { serveAdmin } from './admin/admin.server.js';
import { Expiries } from './admin/expiries.js';
import { TruthReader } from './admin/truth.reader.js';
import { lockDir } from './dir.lock.js';
import type { DirLock } from './dir.lock.js';
import { manifestOf, writeManifest } from './deployment.manifest.js';
import { DevnetError } from './devnet.errors.js';
import { resolveOptions } from './devnet.options.js';
import type { DevnetOptions, DevnetTiming, ResolvedOptions } from './devnet.options.js';
import type { KeyFile } from './key.files.js';
import { RawEndpoint } from './proxy/raw.endpoint.js';
import { RpcEndpoint } from './proxy/rpc.endpoint.js';
import { serveEndpoint } from './proxy/rpc.server.js';
import { BatchPoster } from './rollup/batch.poster.js';
import type { DevnetContracts } from './rollup/contracts.deploy.js';
import { BlockPace } from './rollup/block.pace.js';
import { PRICE_FEED, PriceFeeds } from './rollup/price.feeds.js';
import { FinalityView } from './rollup/finality.view.js';
import type { ChainId } from './chain-id.js';
import { NodeInterface } from './rollup/node.interface.js';
import { ReorgActions } from './rollup/reorg.actions.js';
import { GENESIS_L2_BLOCK } from './rollup/rollup.abi.js';
import type { ListeningServer } from './http.server.js';

export interface RpcProvider {
  readonly id: string;
  readonly url: string;
}

export interface KeyReference {
  readonly address: Address;
  readonly privateKeyFile: string;
}

/** The public facts about running development chains, without secrets. */
export interface DevnetDescription {
  readonly schemaVersion: 'launch.devnet.v1';
  /** Two providers a chain, on distinct ports, as this machine reaches them. */
  readonly rpc: Readonly<Record<ChainId, readonly RpcProvider[]>>;
  /** Endpoints of the chains themselves, past every fault; their own `finalized` tag has no meaning. */
  readonly rawRpc: Readonly<Record<ChainId, string>>;
  readonly faultsUrl: string;
  readonly contracts: DevnetContracts;
  /** The decimals of both price feeds' answers, and their greatest age. */
  readonly priceFeed: { readonly decimals: number; readonly heartbeatSeconds: number };
  readonly controller: KeyReference;
  readonly owner: KeyReference;
  readonly permitAuthority: KeyReference;
  readonly platformFeeRecipient: Address;
  readonly genesisL2Block: number;
  /** Genesis hashes, which identify new chains. */
  readonly genesis: Readonly<Record<ChainId, string>>;
  /** Whether these are the chains of an earlier run in the same folder. */
  readonly resumed: boolean;
  readonly timing: DevnetTiming;
}

export interface Devnet extends DevnetDescription {
  /** The same facts as plain data, for a file or a pipe. */
  readonly description: DevnetDescription;
  /** Settles only when a chain ends unexpectedly. */
  readonly failed: Promise<DevnetError>;
  /** Stops everything and keeps the chains for the next start, if so configured. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts chain 1 and chain 4663 with the rollup between them, the launch contracts, two providers each and the controls.
 * `onProblem` receives background faults, which are retried.
 * @throws DevnetError
 */
export async function startDevnet(
  options: DevnetOptions,
  onProblem: (error: unknown) => void = reportProblem,
): Promise<Devnet> {
  const resolved = resolveOptions(options);
  const lock = await lockDir(resolved.dir);
  try {
    const chains = await startChains(resolved);
    return await assemble(resolved, chains, lock, onProblem);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function reportProblem(error: unknown): void {
  const code = error instanceof DevnetError ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : 'unknown problem';
  process.stderr.write(`${JSON.stringify({ msg: 'devnet problem', code, message })}\n`);
}

async function assemble(
  options: ResolvedOptions,
  chains: StartedChains,
  lock: DirLock,
  onProblem: (error: unknown) => void,
): Promise<Devnet> {
  const { clients, contracts, keys, recorders } = chains;
  const { timing } = options;
  const poster: BatchPoster = new BatchPoster({
    l1: clients['1'],
    l1Blocks: recorders['1'],
    postableL2Block: () => recorders['4663'].durable,
    inbox: contracts.sequencerInbox.address,
    key: keys.batchPoster,
    postEveryMs: (): number => pace.postEveryMs(),
    onFailure: onProblem,
  });
  const view = new FinalityView({ clients, recorders, poster, l1FinalityDepth: timing.l1FinalityDepth });
  const pace: BlockPace = new BlockPace({ timing, clients, recorders, poster, view });
  const producerOf = (chain: ChainId, tickMs: number): BlockProducer =>
    new BlockProducer({
      rpc: clients[chain],
      tickMs,
      isDue: (sinceLastMs) => pace.isBlockDue(chain, sinceLastMs),
      catchUp: () => recorders[chain].catchUp(),
      onFailure: onProblem,
    });
  const producers = { '1': producerOf('1', timing.l1BlockMs), '4663': producerOf('4663', timing.l2BlockMs) };
  const nodeInterface = new NodeInterface({ l1: clients['1'], l2: clients['4663'], poster });
  const endpoints = (['4663', '1'] as const).flatMap((chain) =>
    ['a', 'b'].map((letter) => {
      const id = `${chain === '1' ? 'l1' : 'l2'}-${letter}`;
      return new RpcEndpoint({
        id,
        chain,
        rpc: clients[chain],
        view,
        nodeInterface: chain === '1' ? null : nodeInterface,
      });
    }),
  );
  const servers: ListeningServer[] = [];
  const expiries = new Expiries(onProblem);
  const stop = once(async () => {
    expiries.stop();
    try {
      await stopAll(chains, servers, poster, producers);
    } finally {
      await lock.release();
    }
  });
  try {
    const rpc: Record<ChainId, RpcProvider[]> = { '4663': [], '1': [] };
    for (const [index, endpoint] of endpoints.entries()) {
      const server = await serveEndpoint(endpoint, options.ports[endpoint.chain]?.[index % 2] ?? 0, options.host);
      servers.push(server);
      rpc[endpoint.chain].push({ id: endpoint.id, url: server.url });
    }
    const rawRpc: Record<ChainId, string> = { '4663': '', '1': '' };
    for (const chain of ['4663', '1'] as const) {
      const server = await serveEndpoint(
        new RawEndpoint({ rpc: clients[chain], recorder: recorders[chain], producer: producers[chain] }),
        0,
        '127.0.0.1',
      );
      servers.push(server);
      rawRpc[chain] = server.url;
    }
    const reorgs = new ReorgActions({ clients, recorders, producers, poster, view });
    const truth = new TruthReader(clients['4663'], poster, view);
    const priceFeeds = new PriceFeeds({
      clients,
      poster,
      feeds: { '1': contracts.priceFeedL1, '4663': contracts.priceFeedL2 },
      owners: { '1': keys.batchPoster, '4663': keys.owner },
    });
    const admin = await serveAdmin(
      { clients, recorders, endpoints, poster, producers, reorgs, priceFeeds, truth, expiries },
      options.ports.faults ?? 0,
    );
    servers.push(admin);
    await poster.reread();
    for (const chain of ['1', '4663'] as const) {
      const needed = (): NeededStates => ({
        filled: recorders[chain].filledBlocks(),
        open: recorders[chain].blocksFrom(view.finalizedNow()[chain]),
      });
      chains.caches[chain].start(needed, onProblem);
    }
    producers['1'].start();
    producers['4663'].start();
    poster.start();
    await writeManifest(options.dir, manifestOf(contracts, chains.genesis));
    const description: DevnetDescription = {
      schemaVersion: 'launch.devnet.v1',
      rpc,
      rawRpc,
      faultsUrl: admin.url,
      contracts,
      priceFeed: { decimals: PRICE_FEED.decimals, heartbeatSeconds: PRICE_FEED.heartbeatSeconds },
      controller: referenceTo(keys.controller),
      owner: referenceTo(keys.owner),
      permitAuthority: referenceTo(keys.permitAuthority),
      platformFeeRecipient: keys.platformFeeRecipient.address,
      genesisL2Block: GENESIS_L2_BLOCK,
      genesis: chains.genesis,
      resumed: chains.resumed,
      timing,
    };
    return { ...description, description, failed: chains.failed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function referenceTo(key: KeyFile): KeyReference {
  return { address: key.address, privateKeyFile: key.privateKeyFile };
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= action());
}

/** Stops the poster first: it may still wait for a block that its producer must make. */
async function stopAll(
  chains: StartedChains,
  servers: readonly ListeningServer[],
  poster: BatchPoster,
  producers: Readonly<Record<ChainId, BlockProducer>>,
): Promise<void> {
  await poster.stop();
  await Promise.all([producers['1'].stop(), producers['4663'].stop()]);
  await Promise.all(servers.map((server) => server.close()));
  await chains.stop();
}
