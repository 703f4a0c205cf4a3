import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJsonText } from '@launch/contracts/json';
import { addressSchema, decimalSchema, type Hex } from '@launch/contracts/primitives';
import type { DevnetDescription } from '@launch/devnet';
import { z } from 'zod';
import { writePrivate } from '../data-folder.js';
import { buildDevelopmentCustomLaunchContext } from '../development-context.js';
import type { Progress } from '../progress.js';
import { inventoryConfig } from '../reference-launch/pack-custom-launch.js';
import { launchThroughRouter, permitAuthority } from './ethereum-launches.js';
import { LAUNCH_FUNDS, walletOnEthereum } from './source-wallet.js';

const FILE = 'retired-router.json';
const BUNDLES = path.resolve(import.meta.dirname, '../../../../clients/multi-role/bundles');

/** The end of Ethereum's first router: the last block that counts, and the coin that was launched in it. */
const retiredRouterSchema = z.strictObject({
  schemaVersion: z.literal('launch.retired-router.v1'),
  endBlock: decimalSchema,
  coin: z.strictObject({ token: addressSchema, launchWallet: addressSchema }),
});
export type RetiredRouter = z.infer<typeof retiredRouterSchema>;

/** Reads how the router ended on the chains of this folder; undefined if it ended before any launch through it. */
export async function readRetiredRouter(dataDir: string): Promise<RetiredRouter | undefined> {
  const text = await readFile(path.join(dataDir, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : retiredRouterSchema.parse(JSON.parse(text));
}

/**
 * Ends the first router of Ethereum on new chains, after a launch if one is wanted, or reads how it ended on kept chains. The
 * file never changes, because a binding is never edited.
 */
export async function settleRetiredRouter(
  dataDir: string,
  devnet: DevnetDescription,
  { launch, progress }: { readonly launch: boolean; readonly progress: Progress },
): Promise<RetiredRouter | undefined> {
  if (devnet.resumed) return readRetiredRouter(dataDir);
  // Of chains that are there no more.
  await rm(path.join(dataDir, FILE), { force: true });
  if (!launch) return undefined;
  return progress.step(
    'retired router',
    () => launchAndRetire(dataDir, devnet),
    ({ endBlock }) => `of Ethereum; a coin is in its last block, ${endBlock}`,
  );
}

/** Launches through the first router of Ethereum, and ends it with the block of that launch. */
async function launchAndRetire(dataDir: string, devnet: DevnetDescription): Promise<RetiredRouter> {
  const { contracts, rpc, faultsUrl, genesis, genesisL2Block } = devnet;
  const urls = (chain: '1' | '4663'): string[] => rpc[chain].map(({ url }) => url);
  const wallet = await walletOnEthereum(
    { rpc: { '1': urls('1'), '4663': urls('4663') }, faults: faultsUrl },
    LAUNCH_FUNDS,
  );
  // Without a purchase: nothing is there yet that could say what one costs.
  const context = buildDevelopmentCustomLaunchContext(devnet, undefined, undefined, '4.0');
  const config = await inventoryConfig(BUNDLES, {
    launchWallet: wallet.account.address.toLowerCase() as Hex,
    checkpoint: { blockNumber: String(genesisL2Block), blockHash: genesis['4663'] as Hex },
    buy: { initialBuyWei: '0', minimumTokensOut: '0' },
  });
  const { made, blockNumber } = await launchThroughRouter(
    { router: contracts.retiredRouterL1, poolManager: contracts.poolManagerL1 },
    wallet,
    await permitAuthority(devnet.permitAuthority.privateKeyFile),
    { config, context },
  );
  const retired = retiredRouterSchema.parse({
    schemaVersion: 'launch.retired-router.v1',
    endBlock: String(blockNumber),
    coin: { token: made.token, launchWallet: made.launchWallet },
  });
  await writePrivate(path.join(dataDir, FILE), canonicalJsonText(retired));
  return retired;
}
