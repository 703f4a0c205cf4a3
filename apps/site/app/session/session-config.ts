import { CHAIN_ID } from '@launch/contracts/primitives';
import { defineChain } from 'viem';
import { createConfig, createStorage, injected, noopStorage, unstable_connector } from 'wagmi';

/** The chain of launches. Every read goes through the wallet's own provider, so the chain names no endpoint. */
export const LAUNCH_CHAIN = defineChain({
  id: CHAIN_ID,
  name: 'Chain 4663',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/**
 * Returns the connection state of one document: wallets that announce themselves (EIP-6963) and the one at `window.ethereum`. It
 * stores nothing in the browser, so that a reload asks for the wallet again, and contacts no server.
 */
export const createSessionConfig = () =>
  createConfig({
    chains: [LAUNCH_CHAIN],
    connectors: [injected()],
    multiInjectedProviderDiscovery: true,
    // The wallets are known in the browser only; both renderings begin without them.
    ssr: true,
    storage: createStorage({ storage: noopStorage }),
    transports: { [LAUNCH_CHAIN.id]: unstable_connector(injected) },
  });
