import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toHex } from 'viem';
import type { Hex } from 'viem';
import { z } from 'zod';
import { startAnvil } from './anvil/anvil.process.js';
import type { AnvilProcess } from './anvil/anvil.process.js';
import { createJsonRpcClient } from './anvil/json-rpc.client.js';
import type { JsonRpcClient } from './anvil/json-rpc.client.js';
import { readArtifacts } from './artifacts.js';
import { clearState, renewCaches, stateFilesIn, takeManifest } from './chain.state.js';
import type { StateFiles, StateManifest } from './chain.state.js';
import { DevnetError } from './devnet.errors.js';
import type { ResolvedOptions } from './devnet.options.js';
import { loadOrCreateKey } from './key.files.js';
import type { KeyFile } from './key.files.js';
import { deployContracts } from './rollup/contracts.deploy.js';
import type { DevnetContracts } from './rollup/contracts.deploy.js';
import type { ChainId } from './rollup/finality.view.js';

export interface DevnetKeys {
  readonly controller: KeyFile;
  readonly owner: KeyFile;
  readonly batchPoster: KeyFile;
  readonly platformFeeRecipient: KeyFile;
  readonly permitAuthority: KeyFile;
}

export interface StartedChains {
  readonly clients: Readonly<Record<ChainId, JsonRpcClient>>;
  readonly contracts: DevnetContracts;
  readonly keys: DevnetKeys;
  readonly genesis: Readonly<Record<ChainId, Hex>>;
  readonly resumed: boolean;
  readonly failed: Promise<DevnetError>;
  /** Resolves to whether both chains wrote their state. */
  stop(): Promise<boolean>;
}

/** Nitro reports 2^50 as the gas limit of every L2 block. */
const L2_GAS_LIMIT = 1_125_899_906_842_624n;
const L1_GAS_LIMIT = 60_000_000n;
const INITIAL_BALANCE_WEI = 100n * 10n ** 18n;

const genesisSchema = z.object({ hash: z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{64}$/)]) });

type Anvils = Readonly<Record<ChainId, AnvilProcess>>;

/** Starts both chains with their contracts: those of the last clean stop in this folder, else new ones with new keys. */
export async function startChains(options: ResolvedOptions): Promise<StartedChains> {
  const files = stateFilesIn(options.dir);
  await mkdir(options.dir, { recursive: true, mode: 0o700 });
  const manifest = options.keepState ? await takeManifest(files) : null;
  const resumed = manifest === null ? null : await resume(options, files, manifest);
  return resumed ?? startNew(options, files);
}

/** Null when what was kept does not belong together any more. */
async function resume(
  options: ResolvedOptions,
  files: StateFiles,
  manifest: StateManifest,
): Promise<StartedChains | null> {
  const keys = await loadKeys(options, files);
  if (keys.permitAuthority.address !== manifest.permitAuthority) return null;
  const anvils = await startBoth(options, files, true);
  const clients = clientsOf(anvils);
  const genesis = await genesisOf(clients);
  if (genesis['1'] !== manifest.genesis['1'] || genesis['4663'] !== manifest.genesis['4663']) {
    await stopBoth(anvils, clients);
    return null;
  }
  return started(anvils, clients, keys, manifest.contracts, genesis, true);
}

async function startNew(options: ResolvedOptions, files: StateFiles): Promise<StartedChains> {
  const artifacts = await readArtifacts();
  await clearState(files, ownKeyFiles(options, files));
  const keys = await loadKeys(options, files);
  const anvils = await startBoth(options, files, false);
  const clients = clientsOf(anvils);
  try {
    await fund(clients['4663'], [keys.controller, keys.owner]);
    await fund(clients['1'], [keys.batchPoster]);
    const contracts = await deployContracts(clients['1'], clients['4663'], artifacts, keys);
    return started(anvils, clients, keys, contracts, await genesisOf(clients), false);
  } catch (error) {
    await stopBoth(anvils, clients);
    throw error;
  }
}

async function fund(rpc: JsonRpcClient, accounts: readonly KeyFile[]): Promise<void> {
  for (const { address } of accounts) await rpc.call('anvil_setBalance', address, toHex(INITIAL_BALANCE_WEI));
}

function started(
  anvils: Anvils,
  clients: Readonly<Record<ChainId, JsonRpcClient>>,
  keys: DevnetKeys,
  contracts: DevnetContracts,
  genesis: Readonly<Record<ChainId, Hex>>,
  resumed: boolean,
): StartedChains {
  const failed = new Promise<DevnetError>((resolve) => {
    for (const chainId of ['1', '4663'] as const) {
      void anvils[chainId].exited.then(({ unexpected }) => {
        if (unexpected) resolve(new DevnetError('RPC_FAILED', 'a chain has ended', { chainId }));
      });
    }
  });
  return { clients, contracts, keys, genesis, resumed, failed, stop: () => stopBoth(anvils, clients) };
}

async function startBoth(options: ResolvedOptions, files: StateFiles, load: boolean): Promise<Anvils> {
  await renewCaches(files);
  const start = (chain: ChainId): Promise<AnvilProcess> =>
    startAnvil({
      chainId: Number(chain),
      hardfork: chain === '1' ? 'prague' : 'cancun',
      gasLimit: chain === '1' ? L1_GAS_LIMIT : L2_GAS_LIMIT,
      cacheDir: files.caches[chain],
      loadStateFile: load ? files.dumps[chain] : null,
      dumpStateFile: options.keepState ? files.dumps[chain] : null,
    });
  const [l1, l2] = await Promise.allSettled([start('1'), start('4663')]);
  if (l1.status === 'fulfilled' && l2.status === 'fulfilled') return { '1': l1.value, '4663': l2.value };
  for (const each of [l1, l2]) if (each.status === 'fulfilled') await each.value.stop();
  throw l1.status === 'rejected' ? l1.reason : (l2 as PromiseRejectedResult).reason;
}

async function stopBoth(anvils: Anvils, clients: Readonly<Record<ChainId, JsonRpcClient>>): Promise<boolean> {
  const inTime = await Promise.all([anvils['1'].stop(), anvils['4663'].stop()]);
  clients['1'].close();
  clients['4663'].close();
  return inTime.every(Boolean);
}

function clientsOf(anvils: Anvils): Readonly<Record<ChainId, JsonRpcClient>> {
  return { '1': createJsonRpcClient(anvils['1'].url), '4663': createJsonRpcClient(anvils['4663'].url) };
}

async function genesisOf(
  clients: Readonly<Record<ChainId, JsonRpcClient>>,
): Promise<Readonly<Record<ChainId, Hex>>> {
  const read = async (chain: ChainId): Promise<Hex> =>
    genesisSchema.parse(await clients[chain].call('eth_getBlockByNumber', '0x0', false)).hash;
  return { '1': await read('1'), '4663': await read('4663') };
}

const OWN_KEYS = ['controller', 'owner', 'batch-poster', 'platform-fee-recipient'] as const;

function keyFile(files: StateFiles, name: string): string {
  return join(files.keysDir, `${name}.key`);
}

function permitKeyFile(options: ResolvedOptions, files: StateFiles): string {
  return options.permitAuthorityKeyFile ?? keyFile(files, 'permit-authority');
}

/** The permit key is the caller's when the caller named its file: then it outlives the chains. */
function ownKeyFiles(options: ResolvedOptions, files: StateFiles): string[] {
  const own = OWN_KEYS.map((name) => keyFile(files, name));
  return options.permitAuthorityKeyFile === undefined ? [...own, permitKeyFile(options, files)] : own;
}

async function loadKeys(options: ResolvedOptions, files: StateFiles): Promise<DevnetKeys> {
  const [controller, owner, batchPoster, platformFeeRecipient] = await Promise.all([
    loadOrCreateKey(keyFile(files, 'controller')),
    loadOrCreateKey(keyFile(files, 'owner')),
    loadOrCreateKey(keyFile(files, 'batch-poster')),
    loadOrCreateKey(keyFile(files, 'platform-fee-recipient')),
  ]);
  const permitAuthority = await loadOrCreateKey(permitKeyFile(options, files));
  return { controller, owner, batchPoster, platformFeeRecipient, permitAuthority };
}
