import type { PrivateKeyAccount } from 'viem/accounts';

/** What a wallet is asked to sign, as the service says it. */
interface Invitation {
  readonly nonce: string;
  readonly domain: string;
  readonly uri: string;
  readonly version: string;
  readonly chainId: string;
  readonly statement: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
}

const PATH = '/v4/auth/siwe';

/** Signs in with a wallet. @returns the answer as it comes. */
export async function signIn(
  gateway: string,
  wallet: PrivateKeyAccount,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { domain, uri, version, chainId, statement, nonce, issuedAt, expirationTime } = (await (
    await fetch(`${gateway}${PATH}/nonce`, { method: 'POST' })
  ).json()) as Invitation;
  const message = `${domain} wants you to sign in with your Ethereum account:\n${wallet.address}\n\n${statement}\n\nURI: ${uri}\nVersion: ${version}\nChain ID: ${chainId}\nNonce: ${nonce}\nIssued At: ${issuedAt}\nExpiration Time: ${expirationTime}`;
  const body = JSON.stringify({ message, signature: await wallet.signMessage({ message }) });
  const answer = await fetch(`${gateway}${PATH}/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: answer.status, body: await answer.json() };
}

/** The key that a wallet signs in for. @throws Error with the answer when there is none. */
export async function signInKey(
  gateway: string,
  wallet: PrivateKeyAccount,
): Promise<{ readonly credentialId: string; readonly key: string }> {
  const { status, body } = await signIn(gateway, wallet);
  if (status !== 201) throw new Error(`signing in answers ${status} ${JSON.stringify(body)}`);
  return body as { credentialId: string; key: string };
}
