import { createWalletClient, defineChain, http, toHex, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Page } from 'puppeteer-core';

/** A wallet of the browser: an EIP-1193 provider that announces itself (EIP-6963) and signs in this process. */
export interface BrowserWallet {
  readonly name: string;
  /** Reverse domain name, which tells wallets of one name apart. */
  readonly rdns: string;
  readonly account: PrivateKeyAccount;
  /** Endpoint of chain 4663 that the wallet uses. */
  readonly rpcUrl: string;
  /** Answers a request in place of the wallet; `undefined` lets the wallet answer. */
  readonly intercept?: (request: WalletRequest) => Promise<unknown> | undefined;
}
export interface WalletRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An error that the provider answers, with its code of EIP-1193. */
export class WalletRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
/** The user declined in the wallet's own window. */
export const userRejected = (): WalletRefusal => new WalletRefusal(4001, 'User rejected the request.');

/** The wallet as a test sees it. */
export interface InstalledWallet {
  /** Every request of the page, oldest first. */
  readonly requests: readonly WalletRequest[];
  /** Hashes of the transactions that the wallet sent. */
  readonly sent: readonly Hex[];
}

const CHAIN_ID = 4663;
const ICON = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>')}`;

interface Failure {
  readonly code?: number;
  readonly message: string;
  /** Revert data. */
  readonly data?: unknown;
}
type Outcome = { readonly result: unknown } | { readonly error: Failure };

/** Installs a wallet in a tab, for each document that it opens from now on. */
export async function installWallet(page: Page, wallet: BrowserWallet): Promise<InstalledWallet> {
  const requests: WalletRequest[] = [];
  const sent: Hex[] = [];
  const bridge = `wallet_${wallet.rdns.replaceAll(/\W/g, '_')}`;
  await page.exposeFunction(bridge, async (request: WalletRequest): Promise<Outcome> => {
    requests.push(request);
    try {
      const result = await (wallet.intercept?.(request) ?? answer(wallet, request, sent));
      return { result: result ?? null };
    } catch (error) {
      const { code = -32603, message, data } = error as Failure;
      return { error: { code, message, data } };
    }
  });
  await page.evaluateOnNewDocument(announce, bridge, {
    uuid: crypto.randomUUID(),
    name: wallet.name,
    rdns: wallet.rdns,
    icon: ICON,
  });
  return { requests, sent };
}

/** Runs in the page. */
function announce(
  bridge: string,
  info: { readonly uuid: string; readonly name: string; readonly rdns: string; readonly icon: string },
): void {
  const tab = globalThis as unknown as EventTarget;
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const provider = {
    async request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> {
      const ask = (globalThis as unknown as Record<string, (request: object) => Promise<Record<string, unknown>>>)[
        bridge
      ]!;
      const outcome = await ask({ method, params });
      if ('error' in outcome) throw Object.assign(new Error(), outcome['error']);
      return outcome['result'];
    },
    on(event: string, listener: (value: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return provider;
    },
    removeListener(event: string, listener: (value: unknown) => void) {
      listeners.get(event)?.delete(listener);
      return provider;
    },
  };
  // Tests make a wallet change its account or chain.
  Object.assign(globalThis, {
    [`${bridge}_emit`]: (event: string, value: unknown) => listeners.get(event)?.forEach((listener) => listener(value)),
  });
  const say = (): boolean =>
    tab.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
    );
  tab.addEventListener('eip6963:requestProvider', say);
  say();
}

async function answer(wallet: BrowserWallet, { method, params }: WalletRequest, sent: Hex[]): Promise<unknown> {
  const { account, rpcUrl } = wallet;
  switch (method) {
    case 'eth_requestAccounts':
    case 'eth_accounts':
      return [account.address.toLowerCase()];
    case 'eth_chainId':
      return toHex(CHAIN_ID);
    case 'wallet_requestPermissions':
      return [{ parentCapability: 'eth_accounts' }];
    case 'wallet_getCapabilities':
    case 'wallet_sendCalls':
      throw new WalletRefusal(4200, `${method} is not supported`);
    case 'wallet_switchEthereumChain':
      return null;
    case 'personal_sign':
      return account.signMessage({ message: { raw: params[0] as Hex } });
    case 'eth_sendTransaction': {
      const { to, value, data } = params[0] as { readonly to: Hex; readonly value?: Hex; readonly data: Hex };
      const client = createWalletClient({ account, chain: chainAt(rpcUrl), transport: http(rpcUrl) });
      const hash = await client.sendTransaction({ to, value: BigInt(value ?? '0x0'), data });
      sent.push(hash);
      return hash;
    }
    default:
      return forward(rpcUrl, { method, params });
  }
}

async function forward(rpcUrl: string, request: WalletRequest): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }),
  });
  const { result, error } = (await response.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  };
  if (error !== undefined) throw Object.assign(new WalletRefusal(error.code, error.message), { data: error.data });
  return result;
}

const chainAt = (rpcUrl: string) =>
  defineChain({
    id: CHAIN_ID,
    name: 'Chain 4663',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
