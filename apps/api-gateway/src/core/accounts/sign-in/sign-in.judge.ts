import { CHAIN_ID } from '@launch/contracts/primitives';
import type { KeyPurpose } from '../../routes/scopes.js';
import type { SignInMessage } from './sign-in-message.js';

/** The page where wallets sign in, and the lifetime of their keys. */
export interface SignInConfig {
  /** The page's origin, `https://host[:port]`; the message's domain and URI must be of it. */
  readonly origin: string;
  readonly keySeconds: number;
}

/**
 * The statements that a wallet agrees to, by the purpose of the key. A message with another statement was signed for
 * something else: a signature is valid for one purpose only.
 */
export const SIGN_IN_STATEMENTS: Readonly<Record<KeyPurpose, string>> = {
  launches: 'Issue an API key for custom launches on chain 4663. This sends no transaction and costs nothing.',
  modules: 'Issue an API key for module contributions. This sends no transaction, costs nothing and launches no coin.',
};
/** Validity of a nonce, and thereby of a message. */
export const SIGN_IN_SECONDS = 300;
/** Milliseconds by which a wallet's clock may be ahead of the server's. */
const AHEAD_MS = 60_000;

/**
 * Returns the parts of a message that do not match this service, this chain or this moment; empty when all match.
 * @param purpose of the requested key.
 * @param nowMs server time.
 */
export function signInFaults(
  message: SignInMessage,
  config: SignInConfig,
  purpose: KeyPurpose,
  nowMs: number,
): string[] {
  const page = new URL(config.origin);
  const faults: readonly (readonly [string, boolean])[] = [
    ['domain', message.domain !== page.host],
    ['scheme', message.scheme !== null && `${message.scheme}:` !== page.protocol],
    ['statement', message.statement !== SIGN_IN_STATEMENTS[purpose]],
    ['uri', !isOfOrigin(message.uri, page.origin)],
    ['chainId', message.chainId !== String(CHAIN_ID)],
    ['issuedAt', message.issuedAt > nowMs + AHEAD_MS || message.issuedAt <= nowMs - SIGN_IN_SECONDS * 1_000],
    ['expirationTime', message.expirationTime !== null && message.expirationTime <= nowMs],
    ['notBefore', message.notBefore !== null && message.notBefore > nowMs + AHEAD_MS],
    ['resources', message.resources.length > 0],
  ];
  return faults.filter(([, wrong]) => wrong).map(([part]) => part);
}

function isOfOrigin(uri: string, origin: string): boolean {
  return URL.canParse(uri) && new URL(uri).origin === origin && new URL(uri).username === '';
}
