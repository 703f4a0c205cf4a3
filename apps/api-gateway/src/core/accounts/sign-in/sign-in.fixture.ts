import { canonicalizeJson } from '@launch/contracts/json';
import { privateKeyToAccount } from 'viem/accounts';
import type { Harness } from '../../../fixtures/gateway.harness.js';
import { call, type Answer } from '../../../fixtures/http.client.js';
import { signInNonceSchema, type SignInNonce } from './sign-in.schema.js';

export const ORIGIN = 'https://launch.example';
export const DAY = 86_400;
export const SIGN_IN = { origin: ORIGIN, keySeconds: 30 * DAY };

let serial = 0;
/** A wallet of its own for each test. */
export const wallet = () => privateKeyToAccount(`0x${(0x5157e + (serial += 1)).toString(16).padStart(64, '0')}`);
export type Wallet = ReturnType<typeof wallet>;

/** The message that a wallet is asked to sign. */
export const textFor = (
  address: string,
  { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime }: SignInNonce,
): string =>
  `${domain} wants you to sign in with your Ethereum account:\n${address}\n\n${statement}\n\nURI: ${uri}\nVersion: ${version}\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: ${issuedAt}\nExpiration Time: ${expirationTime}`;

/** Signing in on one gateway, as clients do. */
export function signInOn(gateway: () => Harness) {
  const invite = async (query = '', on = gateway()): Promise<SignInNonce> =>
    signInNonceSchema.parse((await call(`${on.url}/v4/auth/siwe/nonce${query}`, { method: 'POST' })).json);
  const send = (message: string, signature: string, on = gateway()): Promise<Answer> =>
    call(`${on.url}/v4/auth/siwe/keys`, { body: canonicalizeJson({ message, signature }) });
  return {
    invite,
    send,
    async signInForModules(who: Wallet, purpose = 'modules', query = '?purpose=modules'): Promise<Answer> {
      const message = textFor(who.address, await invite(query));
      const signature = await who.signMessage({ message });
      return call(`${gateway().url}/v4/auth/siwe/keys`, { body: canonicalizeJson({ message, purpose, signature }) });
    },
    async signIn(who: Wallet, change: (text: string) => string = (text) => text): Promise<Answer> {
      const message = change(textFor(who.address, await invite()));
      return send(message, await who.signMessage({ message }));
    },
  };
}
