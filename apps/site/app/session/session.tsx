import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiClient } from '@launch/sdk/operations';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { EIP1193Provider, Hex } from 'viem';
import { useConfig, useConnection, useConnectors, WagmiProvider } from 'wagmi';
import { connect, disconnect } from 'wagmi/actions';
import { useSettings } from '../site/site-data.js';
import { createSessionConfig } from './session-config.js';
import { launchClientsOf, moduleClientsOf, type SessionClients } from './session-clients.js';
import { SignInError, signInWith, type IssuedKey, type Purpose } from './sign-in.js';
import { walletChoices, type WalletChoice } from './wallet-choice.js';
import { walletFailure } from './wallet-failure.js';

export type SessionState = 'disconnected' | 'connecting' | 'connected' | 'signing-in' | 'signed-in';

/** The account that the wallet has selected now. It can differ from the owner of a key. */
export interface SessionAccount {
  readonly address: Hex;
  /** The chain that the wallet has selected. */
  readonly chainId: number;
  readonly walletName: string;
  /** Returns the wallet's own provider (EIP-1193). */
  readonly provider: () => Promise<EIP1193Provider>;
}

export interface Session {
  readonly state: SessionState;
  readonly account: SessionAccount | null;
  /** The wallets of the browser; null until they are known. */
  readonly wallets: readonly WalletChoice[] | null;
  /** Says why the last connection or sign-in failed. */
  readonly failure: string | null;
  /** The account that signed in, in lower case. */
  readonly owner: Hex | null;
  readonly clients: SessionClients;
  readonly connectWallet: (uid: string) => Promise<void>;
  /** Asks the wallet for a signature, and the gateway for a key. A failure is in `failure`. */
  readonly signIn: (purpose: Purpose) => Promise<void>;
  /** Forgets the keys and the wallet. @param reason shown to the visitor, such as an expiry */
  readonly signOut: (reason?: string) => void;
}

const SessionContext = createContext<Session | null>(null);

/** Returns the session of the visitor. Only pages below the session layout have one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('the page is not below the session layout');
  return session;
}

/** Keeps the visitor's wallet and keys while the document lives. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [config] = useState(createSessionConfig);
  const [queries] = useState(() => new QueryClient());
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queries}>
        <SessionKeeper>{children}</SessionKeeper>
      </QueryClientProvider>
    </WagmiProvider>
  );
}

type Keys = Readonly<Partial<Record<Purpose, IssuedKey>>>;
const NO_KEYS: Keys = {};
/** Wallets answer the request of EIP-6963 within the same turn; slow extensions get this many milliseconds. */
const ANNOUNCED_MS = 300;
const EXPIRY_CHECK_MS = 15_000;

function SessionKeeper({ children }: { children: ReactNode }) {
  const { gatewayUrl } = useSettings();
  const config = useConfig();
  const connection = useConnection();
  const connectors = useConnectors();
  const [keys, setKeys] = useState(NO_KEYS);
  const [busy, setBusy] = useState<'connecting' | 'signing-in' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const hasAnnounced = useDelay(ANNOUNCED_MS);
  const generation = useRef(0);

  const { address, chainId, connector } = connection;
  const account = useMemo<SessionAccount | null>(
    () =>
      address === undefined || chainId === undefined || connector?.getProvider === undefined
        ? null
        : {
            address,
            chainId,
            walletName: connector.name,
            provider: async () => (await connector.getProvider()) as EIP1193Provider,
          },
    [address, chainId, connector],
  );

  const attempt = useCallback(async (what: 'connecting' | 'signing-in', work: () => Promise<void>) => {
    setBusy(what);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(sentenceOf(error));
    } finally {
      setBusy(null);
    }
  }, []);

  const connectWallet = useCallback(
    (uid: string) =>
      attempt('connecting', async () => {
        const chosen = connectors.find((one) => one.uid === uid);
        if (chosen === undefined) throw new SignInError('The wallet is gone. Reload the page.');
        await disconnect(config).catch(() => undefined);
        await connect(config, { connector: chosen });
      }),
    [attempt, config, connectors],
  );

  const signIn = useCallback(
    (purpose: Purpose) =>
      attempt('signing-in', async () => {
        if (account === null) throw new SignInError('Connect a wallet first.');
        const begun = generation.current;
        const issued = await signInWith(new ApiClient(gatewayUrl), await account.provider(), account.address, purpose);
        // A key that arrives after the visitor signed out is dropped.
        if (begun !== generation.current) return;
        setKeys((held) => ({ ...ofOwner(held, issued.owner), [purpose]: issued }));
      }),
    [account, attempt, gatewayUrl],
  );

  const signOut = useCallback(
    (reason?: string) => {
      generation.current += 1;
      setKeys(NO_KEYS);
      setFailure(reason ?? null);
      // The connection ends in this page even when the wallet does not answer.
      disconnect(config).catch(() => undefined);
    },
    [config],
  );

  useEffect(() => {
    const timer = setInterval(() => {
      const isExpired = Object.values(keys).some(({ expiresAt }) => expiresAt <= Date.now());
      if (isExpired) signOut('Your sign-in expired. Sign in again.');
    }, EXPIRY_CHECK_MS);
    return () => clearInterval(timer);
  }, [keys, signOut]);

  const clients = useMemo<SessionClients>(
    () => ({
      launches: keys.launches === undefined ? null : launchClientsOf(gatewayUrl, keys.launches),
      modules: keys.modules === undefined ? null : moduleClientsOf(gatewayUrl, keys.modules),
    }),
    [gatewayUrl, keys],
  );
  const owner = (keys.launches ?? keys.modules)?.owner ?? null;
  const wallets = useMemo(
    () => (hasAnnounced ? walletChoices(connectors, 'ethereum' in globalThis) : null),
    [connectors, hasAnnounced],
  );
  const state = busy ?? (owner !== null ? 'signed-in' : account !== null ? 'connected' : 'disconnected');
  const session = useMemo<Session>(
    () => ({ state, account, wallets, failure, owner, clients, connectWallet, signIn, signOut }),
    [state, account, wallets, failure, owner, clients, connectWallet, signIn, signOut],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Keeps the keys of one owner only: a visitor who signs in with another account leaves the first. */
const ofOwner = (keys: Keys, owner: Hex): Keys =>
  Object.values(keys).every((one) => one.owner === owner) ? keys : NO_KEYS;

const sentenceOf = (error: unknown): string =>
  error instanceof SignInError
    ? error.message
    : error instanceof Error && error.name === 'ExchangeError'
      ? `The site could not reach the service: ${error.message}. Try again.`
      : walletFailure(error).message;

function useDelay(milliseconds: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return isOver;
}
