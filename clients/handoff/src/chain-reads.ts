import { keccak256Hex } from '@launch/contracts/primitives';
import { bytesOfHex, ROUTER_V1_ABI, type Hex } from '@launch/evm';
import { decodeFunctionResult, encodeFunctionData, formatUnits } from 'viem/utils';
import type { HandoffReview, ReviewedTransaction, TrustedDeployment, WalletProvider } from './handoff.types.js';
import { simulate, type Simulation } from './simulation.js';

/** The answers of the wallet's own provider. */
export interface ChainReads {
  /** Decimal. */
  readonly chainId: number;
  /** The account that the wallet has selected, in lowercase; null without one. */
  readonly account: string | null;
  /** Timestamp of the latest block, in seconds. */
  readonly blockTime: bigint;
  readonly routerCodeHash: Hex;
  readonly authority: { readonly validFrom: bigint; readonly validUntil: bigint; readonly isRevoked: boolean };
  readonly isNonceUsed: boolean;
  readonly isPermitUsed: boolean;
  /** Wei. */
  readonly balance: bigint;
  /** Wei per unit of gas. */
  readonly gasPrice: bigint;
  /** The exact transaction, executed at the latest block; null without a router, which no transaction can call. */
  readonly simulation: Simulation | null;
}

/** `unknown` is for a condition that the provider cannot answer. It does not block: the router checks it again on chain. */
export type ChainVerdict = 'passes' | 'blocks' | 'unknown';

/** A condition of the chain or the wallet under which the transaction can succeed. */
export interface ChainCheck {
  readonly id:
    | 'chain'
    | 'account'
    | 'router-code'
    | 'authority'
    | 'nonce'
    | 'not-begun'
    | 'expired'
    | 'short-window'
    | 'funds'
    | 'simulation';
  readonly sentence: string;
  readonly verdict: ChainVerdict;
  readonly remedy: string | null;
}

export const CHAIN_ID = 4663;
/** A transaction that is sent later can be late for its block. */
const SHORT_WINDOW_SECONDS = 60n;

/**
 * Asks the wallet's own provider everything that decides whether the transaction can succeed, and never the service.
 * @throws the provider's errors, but for a revert of the simulation, which is an answer
 */
export async function readChain(provider: WalletProvider, transaction: ReviewedTransaction): Promise<ChainReads> {
  const { router, controller, signer, nonce, permitDigest } = transaction;
  const getter = async (
    functionName: 'authority' | 'nonceUsed' | 'permitUsed',
    args: readonly unknown[],
  ): Promise<unknown> => {
    // Both routers have these getters.
    const data = encodeFunctionData({ abi: ROUTER_V1_ABI, functionName, args } as Parameters<
      typeof encodeFunctionData
    >[0]);
    const result = (await provider.request({ method: 'eth_call', params: [{ to: router, data }, 'latest'] })) as Hex;
    return decodeFunctionResult({ abi: ROUTER_V1_ABI, functionName, data: result } as Parameters<
      typeof decodeFunctionResult
    >[0]);
  };
  const chainId = Number((await provider.request({ method: 'eth_chainId' })) as Hex);
  const [account] = (await provider.request({ method: 'eth_accounts' })) as readonly string[];
  const block = (await provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as {
    readonly timestamp: Hex;
  };
  const code = (await provider.request({ method: 'eth_getCode', params: [router, 'latest'] })) as Hex;
  const hasRouter = code !== '0x';
  const [validFrom, validUntil, isRevoked] = hasRouter
    ? ((await getter('authority', [signer])) as readonly [bigint, bigint, boolean])
    : [0n, 0n, true];
  return {
    chainId,
    account: account?.toLowerCase() ?? null,
    blockTime: BigInt(block.timestamp),
    routerCodeHash: keccak256Hex(bytesOfHex(code)),
    authority: { validFrom, validUntil, isRevoked },
    isNonceUsed: hasRouter && ((await getter('nonceUsed', [controller, nonce])) as boolean),
    isPermitUsed: hasRouter && ((await getter('permitUsed', [permitDigest])) as boolean),
    balance: BigInt((await provider.request({ method: 'eth_getBalance', params: [controller, 'latest'] })) as Hex),
    gasPrice: BigInt((await provider.request({ method: 'eth_gasPrice' })) as Hex),
    simulation: hasRouter ? await simulate(provider, transaction) : null,
  };
}

const passes = (id: ChainCheck['id'], sentence: string): ChainCheck => ({
  id,
  sentence,
  verdict: 'passes',
  remedy: null,
});
const blocks = (id: ChainCheck['id'], sentence: string, remedy: string): ChainCheck => ({
  id,
  sentence,
  verdict: 'blocks',
  remedy,
});

/** Judges the answers of the wallet's provider. The transaction may be sent if nothing blocks. */
export function judgeChainReads(
  { transaction }: Pick<HandoffReview, 'transaction'>,
  reads: ChainReads,
  trusted: readonly TrustedDeployment[],
): readonly ChainCheck[] {
  if (transaction === null) return [];
  return [
    reads.chainId === CHAIN_ID
      ? passes('chain', `Your wallet is on chain ${CHAIN_ID}.`)
      : blocks(
          'chain',
          `Your wallet is on chain ${reads.chainId}, and the launch is for chain ${CHAIN_ID}.`,
          `Switch your wallet to chain ${CHAIN_ID}.`,
        ),
    reads.account === transaction.controller
      ? passes('account', 'Your wallet has selected the account of the launch.')
      : blocks(
          'account',
          `Your wallet has selected ${reads.account ?? 'no account'}, and the launch is for ${transaction.controller}.`,
          'Select the account of the launch in your wallet.',
        ),
    trusted.some(
      ({ router, routerCodeHash }) => router === transaction.router && routerCodeHash === reads.routerCodeHash,
    )
      ? passes('router-code', 'The router has the reviewed code on chain.')
      : blocks(
          'router-code',
          `The router at ${transaction.router} has other code on chain than the reviewed one.`,
          'Do not sign. Report the address to the operator.',
        ),
    authorityCheck(transaction, reads),
    reads.isNonceUsed || reads.isPermitUsed
      ? blocks(
          'nonce',
          `Your wallet has used nonce ${transaction.nonce} of the router before.`,
          'The launch may have been sent already: read its status. Else pack a new request with another nonce.',
        )
      : passes('nonce', 'The nonce is free, so this launch was not sent before.'),
    windowCheck(transaction, reads.blockTime),
    fundsCheck(transaction, reads),
    ...simulationChecks(reads),
  ];
}

function authorityCheck({ signer }: ReviewedTransaction, { authority, blockTime }: ChainReads): ChainCheck {
  const { validFrom, validUntil, isRevoked } = authority;
  const isValid = !isRevoked && validFrom <= blockTime && blockTime < validUntil;
  return isValid
    ? passes('authority', 'The router accepts the signer of the permit now.')
    : blocks(
        'authority',
        `The router does not accept the signer ${signer} now.`,
        'Do not send it. Pack a new request; the service signs it with a current key.',
      );
}

function windowCheck({ validAfter, deadline }: ReviewedTransaction, blockTime: bigint): ChainCheck {
  if (blockTime < validAfter)
    return blocks('not-begun', `The permit begins in ${validAfter - blockTime} seconds.`, 'Wait until then.');
  if (blockTime > deadline) return blocks('expired', 'The permit has expired.', 'Pack and submit a new request.');
  const left = deadline - blockTime;
  return left < SHORT_WINDOW_SECONDS
    ? blocks(
        'short-window',
        `The permit ends in ${left} seconds, which is too short to send safely.`,
        'Pack and submit a new request.',
      )
    : passes('expired', `The permit is valid for ${left} more seconds.`);
}

function fundsCheck({ calls }: ReviewedTransaction, { balance, simulation, gasPrice }: ChainReads): ChainCheck {
  const value = calls.reduce((sum, call) => sum + call.value, 0n);
  const gasWei =
    typeof simulation === 'object' && simulation !== null && 'gas' in simulation ? simulation.gas * gasPrice : 0n;
  const needed = value + gasWei;
  return balance >= needed
    ? passes('funds', `Your wallet has enough: ${formatUnits(balance, 18)} ETH.`)
    : blocks(
        'funds',
        `Your wallet has ${formatUnits(balance, 18)} ETH, and the launch needs ${formatUnits(needed, 18)} ETH with gas.`,
        `Add ${formatUnits(needed - balance, 18)} ETH to your wallet.`,
      );
}

const NOT_SIMULATED: ChainCheck = {
  id: 'simulation',
  sentence: 'Your wallet’s provider cannot simulate several calls, so the page cannot tell whether the batch succeeds.',
  verdict: 'unknown',
  remedy: 'You can sign: if one call fails, the batch has no effect, and you pay its gas only.',
};

function simulationChecks({ simulation }: ChainReads): ChainCheck[] {
  if (simulation === null) return [];
  if (simulation === 'unsupported') return [NOT_SIMULATED];
  return [
    'gas' in simulation
      ? passes('simulation', `The exact transaction succeeds at the latest block, with ${simulation.gas} gas.`)
      : blocks('simulation', `The exact transaction would fail: ${simulation.revert}`, simulation.remedy),
  ];
}
