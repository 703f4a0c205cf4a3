import { canonicalizeJson } from '@launch/contracts/json';
import { inviteSignIn, issueKeyBySignIn, type ApiClient, type components } from '@launch/sdk/operations';
import type { EIP1193Provider, Hex } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import { stringToHex } from 'viem/utils';

/** The use of a key. A signature is valid for one of them only. */
export type Purpose = 'launches' | 'modules';

/** A key of the gateway. It lives in this object only. */
export interface IssuedKey {
  readonly key: string;
  /** The wallet that the key is bound to, in lower case. */
  readonly owner: Hex;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

export type SignInParts = components['schemas']['SignInNonce'];

/** The gateway asked for another message than a sign-in to this site, or refused the signature. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
}

/**
 * Returns the message for the wallet (EIP-4361).
 * @param siteOrigin the origin of this page. The gateway's parts are claims: a message for another site is never signed.
 * @throws {SignInError} if the parts are not of a sign-in to this site
 */
export function signInMessage(parts: SignInParts, address: Hex, siteOrigin: string): string {
  const { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime } = parts;
  const isOfSite = domain === new URL(siteOrigin).host && URL.canParse(uri) && new URL(uri).origin === siteOrigin;
  if (!isOfSite)
    throw new SignInError(
      `The service asked for a sign-in to ${domain}, but this site is ${new URL(siteOrigin).host}. Nothing was signed.`,
    );
  return composed({
    address,
    chainId: Number(chainId),
    domain,
    nonce,
    statement,
    uri,
    version,
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expirationTime),
  });
}

function composed(message: Parameters<typeof createSiweMessage>[0]): string {
  try {
    return createSiweMessage(message);
  } catch (cause) {
    throw new SignInError('The service asked for a message that is no sign-in (EIP-4361). Nothing was signed.', {
      cause,
    });
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  SIGN_IN_SIGNATURE_INVALID:
    'The signature is not of this account. Accounts that are contracts (EIP-1271) cannot sign in: use an account with a private key.',
  SIGN_IN_NONCE_INVALID: 'The sign-in took longer than five minutes. Sign in again.',
  SIGN_IN_MESSAGE_INVALID: 'The service refused the message. Check the clock of this computer, then sign in again.',
  SIGN_IN_REVOKED: 'The operator ended the access of this account. Ask them for a key.',
};

/**
 * Signs in: asks the gateway for the message, the wallet for its signature, and the gateway for the key.
 * @throws {SignInError} and the errors of the transport and of the wallet
 */
export async function signInWith(
  api: ApiClient,
  provider: EIP1193Provider,
  address: Hex,
  purpose: Purpose,
): Promise<IssuedKey> {
  const invitation = await api.call(inviteSignIn, { query: { purpose } });
  if (invitation.status !== 201) throw refused(invitation.value);
  const message = signInMessage(invitation.value, address, location.origin);
  const signature = await provider.request({ method: 'personal_sign', params: [stringToHex(message), address] });
  const body = canonicalizeJson({ message, ...(purpose === 'modules' ? { purpose } : {}), signature });
  const answer = await api.call(issueKeyBySignIn, { body: new Uint8Array(body) });
  if (answer.status !== 201) throw refused(answer.value);
  const { key, boundController, expiresAt } = answer.value;
  if (boundController !== address.toLowerCase())
    throw new SignInError(`The service answered with a key of ${boundController}, but ${address} signed.`);
  return { key, owner: boundController as Hex, expiresAt: Date.parse(expiresAt) };
}

function refused(body: unknown): SignInError {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly error?: { readonly code?: string; readonly message?: string };
  };
  return new SignInError(
    REMEDIES[error?.code ?? ''] ?? `The service refused the sign-in: ${error?.message ?? 'it gave no reason.'}`,
  );
}
