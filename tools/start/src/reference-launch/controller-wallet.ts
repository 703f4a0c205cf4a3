import { readFile } from 'node:fs/promises';
import type { WalletTransaction } from '@launch/contracts/launch';
import type { Stack } from '../stack.schema.js';
import { createWalletClient, defineChain, http, publicActions, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/**
 * The controller's own wallet: signs and sends exactly the transaction it was handed,
 * with its own key, to the chain's own endpoint. The service never sees this.
 * @param deadline the chain's time in seconds after which the permit is void.
 * @throws TypeError for a transaction of another wallet or chain, or a void permit; nothing was sent.
 */
export async function sendFromController(
  stack: Stack,
  transaction: WalletTransaction,
  deadline?: string,
): Promise<Hex> {
  if (stack.controller === null) throw new TypeError('this stack has no controller of its own');
  const account = privateKeyToAccount((await readFile(stack.controller.privateKeyFile, 'utf8')).trim() as Hex);
  if (account.address.toLowerCase() !== transaction.from) throw new TypeError('the hand-off is for another wallet');
  const url = stack.rpc['4663'][0] as string;
  const chain = defineChain({
    id: Number(transaction.chainId),
    name: 'launch',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const wallet = createWalletClient({ account, chain, transport: http(url) }).extend(publicActions);
  const chainId = await wallet.getChainId();
  if (String(chainId) !== transaction.chainId)
    throw new TypeError(`the hand-off is for chain ${transaction.chainId}, and the endpoint is of chain ${chainId}`);
  if (deadline !== undefined && (await wallet.getBlock()).timestamp > BigInt(deadline))
    throw new TypeError('the permit of the hand-off has expired; read the launch again');
  return wallet.sendTransaction({
    to: transaction.to as Hex,
    value: BigInt(transaction.value),
    data: transaction.data,
  });
}
