import { judgeChainReads, readChain, type ChainCheck, type TrustedDeployment } from '@launch/handoff';
import type { Obstacle } from './wallet-flow.js';
import { readSelected, supportsAtomicBatch, type WalletProvider } from './wallet-provider.js';
import { windowEnded, type Offer } from './wallet-review.js';

/** The chain and the wallet as the wallet's own provider shows them, at one moment. */
export interface Inspection {
  readonly checks: readonly ChainCheck[];
  /** Everything that prevents sending now; the page sends only without any. */
  readonly obstacles: readonly Obstacle[];
}

const CHAIN_ID = 4663n;

const obstacle = (
  id: string,
  title: string,
  remedy: string,
  values: { claimed: string | null; computed: string | null } = { claimed: null, computed: null },
): Obstacle => ({ id, title, remedy, ...values });

/** The wallet disconnected. */
export const NO_WALLET: Inspection = {
  checks: [],
  obstacles: [obstacle('no-wallet', 'No wallet is connected.', 'Connect the wallet of the launch.')],
};

/**
 * Asks the wallet's own provider everything that decides whether the offer can succeed, and never the service.
 * @throws the provider's errors
 */
export async function inspect(
  provider: WalletProvider,
  { transaction }: Offer,
  trusted: readonly TrustedDeployment[],
): Promise<Inspection> {
  const { chainId } = await readSelected(provider);
  // Other reads on another chain would be about other contracts.
  if (chainId !== CHAIN_ID) return { checks: [], obstacles: [wrongChain(chainId)] };
  if (clock() > transaction.deadline) return { checks: [], obstacles: [windowEnded(transaction.deadline)] };
  const checks = judgeChainReads({ transaction }, await readChain(provider, transaction), trusted);
  const obstacles = checks.filter(({ verdict }) => verdict === 'blocks').map(chainObstacle);
  if (transaction.isBatch && !(await supportsAtomicBatch(provider, transaction.controller))) obstacles.push(NO_BATCH);
  return { checks, obstacles };
}

const clock = (): bigint => BigInt(Math.floor(Date.now() / 1_000));

const chainObstacle = ({ id, sentence, remedy }: ChainCheck): Obstacle => obstacle(id, sentence, remedy ?? '');

const wrongChain = (selected: bigint): Obstacle =>
  obstacle(
    'chain',
    `The wallet has selected chain ${selected}, and the launch is for chain ${CHAIN_ID}.`,
    'Select chain 4663 in the wallet. The button below asks the wallet to do it.',
    { claimed: String(selected), computed: String(CHAIN_ID) },
  );

const NO_BATCH = obstacle(
  'no-atomic-batch',
  'The wallet cannot send several calls as one (EIP-5792).',
  'Use a wallet that reports atomic batches on chain 4663, or submit the plan again in sequential mode.',
  { claimed: 'atomic batches are not supported', computed: 'atomic: supported or ready' },
);
