import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex, zeroAddress, zeroHash } from 'viem';
import type { Hex } from 'viem';
import { z } from 'zod';
import { startAnvil } from './anvil/anvil.process.js';
import type { AnvilProcess } from './anvil/anvil.process.js';
import { createJsonRpcClient } from './anvil/json-rpc.client.js';
import type { JsonRpcClient } from './anvil/json-rpc.client.js';
import { StateCache } from './anvil/state.cache.js';
import { readArtifacts } from './artifacts.js';
import { clearState, readKept, stateFilesIn } from './chain.state.js';
import type { StateFiles } from './chain.state.js';
import { DevnetError } from './devnet.errors.js';
import type { ResolvedOptions } from './devnet.options.js';
import { historyOf } from './journal/chain.history.js';
import type { HistoryEntry } from './journal/chain.history.js';
import { ChainRecorder } from './journal/chain.recorder.js';
import { JournalFile } from './journal/journal.file.js';
import type { GenesisRecord, Hardfork, JournalRecord } from './journal/journal.records.js';
import { replay } from './journal/replay.js';
import { loadOrCreateKey, readKey } from './key.files.js';
import type { KeyFile } from './key.files.js';
import { contractsOf, DEPLOYMENTS } from './rollup/contracts.deploy.js';
import type { DevnetContracts } from './rollup/contracts.deploy.js';
import { deploy } from './rollup/deployment.js';
import type { DeployedContract, Deployment } from './rollup/deployment.js';
import { GENESIS_NUMBER } from './rollup/finality.view.js';
import type { ChainId } from './chain-id.js';
import { NODE_INTERFACE_ADDRESS, NODE_INTERFACE_CODE } from './rollup/rollup.abi.js';

export interface DevnetKeys {
  readonly controller: KeyFile;
  readonly owner: KeyFile;
  readonly batchPoster: KeyFile;
  readonly platformFeeRecipient: KeyFile;
  readonly permitAuthority: KeyFile;
}

export interface StartedChains {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly recorders: Readonly<Record<ChainId, ChainRecorder>>;
  readonly caches: Readonly<Record<ChainId, StateCache>>;
  readonly contracts: DevnetContracts;
  readonly keys: DevnetKeys;
  readonly genesis: Readonly<Record<ChainId, Hex>>;
  readonly resumed: boolean;
  readonly failed: Promise<DevnetError>;
  stop(): Promise<void>;
}

type ByChain<T> = Readonly<Record<ChainId, T>>;

const CHAINS = ['1', '4663'] as const;
/** Nitro reports 2^50 as the gas limit of every L2 block. */
const GAS_LIMIT: Readonly<Record<ChainId, bigint>> = { '1': 60_000_000n, '4663': 1_125_899_906_842_624n };
/** EIP-7702 came with `prague`, which a Nitro chain has too. */
const HARDFORKS: ByChain<Hardfork> = { '1': 'prague', '4663': 'prague' };
/** Hardforks of chains whose journal does not name one, because they began earlier. */
const FIRST_HARDFORKS: ByChain<Hardfork> = { '1': 'prague', '4663': 'cancun' };
const INITIAL_BALANCE_WEI = 100n * 10n ** 18n;

const genesisSchema = z.object({ hash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]) });

/** The inputs from which both chains are computed. */
interface Kept {
  readonly records: readonly JournalRecord[];
  readonly journal: JournalFile | null;
  readonly keys: DevnetKeys;
  readonly resumed: boolean;
}

/**
 * Starts both chains with their contracts: the chains in this folder, or new ones with new keys.
 * @param deployments the contracts that the chains must have; those that kept chains lack are deployed now.
 * @throws DevnetError `CHAINS_UNREADABLE` when what is kept cannot be gone on with. Nothing of it is touched then.
 */
export async function startChains(
  options: ResolvedOptions,
  deployments: readonly Deployment[] = DEPLOYMENTS,
): Promise<StartedChains> {
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const files = stateFilesIn(options.dir);
  const content = options.keepState && !options.fresh ? await readKept(options.dir) : null;
  if (content === null) {
    await clearState(options.dir, options.fresh || !options.keepState ? ownKeyFiles(options, files) : []);
    const keys = await loadKeys(options, files, loadOrCreateKey);
    const records = [genesisRecordOf(keys)];
    return begin(options, deployments, {
      records,
      keys,
      resumed: false,
      journal: options.keepState ? await JournalFile.create(files.journal, records) : null,
    });
  }
  const keys = await loadKeys(options, files, readKey);
  requireKeysOf(content.records, keys);
  if (content.cutBytes > 0) reportCut(files.journal, content.cutBytes);
  return begin(options, deployments, {
    records: content.records,
    keys,
    resumed: true,
    journal: await JournalFile.continue(files.journal, content),
  });
}

async function begin(options: ResolvedOptions, deployments: readonly Deployment[], kept: Kept): Promise<StartedChains> {
  const files = stateFilesIn(options.dir);
  const caches = { '1': new StateCache(files.caches['1']), '4663': new StateCache(files.caches['4663']) };
  const anvils = await startBoth(files, caches, genesisOf(kept.records));
  const clients = { '1': createJsonRpcClient(anvils['1'].url), '4663': createJsonRpcClient(anvils['4663'].url) };
  const stop = async (): Promise<void> => {
    await Promise.all(CHAINS.map((chain) => anvils[chain].stop()));
    await Promise.all(CHAINS.map((chain) => caches[chain].stop()));
    for (const chain of CHAINS) clients[chain].close();
    await kept.journal?.close();
  };
  try {
    const genesis = await settleOrigin(clients, kept);
    const [l1, l2] = await Promise.all(
      CHAINS.map((chain) => restore(chain, clients[chain], caches[chain], genesis[chain], kept)),
    );
    const recorders = { '1': l1 as ChainRecorder, '4663': l2 as ChainRecorder };
    const contracts = await settleDeployments(clients, recorders, kept, deployments);
    return {
      clients,
      recorders,
      caches,
      contracts,
      keys: kept.keys,
      genesis,
      resumed: kept.resumed,
      failed: failureOf(anvils, kept.journal),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

function failureOf(anvils: ByChain<AnvilProcess>, journal: JournalFile | null): Promise<DevnetError> {
  return new Promise((resolve) => {
    void journal?.failed.then(resolve);
    for (const chainId of CHAINS) {
      void anvils[chainId].exited.then(({ unexpected }) => {
        if (unexpected) resolve(new DevnetError('RPC_FAILED', 'a chain has ended', { chainId }));
      });
    }
  });
}

function reportCut(file: string, bytes: number): void {
  process.stderr.write(
    `${JSON.stringify({ msg: 'the last line of the journal was cut while it was written; it is dropped', file, bytes })}\n`,
  );
}

function genesisRecordOf(keys: DevnetKeys): GenesisRecord {
  const funded = ({ address }: KeyFile): { address: Hex; wei: string } => ({
    address,
    wei: String(INITIAL_BALANCE_WEI),
  });
  return {
    kind: 'genesis',
    schemaVersion: 'launch.devnet-journal.v1',
    timestamp: Math.floor(Date.now() / 1000),
    baseFee: 1_000_000_000 + randomInt(1_000_000_000),
    hardforks: HARDFORKS,
    accounts: {
      '1': [funded(keys.batchPoster)],
      '4663': [
        funded(keys.controller),
        funded(keys.owner),
        { address: NODE_INTERFACE_ADDRESS, wei: '0', code: NODE_INTERFACE_CODE },
      ],
    },
    keys: addressesOf(keys),
  };
}

function addressesOf(keys: DevnetKeys): GenesisRecord['keys'] {
  return {
    controller: keys.controller.address,
    owner: keys.owner.address,
    batchPoster: keys.batchPoster.address,
    platformFeeRecipient: keys.platformFeeRecipient.address,
    permitAuthority: keys.permitAuthority.address,
  };
}

function genesisOf(records: readonly JournalRecord[]): GenesisRecord {
  const [first] = records;
  if (first?.kind !== 'genesis')
    throw new DevnetError('CHAINS_UNREADABLE', 'the journal of the chains has no beginning');
  return first;
}

function requireKeysOf(records: readonly JournalRecord[], keys: DevnetKeys): void {
  const expected = genesisOf(records).keys;
  for (const [name, address] of Object.entries(addressesOf(keys)) as [keyof DevnetKeys, Hex][]) {
    if (address === expected[name]) continue;
    throw new DevnetError('CHAINS_UNREADABLE', 'a key file holds another key than the chains know', {
      file: keys[name].privateKeyFile,
    });
  }
}

async function startBoth(
  files: StateFiles,
  caches: ByChain<StateCache>,
  genesis: GenesisRecord,
): Promise<ByChain<AnvilProcess>> {
  const start = async (chain: ChainId): Promise<AnvilProcess> => {
    await caches[chain].renew();
    await writeFile(files.genesis[chain], JSON.stringify(genesisFileOf(chain, genesis)), { mode: 0o600 });
    return startAnvil({
      chainId: Number(chain),
      hardfork: (genesis.hardforks ?? FIRST_HARDFORKS)[chain],
      gasLimit: GAS_LIMIT[chain],
      cacheDir: files.caches[chain],
      genesisNumber: GENESIS_NUMBER[chain],
      genesisTimestamp: genesis.timestamp,
      genesisBaseFee: genesis.baseFee,
      genesisFile: files.genesis[chain],
    });
  };
  const [l1, l2] = await Promise.allSettled([start('1'), start('4663')]);
  if (l1.status === 'fulfilled' && l2.status === 'fulfilled') return { '1': l1.value, '4663': l2.value };
  for (const each of [l1, l2]) if (each.status === 'fulfilled') await each.value.stop();
  throw l1.status === 'rejected' ? l1.reason : (l2 as PromiseRejectedResult).reason;
}

/** Returns geth's `genesis.json`, from which anvil reads the accounts and the gas limit. */
function genesisFileOf(chain: ChainId, genesis: GenesisRecord): unknown {
  const alloc = genesis.accounts[chain].map(({ address, wei, code }) => [
    address.slice(2),
    { balance: toHex(BigInt(wei)), ...(code === undefined ? {} : { code }) },
  ]);
  return {
    config: { chainId: Number(chain) },
    nonce: '0x0',
    timestamp: toHex(genesis.timestamp),
    extraData: '0x',
    gasLimit: toHex(GAS_LIMIT[chain]),
    difficulty: '0x0',
    mixHash: zeroHash,
    coinbase: zeroAddress,
    alloc: Object.fromEntries(alloc),
  };
}

/** Both genesis hashes: as they were first, or the chains cannot be gone on with. */
async function settleOrigin(clients: ByChain<JsonRpcClient>, { records, journal }: Kept): Promise<ByChain<Hex>> {
  const read = async (chain: ChainId): Promise<Hex> => {
    const block = await clients[chain].call('eth_getBlockByNumber', toHex(GENESIS_NUMBER[chain]), false);
    return genesisSchema.parse(block).hash;
  };
  const hashes = { '1': await read('1'), '4663': await read('4663') };
  const origin = records.find((record) => record.kind === 'origin')?.hashes;
  if (origin === undefined) await journal?.append({ kind: 'origin', hashes });
  else if (CHAINS.some((chain) => origin[chain] !== hashes[chain])) {
    throw new DevnetError('CHAINS_UNREADABLE', 'this release makes another genesis block than the one that was kept');
  }
  return hashes;
}

async function restore(
  chain: ChainId,
  rpc: JsonRpcClient,
  cache: StateCache,
  genesisHash: Hex,
  kept: Kept,
): Promise<ChainRecorder> {
  const genesis = { number: GENESIS_NUMBER[chain], hash: genesisHash };
  const history: HistoryEntry[] = historyOf(chain, genesis.number, kept.records);
  const recorder = new ChainRecorder({ chain, rpc, journal: kept.journal, genesis, history });
  const filled = recorder.filledBlocks();
  let sweptAt = performance.now();
  await replay(rpc, chain, history, async () => {
    if (performance.now() - sweptAt < SWEEP_WHILE_REPLAYING_MS) return;
    sweptAt = performance.now();
    await cache.sweep({ filled, open: [] });
  });
  await cache.sweep({ filled, open: [] });
  return recorder;
}

const SWEEP_WHILE_REPLAYING_MS = 1000;

async function settleDeployments(
  clients: ByChain<JsonRpcClient>,
  recorders: ByChain<ChainRecorder>,
  kept: Kept,
  deployments: readonly Deployment[],
): Promise<DevnetContracts> {
  const deployed: Record<string, DeployedContract> = {};
  const known = new Set<string>();
  for (const record of kept.records) {
    if (record.kind !== 'deployed') continue;
    known.add(record.id);
    Object.assign(deployed, record.contracts);
  }
  const missing = deployments.filter(({ id }) => !known.has(id));
  if (missing.length > 0) {
    const artifacts = await readArtifacts();
    for (const deployment of missing) {
      const { id, chain } = deployment;
      const contracts = await deploy(deployment, clients[chain], artifacts, kept.keys, deployed);
      await recorders[chain].catchUp();
      await kept.journal?.append({ kind: 'deployed', id, contracts });
      Object.assign(deployed, contracts);
    }
  }
  return contractsOf(deployed);
}

const OWN_KEYS = ['controller', 'owner', 'batch-poster', 'platform-fee-recipient'] as const;

function keyFile(files: StateFiles, name: string): string {
  return join(files.keysDir, `${name}.key`);
}

function permitKeyFile(options: ResolvedOptions, files: StateFiles): string {
  return options.permitAuthorityKeyFile ?? keyFile(files, 'permit-authority');
}

/**
 * Lists the key files of the chains. The permit key belongs to the caller if the caller named its file: it then outlives the
 * chains.
 */
function ownKeyFiles(options: ResolvedOptions, files: StateFiles): string[] {
  const own = OWN_KEYS.map((name) => keyFile(files, name));
  return options.permitAuthorityKeyFile === undefined ? [...own, permitKeyFile(options, files)] : own;
}

async function loadKeys(
  options: ResolvedOptions,
  files: StateFiles,
  load: (file: string) => Promise<KeyFile>,
): Promise<DevnetKeys> {
  const [controller, owner, batchPoster, platformFeeRecipient] = await Promise.all([
    load(keyFile(files, 'controller')),
    load(keyFile(files, 'owner')),
    load(keyFile(files, 'batch-poster')),
    load(keyFile(files, 'platform-fee-recipient')),
  ]);
  const permitAuthority = await load(permitKeyFile(options, files));
  return { controller, owner, batchPoster, platformFeeRecipient, permitAuthority };
}
